import * as z from 'zod';
import { foldEvent } from '../../engine/journal/foldEvent.js';
import type { RunEvent } from '../../engine/journal/runEvents.js';
import { RunOptions } from '../../engine/runOptions.js';
import { emptySummary, type RunSummary } from '../../engine/journal/runSummary.js';
import { journalFile } from '../../storage/runs/journal.js';
import type { JournalLine } from '../../storage/runs/journalChain.js';
import { readJournal } from '../../storage/runs/readJournal.js';
import type { SkillStore } from '../../storage/state/store.js';

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
