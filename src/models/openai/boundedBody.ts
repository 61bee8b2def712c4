import type { Fetch } from './openaiClient.js';
import type { SaidUsage } from '../bookedUsage.js';
import { nothingSaid, readUsage, tokensSaid } from './usage.js';

type Body = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** The bytes of a body as they come, unpacked, up to a limit; what is longer throws and is read no further. */
export async function* bounded(
  body: Body,
  most: number,
  tooLong: () => Error,
): AsyncGenerator<Uint8Array, void, undefined> {
  let length = 0;
  for await (const bytes of body) {
    length += bytes.length;
    if (length > most) throw tooLong();
    yield bytes;
  }
}

/** The text of a body as far as the limit; the rest is not read. */
export async function textWithin(body: Body, most: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const bytes of body) {
    pieces.push(bytes.subarray(0, most - length));
    length += bytes.length;
    if (length >= most) break;
  }
  return new TextDecoder().decode(Buffer.concat(pieces));
}

/**
 * The SDK reads what comes with a refusal to its end, however long it is: it is given the start alone. What it does not
 * hand on, the usage that a server charges all the same, is put into a header.
 */
export function withShortRefusals(fetch: Fetch): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.ok || response.body === null) return response;
    const headers = new Headers(response.headers);
    for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) headers.delete(name);
    const { status, statusText } = response;
    const text = await textWithin(response.body, longestRefusal);
    headers.set(chargedHeader, String(tokensSaid(usageIn(text))));
    return new Response(text, { status, statusText, headers });
  };
}

/** Tokens that a refusal says it charges. */
export const chargedHeader = 'x-whetstone-charged';

function usageIn(text: string): SaidUsage {
  try {
    const body: unknown = JSON.parse(text);
    return body instanceof Object && 'usage' in body ? readUsage(body.usage) : nothingSaid;
  } catch {
    return nothingSaid; // a refusal in words
  }
}

const longestRefusal = 64 * 1024;
