import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { json, rawStream, refusal, stream, type ChatAnswer } from '../../fakes/ChatServer.js';

/** One way in which a server fails. */
export interface ServerFault {
  readonly name: string;
  readonly answer: ChatAnswer;
  /** Asked for at another address than the server's own: as if it spoke TLS. */
  readonly tls?: boolean;
}

const whole = JSON.stringify({ choices: [{ message: { content: 'An answer.' }, finish_reason: 'stop' }] });
const page = '<!DOCTYPE html><html><title>Sign in</title><form action="/login"></form></html>';

/** All of them; `elsewhere` is the address of another host, which must never be asked for anything. */
export function serverFaults(elsewhere: string): readonly ServerFault[] {
  return [...redirects(elsewhere), ...refusals, ...hangs, ...floods, ...junk];
}

function redirects(elsewhere: string): readonly ServerFault[] {
  return [
    ...[300, 301, 302, 303, 307, 308].map((status) => redirect(status, `${elsewhere}/chat/completions`)),
    { ...redirect(308, '/v1/chat/completions'), name: 'redirects to itself' },
  ];
}

function redirect(status: number, location: string): ServerFault {
  return {
    name: `redirects (${status})`,
    answer: (response) => void response.writeHead(status, { location }).end(),
  };
}

function refused(
  status: number,
  words: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): ServerFault {
  return {
    name: `refuses (${[status, ...Object.values(headers)].join(', ')})`,
    answer: refusal(status, words, headers),
  };
}

const refusals: readonly ServerFault[] = [
  ...[400, 401, 402, 403, 404, 405, 408, 409, 410, 413, 418, 422, 429, 451].map((status) =>
    refused(status, { message: `Refused with ${status}.` }),
  ),
  refused(429, { message: 'Tomorrow.' }, { 'retry-after': '86400' }),
  refused(429, { message: 'Yesterday.' }, { 'retry-after': 'Mon, 01 Jan 2001 00:00:00 GMT' }),
  refused(429, { message: 'Some time.' }, { 'retry-after': 'soon' }),
  ...[500, 501, 502, 503, 504, 507, 524, 529].map((status) => refused(status, { message: `Failed with ${status}.` })),
  refused(503, { message: 'In a moment.' }, { 'retry-after': '1' }),
  { name: 'fails with status 200', answer: json(200, { error: { message: 'Something went wrong' } }) },
  {
    name: 'has no credit, with status 200',
    answer: json(200, { error: { code: 'insufficient_quota', message: 'x' } }),
  },
];

const hangs: readonly ServerFault[] = [
  { name: 'never answers', answer: () => undefined },
  { name: 'sends headers and no body', answer: (response) => response.writeHead(200).flushHeaders() },
  { name: 'stops in the middle of a stream', answer: stream({ finish: null, ending: 'stall' }) },
  {
    name: 'stops in the middle of JSON',
    answer: (response) => void opened(response, 'application/json').write(whole.slice(0, 40)),
  },
  { name: 'drips comments', answer: (response) => drip(opened(response, 'text/event-stream'), ': still thinking\n\n') },
  { name: 'drips spaces', answer: (response) => drip(opened(response, 'application/json'), ' ') },
];

const floods: readonly ServerFault[] = [
  {
    name: 'floods with JSON',
    answer: (response) => pour(opened(response, 'application/json'), '{"choices":[{"message":{"content":"', 'x'),
  },
  {
    name: 'floods with a stream',
    answer: (response) =>
      pour(
        opened(response, 'text/event-stream'),
        '',
        `data: ${JSON.stringify({ choices: [{ delta: { content: 'x'.repeat(500) } }] })}\n\n`,
      ),
  },
  { name: 'floods with a refusal', answer: (response) => pour(response.writeHead(500), '', 'x') },
  { name: 'floods with one event', answer: (response) => pour(opened(response, 'text/event-stream'), 'data: "', 'x') },
  { name: 'packs a flood', answer: (response) => void opened(response, 'application/json', 'gzip').end(bomb()) },
  {
    name: 'sends too many headers',
    answer: (response) =>
      void response
        .writeHead(200, Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`x-${at}`, 'y'.repeat(40)])))
        .end(whole),
  },
];

const junk: readonly ServerFault[] = [
  { name: 'speaks no HTTP', answer: (response) => void response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n') },
  { name: 'speaks no TLS', answer: json(200, {}), tls: true },
  { name: 'closes at once', answer: (response) => void response.destroy() },
  { name: 'closes in the middle', answer: stream({ finish: null, ending: 'reset' }) },
  { name: 'ends in the middle', answer: stream({ finish: null }) },
  {
    name: 'says that it sends more than it does',
    answer: (response) =>
      void response.writeHead(200, { 'content-type': 'application/json', 'content-length': '9999' }).end(whole),
  },
  { name: 'cuts JSON', answer: (response) => void opened(response, 'application/json').end(whole.slice(0, 40)) },
  { name: 'sends noise', answer: (response) => void opened(response, 'application/json').end(noise()) },
  { name: 'sends noise as a stream', answer: (response) => void opened(response, 'text/event-stream').end(noise()) },
  {
    name: 'cuts what it packed',
    answer: (response) => void opened(response, 'application/json', 'gzip').end(gzipSync(whole).subarray(0, 20)),
  },
  {
    name: 'says that it packed what it did not',
    answer: (response) => void opened(response, 'application/json', 'gzip').end(whole),
  },
  {
    name: 'packs in a way that nobody knows',
    answer: (response) => void opened(response, 'application/json', 'zstd-9').end(noise()),
  },
  {
    name: 'writes UTF-16',
    answer: (response) =>
      void opened(response, 'application/json; charset=utf-16').end(Buffer.from(`\uFEFF${whole}`, 'utf16le')),
  },
  { name: 'shows a page to sign in at', answer: (response) => void opened(response, 'text/html').end(page) },
  { name: 'shows a page as a stream', answer: (response) => void opened(response, 'text/event-stream').end(page) },
  { name: 'says nothing at all', answer: (response) => void response.writeHead(200).end() },
  { name: 'has no content (204)', answer: (response) => void response.writeHead(204).end() },
  { name: 'sends null', answer: json(200, null) },
  { name: 'sends no choices', answer: json(200, { choices: [] }) },
  { name: 'sends empty answers', answer: stream({ deltas: [{ content: '' }] }) },
  { name: 'sends pieces that are no JSON', answer: rawStream('data: {"choices": [', 'data: oops', 'data: [DONE]') },
];

function opened(response: ServerResponse, type: string, encoding?: string): ServerResponse {
  return response.writeHead(200, {
    'content-type': type,
    ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
  });
}

function drip(response: ServerResponse, text: string): void {
  const dripping = setInterval(() => response.write(text), 5);
  response.once('close', () => clearInterval(dripping));
}

function pour(response: ServerResponse, start: string, again: string): void {
  const text = again.repeat(Math.ceil(65_536 / again.length));
  const more = (): void => {
    while (!response.destroyed && response.write(text));
    if (!response.destroyed) response.once('drain', more);
  };
  response.write(start);
  more();
}

let packed: Buffer | undefined;

/** 32 MB of nothing in a fraction of one, and that again and again: what is packed may be put together of parts. */
function bomb(): Buffer {
  packed ??= gzipSync(Buffer.alloc(32 * 1024 * 1024, 32), { level: 1 });
  const part = packed;
  return Buffer.concat(Array.from({ length: 32 }, () => part));
}

function noise(): Buffer {
  return Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 7919 + (at >> 3)) % 256));
}
