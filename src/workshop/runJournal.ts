import { emptySummary, foldEvent, RunSummarySchema, type RunSummary } from '../engine/runSummary.js';
import type { RunEvent } from '../engine/runEvents.js';
import { openJournal } from '../storage/journal.js';
import type { HeldLock } from '../storage/lock.js';
import { newRunId } from '../storage/runFolder.js';
import type { SkillStore } from '../storage/store.js';
import { writeSummary } from '../storage/summaries.js';
import type { RunObserver } from './workshop.js';

/** A run being written down: journal first, then the fold, then whoever watches. */
export interface RunJournal {
  readonly runId: string;
  readonly record: (event: RunEvent) => void;
  readonly summary: () => RunSummary;
  /** Writes the last event and the stored fold, and closes. */
  end(event: Extract<RunEvent, { kind: 'run-ended' }>): Promise<RunSummary>;
}

/** Starts the journal of a new run. The caller holds the skill's run lock, which makes it the only writer. */
export async function startRunJournal(store: SkillStore, lock: HeldLock, observe: RunObserver): Promise<RunJournal> {
  const runId = newRunId(store.clock.now());
  const { writer } = await openJournal(store, runId, lock);
  let summary = emptySummary(runId, store.clock.now());
  const record = (event: RunEvent): void => {
    writer.append(event);
    summary = foldEvent(summary, event, store.clock.now());
    observe(event, summary);
  };
  return {
    runId,
    record,
    summary: () => summary,
    async end(event) {
      record(event);
      await writer.close();
      await writeSummary(store, RunSummarySchema, runId, summary);
      return summary;
    },
  };
}
