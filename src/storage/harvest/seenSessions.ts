import * as z from 'zod';
import { readState, updateState, type SealedState } from '../files/sealedState.js';
import type { UserStore } from '../state/store.js';

/** When each session was used, by its mark. A session is marked once something came of it, not when it was looked at. */
interface SeenFile {
  readonly seen: Readonly<Record<string, number>>;
}

const seen: SealedState<SeenFile> = {
  format: {
    format: 'whetstone-seen-sessions',
    version: 1,
    schema: z.object({ seen: z.record(z.string(), z.number()) }),
  },
  file: 'seen-sessions.json',
};

const most = 20_000; // the last ones: more than years of work

/** The marks of the sessions that were used. */
export async function seenSessions(store: UserStore): Promise<ReadonlySet<string>> {
  const reading = await readState(store, seen);
  return new Set(reading.kind === 'verified' ? Object.keys(reading.body.seen) : []);
}

/** Marks sessions as used. */
export async function markSeen(store: UserStore, marks: readonly string[], signal: AbortSignal): Promise<void> {
  if (marks.length === 0) return;
  const now = store.clock.now();
  const add = (before: SeenFile | undefined): SeenFile => {
    const all = { ...before?.seen, ...Object.fromEntries(marks.map((mark) => [mark, now])) };
    const newest = Object.entries(all).toSorted(([, a], [, b]) => b - a);
    return { seen: Object.fromEntries(newest.slice(0, most)) };
  };
  await updateState(store, seen, add, signal);
}
