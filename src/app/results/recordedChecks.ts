import * as z from 'zod';
import type { RunSummary } from '../../engine/journal/runSummary.js';
import type { TextStore } from '../../ports/stores.js';
import { journalFile } from '../../storage/runs/journal.js';
import { parseJson } from '../../parseJson.js';
import { readJournal } from '../../storage/runs/readJournal.js';
import { eventsIn } from '../runs/begunRun.js';
import type { OpenSkill } from '../openSkill.js';

/** How one check came out in a run, in the order of the task's checks. */
export interface RecordedCheck {
  readonly check: string;
  readonly pass: boolean;
  /** What was said of it, where that is kept and was not cleared away. */
  readonly reason: string | undefined;
}

const mostRuns = 5; // an answer that is shown comes from the last runs

/** What a run wrote down about an answer: the only place that knows how a judge or a program decided. */
export async function recordedChecks(
  { store }: OpenSkill,
  runs: readonly RunSummary[],
  { taskId, answerHash, texts }: { readonly taskId: string; readonly answerHash: string; readonly texts: TextStore },
): Promise<readonly RecordedCheck[]> {
  for (const { runId } of runs.slice(0, mostRuns)) {
    const reading = await readJournal(store.key, runId, journalFile(store, runId));
    const events = reading.kind === 'verified' ? eventsIn(reading.lines) : [];
    for (const { event } of events) {
      if (event.kind !== 'attempt' || event.taskId !== taskId || event.answerHash !== answerHash) continue;
      const reasons = await keptReasons(texts, event.reasonsHash);
      return event.checks.map((check, at) => ({ ...check, reason: reasons[at] }));
    }
  }
  return [];
}

async function keptReasons(texts: TextStore, hash: string | undefined): Promise<readonly string[]> {
  const text = hash === undefined ? undefined : await texts.get(hash);
  const read = Reasons.safeParse(text === undefined ? [] : parseJson(text));
  return read.success ? read.data : [];
}

const Reasons = z.array(z.string());
