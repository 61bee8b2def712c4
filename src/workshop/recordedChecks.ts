import type { RunSummary } from '../engine/runSummary.js';
import { journalFile } from '../storage/journal.js';
import { readJournal } from '../storage/readJournal.js';
import { eventsIn } from './begunRun.js';
import type { OpenSkill } from './openSkill.js';

/** How one check came out in a run, in the order of the task's checks. */
export interface RecordedCheck {
  readonly check: string;
  readonly pass: boolean;
}

const mostRuns = 5; // an answer that is shown comes from the last runs

/** What a run wrote down about an answer: the only place that knows how a judge or a program decided. */
export async function recordedChecks(
  { store }: OpenSkill,
  runs: readonly RunSummary[],
  { taskId, answerHash }: { readonly taskId: string; readonly answerHash: string },
): Promise<readonly RecordedCheck[]> {
  for (const { runId } of runs.slice(0, mostRuns)) {
    const reading = await readJournal(store.key, runId, journalFile(store, runId));
    const events = reading.kind === 'verified' ? eventsIn(reading.lines) : [];
    for (const { event } of events) {
      if (event.kind === 'attempt' && event.taskId === taskId && event.answerHash === answerHash) return event.checks;
    }
  }
  return [];
}
