import type { SandboxRuntimeConfig } from '@anthropic-ai/sandbox-runtime';
import { searchFor, type CanarySearch } from '../workplace/canaries.js';
import type { PlacedStart } from './helperProcess.js';

type LookAtRequest = NonNullable<SandboxRuntimeConfig['network']['filterRequest']>;

interface Watch {
  readonly search: CanarySearch;
  readonly onCarried: PlacedStart['onCarried'];
}

const watches = new Set<Watch>();
const looks = new Set<Promise<void>>();

/**
 * Tells from now on of each planted value of this start that a request carries which the proxy can read: whoever sends it,
 * nobody else has these values. Gives how it is stopped, once requests under way are looked through.
 */
export function tellCarried({ at, onCarried }: Partial<Pick<PlacedStart, 'at' | 'onCarried'>>): () => Promise<void> {
  if (at?.canaries === undefined || onCarried === undefined) return () => Promise.resolve();
  const watch = { search: searchFor(at.canaries), onCarried };
  watches.add(watch);
  return async () => {
    const patience = new Promise<void>((resolve) => setTimeout(resolve, mostPatienceMs).unref());
    await Promise.race([Promise.all(looks), patience]);
    watches.delete(watch);
  };
}

const mostPatienceMs = 1_000; // whoever sent it has ended, and with it the request

/** Every request is passed on, and none waits for us: its body is read as it goes. */
export const lookAtRequest: LookAtRequest = (request, { requestTarget = '' } = {}) => {
  if (watches.size > 0) {
    const look = lookThrough(request, requestTarget).catch(() => undefined); // the client went away
    const looked = look.then(() => void looks.delete(looked));
    looks.add(looked);
  }
  return Promise.resolve({ action: 'allow' });
};

async function lookThrough({ url, headers, body }: Request, target: string): Promise<void> {
  const reader = body?.getReader();
  const first = reader?.read(); // at once: a body that nobody begins to read is not kept for us
  const head = [url, target, ...[...headers].map(([name, value]) => `${name}: ${value}`)].join('\n');
  for (const { search, onCarried } of watches)
    for (const kind of search.inBytes(Buffer.from(`${head}\n${unescaped(head)}`))) onCarried(kind);
  const text = await textFrom(reader, first);
  for (const { search, onCarried } of text === '' ? [] : watches)
    for (const kind of new Set([...search.inText(text), ...search.inText(unescaped(text))])) onCarried(kind);
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

const mostBytes = 32 * 1024 * 1024; // of one body; the rest is passed on unread

async function textFrom(reader: Reader | undefined, first: ReturnType<Reader['read']> | undefined): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (let next = await first; next?.value !== undefined; next = await reader?.read()) {
    chunks.push(next.value);
    bytes += next.value.byteLength;
    if (bytes > mostBytes) break;
  }
  void reader?.cancel().catch(() => undefined);
  return Buffer.concat(chunks).toString('latin1');
}

/** With what is percent-encoded as it is. */
function unescaped(text: string): string {
  return text.replaceAll(/%([0-9a-f]{2})/giu, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
