import * as z from 'zod';
import { foldEvent } from '../../engine/journal/foldEvent.js';
import type { RunEvent } from '../../engine/journal/runEvents.js';
import { emptySummary, RunSummarySchema, type RunSummary } from '../../engine/journal/runSummary.js';
import type { TimedEvent } from '../../engine/journal/stepLog.js';
import { openJournal, type JournalHolds, type JournalWriter, journalFile } from '../../storage/runs/journal.js';
import type { HeldLock } from '../../storage/files/lock.js';
import { newRunId } from '../../storage/runs/runFolder.js';
import type { SkillStore } from '../../storage/state/store.js';
import { writeSummary } from '../../storage/runs/summaries.js';
import { RunOptions } from '../../engine/runOptions.js';
import { type JournalLine, readJournal } from '../../storage/runs/readJournal.js';
import { skillUseSentence } from '../../wording/programs/skillUse.js';
import { english } from '../../wording/translate.js';

/** Watches a run while it goes on. Called for every event, in order. */
export type RunObserver = (event: RunEvent, summary: RunSummary) => void;

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
  /** What was written down so far. */
  readonly log: () => RunLog;
  /** Tells of every event from now on, once it is written down. */
  readonly watch: (seen: (event: RunEvent) => void) => void;
  /** Aborted once the journal cannot be written any more: a run that leaves no trace must not go on. */
  readonly broken: AbortSignal;
  /** Resolves when everything recorded so far would survive a crash. */
  flush(): Promise<void>;
  /** Writes the last event, closes, and stores the fold, while `leave` writes what the run leaves beside them. */
  end(event: Extract<RunEvent, { kind: 'run-ended' }>, leave?: RunLeavings): Promise<RunSummary>;
}

/** What a run leaves when it ends. */
export interface RunLeavings {
  /** What the stored fold says beside its own fields: figures for views, and keys that other tools look for. */
  sums(log: RunLog): Readonly<Record<string, unknown>> & Partial<RunSummary>;
  write(log: RunLog): Promise<void>;
}

/** Starts the journal of a new run. The caller holds the skill's run lock, which makes it the only writer. */
export async function startRunJournal(
  store: SkillStore,
  lock: HeldLock,
  observe: RunObserver,
  holds: JournalHolds = 'plain',
): Promise<RunJournal> {
  const runId = newRunId(store.clock.now());
  const { writer } = await openJournal(store, runId, lock, holds);
  return keepJournal(store, { runId, writer, observe, summary: emptySummary(runId, store.clock.now()) });
}

/** Goes on with the journal of a run that was cut off, under the same lock. */
export async function resumeRunJournal(
  store: SkillStore,
  lock: HeldLock,
  { runId, observe }: { readonly runId: string; readonly observe: RunObserver },
): Promise<RunJournal> {
  const { writer, events } = await openJournal(store, runId, lock);
  const summary = foldLines(runId, events);
  const journal = keepJournal(store, { runId, writer, observe, summary });
  const [first] = eventsIn(events);
  if (first !== undefined) observe(first.event, summary); // whoever follows it from now on learns what it plans
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
  const watching: ((event: RunEvent) => void)[] = [];
  let { summary } = begun;
  const breaking = (error: unknown): never => {
    broken.abort(error);
    throw error;
  };
  const flush = (): Promise<void> => writer.flush().catch(breaking);
  const record = (given: RunEvent): void => {
    const event = saysNothing(given) ? given : (store.hide?.(given).value ?? given);
    writer.append(event);
    const at = store.clock.now();
    events.push({ at, event });
    summary = foldEvent(summary, event, at);
    // Whoever works under `broken` is told. A call costs money: one whose trace is lost is the last.
    const written = isFrequent(event) ? writer.isThere().catch(breaking) : flush();
    written.catch(() => undefined);
    observe(event, summary);
    for (const seen of watching) seen(event);
  };
  return {
    runId,
    record,
    summary: () => summary,
    log: () => ({ runId, events: [...events], summary }),
    watch: (seen) => void watching.push(seen),
    broken: broken.signal,
    flush,
    async end(event, leave) {
      for (const text of endNotes(summary)) record({ kind: 'note', text });
      record(event);
      const log = { runId, events, summary };
      const sums = leave?.sums(log) ?? {};
      const stored: RunSummary = { ...(store.hide?.(sums).value ?? sums), ...summary };
      const closed = writer.close().then(() => writeSummary(store, RunSummarySchema, runId, stored));
      // Beside a journal that is gone nothing is left either: it would bring a folder back that somebody deleted.
      await Promise.all([closed, broken.signal.aborted ? undefined : leave?.write(log)]);
      return stored;
    },
  };
}

/** What is counted over a run, and told at its end. */
function endNotes({ skillUse }: RunSummary): readonly string[] {
  return [skillUseSentence(skillUse, english)].filter((text) => text !== undefined);
}

/** Figures and hashes, by the hundred: nothing in them could hold a secret. */
function saysNothing(event: RunEvent): boolean {
  return (
    (event.kind === 'call' && event.why === undefined) ||
    event.kind === 'stage' ||
    (event.kind === 'attempt' && event.outcome.kind === 'scored')
  );
}

/** Attempts and calls come by the hundred; they reach the disk with the next event that is neither. */
function isFrequent({ kind }: RunEvent): boolean {
  return kind === 'attempt' || kind === 'call';
}

/** A run as its journal tells: how it was begun, and what it came to so far. */
export interface BegunRun {
  readonly runId: string;
  readonly started: Extract<RunEvent, { kind: 'run-started' }>;
  readonly summary: RunSummary;
}

/** Reads a run from its journal. Undefined where it was not written here, was changed, or never got to its start. */
export async function readBegunRun(store: SkillStore, runId: string): Promise<BegunRun | undefined> {
  const reading = await readJournal(store.key, runId, journalFile(store, runId));
  if (reading.kind !== 'verified') return undefined;
  const [first] = eventsIn(reading.lines);
  if (first?.event.kind !== 'run-started') return undefined;
  const options = RunOptions.safeParse(first.event.options);
  if (!options.success) return undefined;
  return { runId, started: { ...first.event, options: options.data }, summary: foldLines(runId, reading.lines) };
}

/** The fold of the lines of a journal that verified. */
export function foldLines(runId: string, lines: readonly JournalLine[]): RunSummary {
  const events = eventsIn(lines);
  const startedAt = events[0]?.at ?? 0;
  return events.reduce((summary, { event, at }) => foldEvent(summary, event, at), emptySummary(runId, startedAt));
}

/** What the journal of a run tells, in order; nothing where it was not written here or was changed. */
export async function readEvents(store: SkillStore, runId: string): Promise<readonly RunEvent[]> {
  const reading = await readJournal(store.key, runId, journalFile(store, runId));
  return reading.kind === 'verified' ? eventsIn(reading.lines).map(({ event }) => event) : [];
}

/** The lines are ours, chained by MAC; reading them back checks only that they are of the form we wrote. */
const Event: z.ZodType<RunEvent> = z.custom<RunEvent>(
  (value) => z.object({ kind: z.string() }).safeParse(value).success,
);

/** What the lines of a journal that verified tell, in order. */
export function eventsIn(lines: readonly JournalLine[]): readonly { readonly event: RunEvent; readonly at: number }[] {
  return lines.flatMap(({ event, at }) => {
    const parsed = Event.safeParse(event);
    return parsed.success ? [{ event: parsed.data, at }] : [];
  });
}
