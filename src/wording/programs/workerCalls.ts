import { english } from '../translate.js';

/** What a worker of a queue did for a run. */
export interface WorkerCalls {
  readonly name: string;
  readonly answered: number;
  readonly failed: number;
  /** Why the last of those failed; missing where none did. */
  readonly lastFailure?: string | undefined;
}

const longestReason = 400;

/** What all of them did after one more call, which `failure` says nothing of where it was answered. */
export function withWorkerCall(
  before: readonly WorkerCalls[],
  worker: string,
  failure: string | undefined,
): readonly WorkerCalls[] {
  const known = before.find(({ name }) => name === worker) ?? { name: worker, answered: 0, failed: 0 };
  const after =
    failure === undefined
      ? { ...known, answered: known.answered + 1 }
      : { ...known, failed: known.failed + 1, lastFailure: failure.slice(0, longestReason) };
  const others = before.filter(({ name }) => name !== worker);
  return [...others, after].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Which machines made the calls of a run that used a queue, and what failed where and why; stored, so in English. */
export function workerNotes({
  workers = [],
}: {
  readonly workers?: readonly WorkerCalls[] | undefined;
}): readonly string[] {
  return workers.map((worker) => [answeredSentence(worker), ...failedSentences(worker)].join(' '));
}

function answeredSentence({ name, answered }: WorkerCalls): string {
  return answered === 1
    ? english('The worker {0} answered 1 call of this run.', name)
    : english('The worker {0} answered {1} calls of this run.', name, answered);
}

function failedSentences({ failed, lastFailure = '' }: WorkerCalls): readonly string[] {
  const why = lastFailure.replace(/[.\s]*$/u, '');
  if (failed === 0) return [];
  return [
    failed === 1
      ? english('One call failed there: {0}.', why)
      : english('{0} calls failed there, the last one: {1}.', failed, why),
  ];
}
