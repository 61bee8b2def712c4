import type { RunContext } from './runContext.js';

/** How many attempts a run made, how many had no valid result, and why the last of those had none. */
export interface AttemptCount {
  readonly attempts: number;
  readonly invalid: number;
  readonly last: string | undefined;
}

/** Listens to what the stages report, for the sentence that says why nothing came of them. */
export function watchRun(context: RunContext): {
  readonly context: RunContext;
  readonly lost: readonly string[];
  readonly attempts: () => AttemptCount;
} {
  const lost: string[] = [];
  let attempts = 0;
  let invalid = 0;
  let last: string | undefined;
  return {
    lost,
    attempts: () => ({ attempts, invalid, last }),
    context: {
      ...context,
      record: (event) => {
        if (event.kind === 'patches') lost.push(...event.lost);
        if (event.kind === 'attempt') {
          attempts++;
          if (event.outcome.kind === 'invalid') {
            invalid++;
            last = event.outcome.reason;
          }
        }
        context.record(event);
      },
    },
  };
}
