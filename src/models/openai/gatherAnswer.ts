import * as z from 'zod';
import type { ToolCall, ModelReply, ModelRequest, ModelUsage } from '../../ports/languageModel.js';
import { FailedCall } from '../wrappers/failedCall.js';
import { withoutThinking } from '../inWords.js';
import { filterCure } from './errorWords.js';
import { bookedUsage, type SaidUsage } from '../bookedUsage.js';
import { mostSaid, nothingSaid, readUsage } from './usage.js';

/** What we read of an answer. Servers add, leave out and null as they like; only what we use is held to a shape. */

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
  /** Thinking, under the two names that servers have for it: never shown, and paid for. */
  reasoning_content: z.string().nullish().catch(undefined),
  reasoning: z.string().nullish().catch(undefined),
  tool_calls: z.array(ToolCallPart).nullish(),
});

const Choice = z.looseObject({ delta: Part.nullish(), message: Part.nullish(), finish_reason: z.string().nullish() });

/** A chunk of a stream, or a whole completion: they differ in `delta` and `message` only. */
export const WireAnswer = z.looseObject({ choices: z.array(Choice).nullish(), usage: z.unknown().optional() });

export type WireAnswer = z.infer<typeof WireAnswer>;
type WirePart = z.infer<typeof Part>;
type WireToolCall = z.infer<typeof ToolCallPart>;

/** An answer as far as it has come. */
export interface GatheredAnswer {
  readonly text: string;
  readonly thinking: string;
  readonly refusal: string;
  readonly toolCalls: readonly ToolCall[];
  /** As the server said it; undefined until it has: a stream that ends without it broke off. */
  readonly finish: string | undefined;
  readonly usage: SaidUsage;
}

export const nothingYet: GatheredAnswer = {
  text: '',
  thinking: '',
  refusal: '',
  toolCalls: [],
  finish: undefined,
  usage: nothingSaid,
};

/** More tools than anybody asks for in one answer. */
export const mostToolCalls = 1000;

/** The answer with one more piece of it. */
export function gather(before: GatheredAnswer, piece: WireAnswer): GatheredAnswer {
  const choice = piece.choices?.[0];
  const { content, refusal, tool_calls: calls, reasoning_content: thought, reasoning } = partOf(choice);
  return {
    text: before.text + (content ?? ''),
    thinking: before.thinking + (thought ?? reasoning ?? ''),
    refusal: before.refusal + (refusal ?? ''),
    toolCalls: (calls ?? []).slice(0, mostToolCalls + 1).reduce(gatherToolCall, before.toolCalls),
    finish: choice?.finish_reason ?? before.finish,
    usage: mostSaid(before.usage, readUsage(piece.usage)),
  };
}

function partOf(choice: NonNullable<WireAnswer['choices']>[number] | undefined): WirePart {
  return choice?.delta ?? choice?.message ?? {};
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

/**
 * A complete answer as a reply; throws where it is none: broken off, withheld, or empty. One that was cut before its first
 * word is a reply without text: thinking used up its room.
 */
export function toReply(answer: GatheredAnswer, request: ModelRequest): ModelReply {
  return replyWith(answer, bookedUsage(answer.usage, { request, received: receivedIn(answer) }));
}

/** The same, booked already. */
export function replyWith(answer: GatheredAnswer, usage: ModelUsage): ModelReply {
  const { finish, toolCalls } = answer;
  refuseUnfinished(finish, usage);
  const text = withoutThinking(answer.text) || answer.refusal;
  const cut = finish === 'length' || finish === 'max_tokens';
  const isEmpty = text.trim() === '' && toolCalls.length === 0;
  if (isEmpty && !cut) throw new FailedCall('malformed', 'The answer was empty.', { charged: true, usage });
  return {
    text: isEmpty ? '' : text,
    finish: cut ? 'length' : toolCalls.length > 0 ? 'tool-calls' : 'stop',
    toolCalls,
    usage,
    cached: false,
  };
}

/** What ended before its end, or came to one that is no answer's. */
function refuseUnfinished(finish: string | undefined, usage: ModelUsage): void {
  if (finish === undefined) {
    throw new FailedCall('unavailable', 'The answer broke off before its end.', { charged: true });
  }
  if (finish === 'content_filter') {
    const options = { cure: filterCure, charged: true, usage };
    throw new FailedCall('content-filter', 'The server withheld the answer.', options);
  }
  if (finish === 'error') {
    throw new FailedCall('unavailable', 'The server failed in the middle of the answer.', { charged: true });
  }
}

/** Whether anything was written, or the answer has ended without a word. */
export function saysSomething(answer: GatheredAnswer): boolean {
  return answer.finish !== undefined || receivedIn(answer) !== '';
}

/** All that was written, whether or not anybody gets to see it. */
export function receivedIn({ text, thinking, refusal, toolCalls }: GatheredAnswer): string {
  return text + thinking + refusal + toolCalls.map((call) => call.name + call.arguments).join('');
}
