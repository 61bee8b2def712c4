import * as z from 'zod';
import { APIError } from 'openai';
import type { ToolCall, ModelReply, ModelRequest } from '../../ports/languageModel.js';
import { FailedCall } from '../wrappers/failedCall.js';
import { guessInputTokens, guessTokens } from '../tokens.js';
import { withoutThinking } from '../inWords.js';
import { filterCure } from './errorWords.js';

/** What we read of an answer. Servers add, leave out and null as they like; only what we use is held to a shape. */

const Usage = z.looseObject({ prompt_tokens: z.number().nullish(), completion_tokens: z.number().nullish() });

const ToolCallPart = z.looseObject({
  index: z.number().nullish(),
  id: z.string().nullish(),
  function: z
    .looseObject({ name: z.string().nullish(), arguments: z.union([z.string(), z.looseObject({})]).nullish() })
    .nullish(),
});

const Part = z.looseObject({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(ToolCallPart).nullish(),
});

const Choice = z.looseObject({ delta: Part.nullish(), message: Part.nullish(), finish_reason: z.string().nullish() });

/** A chunk of a stream, or a whole completion: they differ in `delta` and `message` only. */
const WireAnswer = z.looseObject({ choices: z.array(Choice).nullish(), usage: Usage.nullish() });

type WireAnswer = z.infer<typeof WireAnswer>;
type WirePart = z.infer<typeof Part>;
type WireToolCall = z.infer<typeof ToolCallPart>;

/** Reads a stream or, from servers that do not stream, a whole completion; throws on anything else. */
export async function readAnswer(response: Response, onBytes: () => void): Promise<GatheredAnswer> {
  if (!isStream(response)) return gather(nothingYet, WireAnswer.parse(JSON.parse(await response.text())));
  let answer = nothingYet;
  for await (const data of serverSentData(response.body ?? [], onBytes)) {
    if (data.startsWith('[DONE]')) break;
    answer = gather(answer, pieceOf(data, response));
  }
  return answer;
}

/** A server that fails in the middle says so in a piece of its own. */
function pieceOf(data: string, { headers }: Response): WireAnswer {
  const piece: unknown = JSON.parse(data);
  if (piece instanceof Object && 'error' in piece && piece.error instanceof Object) {
    throw new APIError(undefined, piece.error, undefined, headers);
  }
  return WireAnswer.parse(piece);
}

function isStream(response: Response): boolean {
  return response.headers.get('content-type')?.includes('event-stream') ?? true;
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

/** An answer as far as it has come. */
interface GatheredAnswer {
  readonly text: string;
  readonly refusal: string;
  readonly toolCalls: readonly ToolCall[];
  /** As the server said it; undefined until it has: a stream that ends without it broke off. */
  readonly finish: string | undefined;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | undefined;
}

const nothingYet: GatheredAnswer = { text: '', refusal: '', toolCalls: [], finish: undefined, usage: undefined };

/** The answer with one more piece of it. */
function gather(before: GatheredAnswer, piece: WireAnswer): GatheredAnswer {
  const choice = piece.choices?.[0];
  const { content, refusal, tool_calls: calls } = partOf(choice);
  return {
    text: before.text + (content ?? ''),
    refusal: before.refusal + (refusal ?? ''),
    toolCalls: (calls ?? []).reduce(gatherToolCall, before.toolCalls),
    finish: choice?.finish_reason ?? before.finish,
    usage: usageOf(piece) ?? before.usage,
  };
}

function partOf(choice: NonNullable<WireAnswer['choices']>[number] | undefined): WirePart {
  return choice?.delta ?? choice?.message ?? {};
}

function usageOf({ usage }: WireAnswer): GatheredAnswer['usage'] {
  if (typeof usage?.prompt_tokens !== 'number') return undefined;
  return { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens ?? 0 };
}

/** Pieces name their call by index; servers that send whole calls may leave index and id out. */
function gatherToolCall(calls: readonly ToolCall[], piece: WireToolCall): readonly ToolCall[] {
  const at = piece.index ?? (isNewCall(calls, piece) ? calls.length : calls.length - 1);
  const before = calls[at] ?? { id: '', name: '', arguments: '' };
  const call = {
    id: before.id || piece.id || `call_${at}`,
    name: before.name + (piece.function?.name ?? ''),
    arguments: before.arguments + writtenArguments(piece),
  };
  return [...calls.slice(0, at), call, ...calls.slice(at + 1)];
}

/** Some servers send the arguments parsed. */
function writtenArguments(piece: WireToolCall): string {
  const written = piece.function?.arguments ?? '';
  return typeof written === 'string' ? written : JSON.stringify(written);
}

function isNewCall(calls: readonly ToolCall[], piece: WireToolCall): boolean {
  return (
    calls.length === 0 ||
    (typeof piece.id === 'string' && piece.id !== calls.at(-1)?.id) ||
    Boolean(piece.function?.name)
  );
}

/** A complete answer as a reply; throws where it is none: broken off, empty, or withheld. */
export function toReply(answer: GatheredAnswer, request: ModelRequest): ModelReply {
  const { finish, toolCalls } = answer;
  if (finish === undefined) {
    throw new FailedCall('unavailable', 'The answer broke off before its end.', { charged: true });
  }
  if (finish === 'content_filter') {
    throw new FailedCall('content-filter', 'The server withheld the answer.', { cure: filterCure, charged: true });
  }
  if (finish === 'error') {
    throw new FailedCall('unavailable', 'The server failed in the middle of the answer.', { charged: true });
  }
  const text = withoutThinking(answer.text) || answer.refusal;
  const cut = finish === 'length' || finish === 'max_tokens';
  if (text.trim() === '' && toolCalls.length === 0) throw emptyAnswer(request, cut);
  return {
    text,
    finish: cut ? 'length' : toolCalls.length > 0 ? 'tool-calls' : 'stop',
    toolCalls,
    usage: replyUsage(answer, request),
    cached: false,
  };
}

/** Cut before its first word is an answer cut at its limit, which asking again does not mend. */
function emptyAnswer(request: ModelRequest, cut: boolean): FailedCall {
  if (!cut) return new FailedCall('malformed', 'The answer was empty.', { charged: true });
  return new FailedCall(
    'context-length',
    `The model spent all ${request.maxOutputTokens} tokens of its answer on thinking.`,
    { cure: 'Allow longer answers, or let the model think less.', charged: true },
  );
}

function replyUsage(answer: GatheredAnswer, request: ModelRequest): ModelReply['usage'] {
  if (answer.usage !== undefined) return { ...answer.usage, exact: true };
  const written = answer.text + answer.refusal + answer.toolCalls.map((call) => call.name + call.arguments).join('');
  return { inputTokens: guessInputTokens(request), outputTokens: guessTokens(written), exact: false };
}
