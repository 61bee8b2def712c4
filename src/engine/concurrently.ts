import { isWaiting, ModelError } from '../errors.js';

/** Begins one more piece of work for an idle place, and resolves once it is over; undefined where there is none. */
export type Spare = () => Promise<void> | undefined;

/**
 * Runs `work` on every item, at most `limit` at a time, and gives the results in the order of the items. The first
 * error stops further starts; it is thrown once what had started has ended. One that only says that an answer is awaited
 * stops nothing: all items are asked for in one round, and it is thrown unless something worse happens. Places that the items leave idle are given to
 * `spare`; what it began is not waited for.
 */
export async function concurrently<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T, index: number) => Promise<R>,
  spare: Spare = () => undefined,
): Promise<readonly R[]> {
  const queue = items.entries();
  const results: (readonly [number, R])[] = [];
  let failure: Failure | undefined;
  let open = items.length;
  const fill = async (): Promise<void> => {
    const begun = open > 0 && !isOver(failure) ? spare() : undefined;
    if (begun === undefined) return;
    await begun;
    await fill();
  };
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) {
      if (isOver(failure)) return;
      try {
        results.push([index, await work(item, index)]);
        open -= 1;
      } catch (error) {
        failure = worse(failure, { error });
      }
    }
    void fill();
  };
  const workers = Array.from({ length: Math.min(limit, items.length) }, worker);
  for (let idle = workers.length; idle < limit && items.length > 0; idle += 1) void fill();
  await Promise.all(workers);
  if (failure !== undefined) throw failure.error;
  return results.sort(([a], [b]) => a - b).map(([, result]) => result);
}

interface Failure {
  readonly error: unknown;
}

function isOver(failure: Failure | undefined): boolean {
  return failure !== undefined && !isWaiting(failure.error);
}

/** The first one, unless it only waits; a cap that is met after that is met again once the answers are there. */
function worse(before: Failure | undefined, now: Failure): Failure {
  if (before === undefined) return now;
  const isCap = now.error instanceof ModelError && now.error.kind === 'cap';
  return isWaiting(before.error) && !isCap ? now : before;
}
