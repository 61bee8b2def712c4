import { type ClientRequest, request as askHttp, type IncomingMessage } from 'node:http';
import { request as askHttps } from 'node:https';
import type { Fetch } from '../openai/openaiClient.js';

/**
 * A fetch without time limits of its own, for servers on a person's own machines. The global one gives a server up after
 * five minutes without headers, and after as many between two pieces of a body, whatever its caller is ready to wait.
 * It goes through Node's own `http`, which knows the person's proxy and certificates wherever the global fetch does. A redirect
 * is given back, never followed. Nothing packed is asked for, and nothing is unpacked.
 */
export const ownServerFetch: Fetch = async (input, init) => {
  const { signal: given, ...rest } = init ?? {};
  const signal = given ?? (input instanceof Request ? input.signal : undefined);
  const asked = new Request(input, rest);
  const body = Buffer.from(await asked.arrayBuffer());
  signal?.throwIfAborted();
  const sent = send(asked, signal);
  try {
    const answer = await answered(sent, body);
    return responseOf(answer, signal);
  } catch (error) {
    signal?.throwIfAborted();
    throw new TypeError('fetch failed', { cause: error });
  }
};

function send({ url, method, headers }: Request, signal: AbortSignal | undefined): ClientRequest {
  const ask = url.startsWith('https:') ? askHttps : askHttp;
  const asIs = { 'accept-encoding': 'identity', ...Object.fromEntries(headers) };
  const sent = ask(url, { method, headers: asIs, ...(signal === undefined ? {} : { signal }) });
  // A connection of its own: one that was kept open may be closed by the server just when the next call is sent on it. The
  // header alone, which follows from this, leaves it to the server's answer whether the connection is used again.
  sent.shouldKeepAlive = false;
  return sent;
}

function answered(sent: ClientRequest, body: Buffer): Promise<IncomingMessage> {
  const connecting = setTimeout(() => sent.destroy(notConnected()), connectMs);
  const isConnected = (): void => clearTimeout(connecting);
  sent.once('close', isConnected);
  sent.once('socket', (socket) => {
    socket.setKeepAlive(true, probeMs); // a machine that is switched off meanwhile shows
    if (socket.connecting) socket.once('connect', isConnected);
    else isConnected();
  });
  return new Promise((resolve, reject) => {
    sent.once('response', resolve);
    sent.on('error', reject);
    sent.end(body);
  });
}

const connectMs = 10_000; // as long as the global fetch tries
const probeMs = 60_000;

/** By the name that the global fetch has for it. */
function notConnected(): Error {
  return Object.assign(new Error(`no connection within ${connectMs / 1000} s`), { code: 'UND_ERR_CONNECT_TIMEOUT' });
}

function responseOf(answer: IncomingMessage, signal: AbortSignal | undefined): Response {
  const { statusCode: status = 0, statusMessage: statusText = '' } = answer;
  const headers = new Headers();
  for (const [name, values] of Object.entries(answer.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  if (!bodiless.has(status)) return new Response(streamOf(answer, signal), { status, statusText, headers });
  answer.resume();
  return new Response(null, { status, statusText, headers });
}

const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/** What is not read is not taken from the server; what is not wanted any more ends the connection. */
function streamOf(answer: IncomingMessage, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  const pieces: AsyncIterator<Uint8Array> = answer[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      try {
        const next = await pieces.next();
        if (next.done === true) controller.close();
        else controller.enqueue(new Uint8Array(next.value));
      } catch (error) {
        signal?.throwIfAborted();
        throw error;
      }
    },
    cancel() {
      answer.destroy();
    },
  });
}
