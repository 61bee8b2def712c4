import type { ToolCall } from '../../ports/languageModel.js';
import type { WireAnswer, WirePart, WireToolCall } from './wire.js';

/** An answer as far as it has come. */
export interface GatheredAnswer {
  readonly text: string;
  readonly refusal: string;
  readonly toolCalls: readonly ToolCall[];
  /** As the server said it; undefined until it has: a stream that ends without it broke off. */
  readonly finish: string | undefined;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | undefined;
}

export const nothingYet: GatheredAnswer = { text: '', refusal: '', toolCalls: [], finish: undefined, usage: undefined };

/** The answer with one more piece of it. */
export function gather(before: GatheredAnswer, piece: WireAnswer): GatheredAnswer {
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
