import type { AttemptCount } from '../noProposal.js';
import type { RunContext } from '../runContext.js';

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
