import type { CountedInput } from '../ports/batches.js';
import type { ModelRequest, ModelUsage } from '../ports/languageModel.js';
import { guessInputTokens, guessTokens, leastInputTokens, leastTokens } from './tokens.js';

/** What whoever answers says that a call used; undefined where nothing is said that could be a count. */
export interface SaidUsage {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly total: number | undefined;
  /** In USD, as resellers name it. */
  readonly usd: number | undefined;
}

/** What is known here of a call: what was asked, what came, and about how many tokens were added to the prompt on the way. */
export interface CountedCall {
  readonly request: ModelRequest;
  readonly received: string;
  readonly added?: number;
}

/**
 * What a call is booked at, whether a server tells it or a program. The figures are believed where they are possible; the
 * total counts where it is more than its parts, for some leave thinking out of them. Where less is said than any tokenizer
 * could make of the text, our own count stands in, and the sum is an estimate from there on: a cap must hold against it
 * too.
 */
export function bookedUsage(said: SaidUsage, { request, received, added = 0 }: CountedCall): ModelUsage {
  const input = believed(said.input, leastInputTokens(request), () => guessInputTokens(request) + added);
  return withOutput(said, input, received);
}

/** The same where only the length of the question is known any more. */
export function bookedAfterwards(said: SaidUsage, { least, guess }: CountedInput, received: string): ModelUsage {
  return withOutput(
    said,
    believed(said.input, least, () => guess),
    received,
  );
}

function withOutput(said: SaidUsage, input: BelievedCount, received: string): ModelUsage {
  const written = believed(said.output, leastTokens(received), () => guessTokens(received));
  const rest = (said.total ?? 0) - input.tokens;
  return {
    inputTokens: input.tokens,
    outputTokens: Math.max(written.tokens, rest),
    exact: input.exact && written.exact && rest <= written.tokens,
    ...(said.usd === undefined ? {} : { usd: said.usd }),
  };
}

interface BelievedCount {
  readonly tokens: number;
  readonly exact: boolean;
}

function believed(said: number | undefined, least: number, guess: () => number): BelievedCount {
  if (said !== undefined && said >= least) return { tokens: said, exact: true };
  return { tokens: Math.max(said ?? 0, least, guess()), exact: false };
}
