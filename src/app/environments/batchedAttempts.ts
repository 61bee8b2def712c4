import type { BatchedAttempts } from '../../engine/runContext.js';
import type { AttemptRequest, AttemptResult, Environment } from '../../ports/environment.js';

/**
 * Attempts of environments that make a whole batch in one go: a batch begins when the first of its attempts is asked for,
 * and each gets its own result. Undefined where no environment does that.
 */
export function batchedIn(known: ReadonlyMap<string, Environment>): BatchedAttempts | undefined {
  if (![...known.values()].some(({ attemptBatch }) => attemptBatch !== undefined)) return undefined;
  return {
    holds: (task) => known.get(task.environment)?.attemptBatch !== undefined,
    open: (requests) => {
      const batches = new Map<string, Promise<readonly AttemptResult[]>>();
      return async (request, signal) => {
        const environment = known.get(request.task.environment);
        if (environment === undefined) return notKnown(request);
        const own = requests.filter(({ task }) => task.environment === environment.name);
        const at = own.findIndex((each) => isSame(each, request));
        if (environment.attemptBatch === undefined || at < 0) return environment.attempt(request, signal);
        const begun = batches.get(environment.name) ?? environment.attemptBatch(own, signal);
        batches.set(environment.name, begun);
        return (await begun)[at] ?? { kind: 'invalid', reason: 'The environment gave no result for this attempt.' };
      };
    },
  };
}

function isSame(a: AttemptRequest, b: AttemptRequest): boolean {
  return a.task === b.task && a.attempt === b.attempt && a.family === b.family;
}

function notKnown({ task }: AttemptRequest): AttemptResult {
  return { kind: 'invalid', reason: `The environment “${task.environment}” is not known here.` };
}
