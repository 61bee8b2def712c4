import { endsInRepetition, repetitionStep } from '../../endlessText.js';
import type { ModelRequest } from '../../ports/languageModel.js';
import { FailedCall } from '../wrappers/failedCall.js';
import { bounded } from './boundedBody.js';
import type { Endpoint } from './endpoint.js';
import { webPageInstead } from './errorWords.js';
import { gather, type GatheredAnswer, mostToolCalls, nothingYet, saysSomething, WireAnswer } from './gatherAnswer.js';
import { ErrorInAnswer } from './serverError.js';
import type { SaidUsage } from '../bookedUsage.js';
import { readUsage } from './usage.js';

interface AnswerParts {
  readonly request: ModelRequest;
  readonly endpoint: Endpoint;
  /** Told of every usage that the server says: also before, or with, an error. */
  readonly onUsage: (said: SaidUsage) => void;
}

/** Told while an answer comes. */
export interface AnswerSigns {
  /** Bytes, whatever they say. */
  readonly bytes: () => void;
  /** The answer itself has begun: not a comment, not a piece with nothing in it but who speaks. */
  readonly begun: () => void;
}

/**
 * Reads a stream or, from servers that do not stream, a whole completion; throws on anything else. What it is shows in
 * its first sign, whatever its headers say. No more is read than an answer to the request could be; a stream that says the
 * same over and over is read no further, and counts as cut at its limit.
 */
export async function readAnswer(
  response: Response,
  { request, endpoint, onUsage }: AnswerParts,
  signs: AnswerSigns,
): Promise<GatheredAnswer> {
  const pieceOf = (data: string, instead: ErrorInAnswer['instead']): WireAnswer => {
    const piece = parsed(data);
    const [only = piece] = Array.isArray(piece) ? piece : [];
    if (only instanceof Object && 'usage' in only) onUsage(readUsage(only.usage));
    return answerOf(piece, response, instead);
  };
  const { first, body } = await peeked(
    bounded(response.body ?? [], longestBody(request), () => tooLong(request)),
    signs.bytes,
  );
  if (first === '<') throw webPageInstead(endpoint);
  if (!isStream(response, first)) {
    signs.begun();
    return held(gather(nothingYet, pieceOf(await textOf(body, signs.bytes), 'of-answer')), request);
  }
  const repeats = repetitionWatch();
  let answer = nothingYet;
  let hasBegun = false;
  for await (const data of serverSentData(body, signs.bytes)) {
    if (data.startsWith('[DONE]')) break;
    const part = answer === nothingYet ? 'of-answer' : 'of-its-rest';
    answer = held(gather(answer, pieceOf(data, part)), request);
    hasBegun ||= tellBegun(answer, signs);
    // To read no further ends the request: a server on a small machine would write on for minutes.
    if (answer.finish === undefined && repeats(answer)) return { ...answer, finish: 'length' };
  }
  return answer;
}

function tellBegun(answer: GatheredAnswer, { begun }: AnswerSigns): boolean {
  const hasBegun = saysSomething(answer);
  if (hasBegun) begun();
  return hasBegun;
}

/** Tells, now and then, whether what has come of an answer says the same over and over. */
function repetitionWatch(): (answer: GatheredAnswer) => boolean {
  let next = repetitionStep;
  return ({ text, thinking }) => {
    if (text.length + thinking.length < next) return false;
    next = text.length + thinking.length + repetitionStep;
    return endsInRepetition(text === '' ? thinking : text);
  };
}

/** Where each token comes as a piece of its own, with everything that servers write around it. */
function longestBody({ maxOutputTokens }: ModelRequest): number {
  return 4 * mebibyte + 1024 * maxOutputTokens;
}

/** No token in use stands for more than 128 signs; some room for servers that do not count thinking. */
function longestText({ maxOutputTokens }: ModelRequest): number {
  return mebibyte / 4 + 128 * maxOutputTokens;
}

const mebibyte = 1024 * 1024;

function held(answer: GatheredAnswer, request: ModelRequest): GatheredAnswer {
  const { text, thinking, refusal, toolCalls } = answer;
  const calls = toolCalls.reduce((sum, call) => sum + call.name.length + call.arguments.length, 0);
  const length = text.length + thinking.length + refusal.length + calls;
  if (length > longestText(request) || toolCalls.length > mostToolCalls) throw tooLong(request);
  return answer;
}

function tooLong({ maxOutputTokens }: ModelRequest): FailedCall {
  const what = `The answer is longer than ${maxOutputTokens} tokens can be, and was not read to its end.`;
  const cure = 'See what answers at this address: it does not keep to the limit that it is given.';
  return new FailedCall('malformed', what, { cure, charged: true, lasting: true });
}

/** A server that fails with status 200 says so in place of the answer, or in a piece of its own. */
function answerOf(piece: unknown, { headers }: Response, instead: ErrorInAnswer['instead']): WireAnswer {
  const error = errorIn(Array.isArray(piece) ? piece[0] : piece);
  if (error !== undefined) throw new ErrorInAnswer(error, headers, instead);
  return WireAnswer.parse(piece);
}

/** `{"error": …}`, and the forms of servers that write none: `{"object": "error"}`, `{"detail": …}`. */
function errorIn(piece: unknown): object | undefined {
  if (!(piece instanceof Object)) return undefined;
  const { error, message, detail, object, choices } = fieldsOf(piece);
  if (error instanceof Object) return error;
  if (typeof error === 'string' && error !== '') return { message: error };
  if (choices !== undefined) return undefined;
  if (object === 'error' || typeof message === 'string') return piece;
  return typeof detail === 'string' ? { message: detail } : undefined;
}

function fieldsOf(piece: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(piece));
}

/** Servers written in Python say NaN and Infinity, which are no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const mended = text.replaceAll(/"[^"\\]*(?:\\[^]?[^"\\]*)*(?:"|$)|-?\b(?:NaN|Infinity)\b/g, (found) =>
      found.startsWith('"') ? found : 'null',
    );
    if (mended === text) throw error;
    return JSON.parse(mended);
  }
}

type Bytes = AsyncGenerator<Uint8Array, void, undefined>;

/** The first sign that is no space, and the body from its start. */
async function peeked(body: Bytes, onBytes: () => void): Promise<{ readonly first: string; readonly body: Bytes }> {
  const seen: Uint8Array[] = [];
  let first = '';
  while (first === '') {
    const next = await body.next();
    if (next.done === true) break;
    onBytes();
    seen.push(next.value);
    first = new TextDecoder().decode(next.value).trimStart().charAt(0);
  }
  return { first, body: chained(seen, body) };
}

async function* chained(seen: readonly Uint8Array[], rest: Bytes): Bytes {
  yield* seen;
  yield* rest;
}

/** No line of a stream starts as JSON does, and no JSON as a line of a stream. */
function isStream(response: Response, first: string): boolean {
  if (/[[{"]/.test(first)) return false;
  if (/[:deir]/.test(first)) return true;
  return response.headers.get('content-type')?.includes('event-stream') ?? true;
}

async function textOf(body: Bytes, onBytes: () => void): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const bytes of body) {
    onBytes();
    pieces.push(bytes);
  }
  return new TextDecoder().decode(Buffer.concat(pieces));
}

/**
 * The data of a stream of server-sent events, one string an event, until the stream ends. Calls `onBytes` for everything
 * that arrives, comments included: servers send them as a sign of life while a model thinks. An abort throws here; the
 * SDK's own reader ends silently instead.
 */
export async function* serverSentData(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  // Pieces of an event that has not ended yet: put together once it has, for an event may come in very many.
  let pieces: string[] = [];
  let tail = '';
  for await (const bytes of body) {
    onBytes();
    const piece = decoder.decode(bytes, { stream: true });
    pieces.push(piece);
    const hasEnd = endOfEvent.test(tail + piece);
    tail = (tail + piece).slice(-longestEnd);
    if (!hasEnd) continue;
    const events = pieces.join('').split(endOfEvent);
    pieces = [events.pop() ?? ''];
    yield* events.flatMap(dataOf);
  }
  yield* dataOf(pieces.join('') + decoder.decode());
}

const endOfEvent = /\r?\n\r?\n/;
const longestEnd = 3; // characters of an end that may lie in the piece before

/** None for a comment or a bare event name; several lines of data are one. */
function dataOf(event: string): readonly string[] {
  const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'));
  return lines.length === 0 ? [] : [lines.map((line) => line.slice('data:'.length).replace(/^ /, '')).join('\n')];
}
