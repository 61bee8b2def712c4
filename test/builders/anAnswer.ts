import type { AttemptResult } from '../../src/ports/environment.js';

type Answered = Extract<AttemptResult, { kind: 'answered' }>;

/** An attempt that gave this answer. */
export function anAnswer(answer: string, rest: Partial<Answered> = {}): Answered {
  return {
    kind: 'answered',
    answer,
    toolsCalled: [],
    transcript: [],
    usage: { inputTokens: 0, outputTokens: 0, exact: true },
    cached: false,
    failure: undefined,
    scores: undefined,
    extras: {},
    ...rest,
  };
}
