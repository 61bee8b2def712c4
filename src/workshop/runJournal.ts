import { foldEvent } from '../engine/foldEvent.js';
import type { RunEvent } from '../engine/runEvents.js';
import { emptySummary, RunSummarySchema, type RunSummary } from '../engine/runSummary.js';
import type { TimedEvent } from '../engine/stepLog.js';
import { openJournal, type JournalWriter } from '../storage/journal.js';
import type { HeldLock } from '../storage/lock.js';
import { newRunId } from '../storage/runFolder.js';
import type { SkillStore } from '../storage/store.js';
import { writeSummary } from '../storage/summaries.js';
import { foldLines } from './begunRun.js';
import type { RunObserver } from './workshop.js';

/** What a run wrote down since it began, or since it was last resumed, and the fold of all of it. */
export interface RunLog {
  readonly runId: string;
  readonly events: readonly TimedEvent[];
  readonly summary: RunSummary;
}

/** A run being written down: journal first, then the fold, then whoever watches. */
export interface RunJournal {
  readonly runId: string;
  readonly record: (event: RunEvent) => void;
  readonly summary: () => RunSummary;
  /** Aborted once the journal cannot be written any more: a run that leaves no trace must not go on. */
  readonly broken: AbortSignal;
  /** Resolves when everything recorded so far would survive a crash. */
  flush(): Promise<void>;
  /** Writes the last event, lets `leave` write what the run leaves beside it, then the stored fold, and closes. */
  end(event: Extract<RunEvent, { kind: 'run-ended' }>, leave?: (log: RunLog) => Promise<void>): Promise<RunSummary>;
}

/** Starts the journal of a new run. The caller holds the skill's run lock, which makes it the only writer. */
export async function startRunJournal(store: SkillStore, lock: HeldLock, observe: RunObserver): Promise<RunJournal> {
  const runId = newRunId(store.clock.now());
  const { writer } = await openJournal(store, runId, lock);
  return keepJournal(store, { runId, writer, observe, summary: emptySummary(runId, store.clock.now()) });
}

/** Goes on with the journal of a run that was cut off, under the same lock. */
export async function resumeRunJournal(
  store: SkillStore,
  lock: HeldLock,
  { runId, observe }: { readonly runId: string; readonly observe: RunObserver },
): Promise<RunJournal> {
  const { writer, events } = await openJournal(store, runId, lock);
  const journal = keepJournal(store, { runId, writer, observe, summary: foldLines(runId, events) });
  journal.record({ kind: 'run-resumed' });
  return journal;
}

function keepJournal(
  store: SkillStore,
  begun: {
    readonly runId: string;
    readonly writer: JournalWriter;
    readonly observe: RunObserver;
    readonly summary: RunSummary;
  },
): RunJournal {
  const { runId, writer, observe } = begun;
  const broken = new AbortController();
  const events: TimedEvent[] = [];
  let { summary } = begun;
  const flush = (): Promise<void> =>
    writer.flush().catch((error: unknown) => {
      broken.abort(error);
      throw error;
    });
  const record = (event: RunEvent): void => {
    writer.append(event);
    const at = store.clock.now();
    events.push({ at, event });
    summary = foldEvent(summary, event, at);
    if (!isFrequent(event)) flush().catch(() => undefined); // whoever works under `broken` is told
    observe(event, summary);
  };
  return {
    runId,
    record,
    summary: () => summary,
    broken: broken.signal,
    flush,
    async end(event, leave) {
      record(event);
      await writer.close();
      await leave?.({ runId, events, summary });
      await writeSummary(store, RunSummarySchema, runId, summary);
      return summary;
    },
  };
}

/** Attempts and calls come by the hundred; they reach the disk with the next event that is neither. */
function isFrequent({ kind }: RunEvent): boolean {
  return kind === 'attempt' || kind === 'call';
}
