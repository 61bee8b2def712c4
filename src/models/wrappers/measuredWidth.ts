import type { Clock } from '../../ports/clock.js';

/** How many calls may be under way at once, as a server's answers teach it. */
interface Width {
  readonly current: number;
  /** An answer came, and how much work it was, where that can be told. */
  answered(work?: number): void;
  /** The server says "too many". */
  refused(): void;
}

interface MeasuredWidthOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly most: number;
  /** How many requests the server says that it works on at the same time; one where it does not say. */
  readonly told?: number | undefined;
}

/**
 * As many calls under way as a server really works on at the same time. A server on a person's own machine takes any number
 * and lets them wait in its queue: more than it works on gain nothing, and each of them waits longer. So the width grows
 * only while more work is done in the same time, and comes back to the fewest that do as much. Where the server says how
 * many it works on, that is the width from the beginning.
 */
export function measuredWidth({ clock, most, told }: MeasuredWidthOptions): Width {
  let search = startOf(Math.min(most, told ?? 1), told !== undefined, most);
  let round = newRound(search.width);
  const go = (width: number): void => {
    round = newRound(width);
  };
  return {
    get current() {
      return round.width;
    },
    answered: (work = 1) => {
      if (search.isFound) return;
      const pace = paceOf(round, work, clock.now());
      if (pace === undefined) return;
      search = next(search, { width: round.width, pace }, most);
      go(search.width);
    },
    refused: () => {
      search = { ...search, width: Math.max(1, Math.floor(round.width / 2)), isFound: true };
      go(search.width);
    },
  };
}

/** The same of a server that is asked first whether it says how many it works on; `look` asks it once. */
export function ownServerWidth({
  ask,
  ...options
}: Omit<MeasuredWidthOptions, 'told'> & {
  readonly ask: (signal: AbortSignal) => Promise<number | undefined>;
}): Width & { readonly look: (signal: AbortSignal) => Promise<void> } {
  let width = measuredWidth(options);
  let looked: Promise<void> | undefined;
  const look = async (signal: AbortSignal): Promise<void> => {
    const told = await ask(signal);
    if (told !== undefined) width = measuredWidth({ ...options, told });
  };
  return {
    get current() {
      return width.current;
    },
    answered: (work) => width.answered(work),
    refused: () => width.refused(),
    look: (signal) => (looked ??= look(signal)),
  };
}

/** What is known of how fast the server works at which width. */
interface Search {
  /** To be measured next, or what was found. */
  readonly width: number;
  readonly isFound: boolean;
  /** The narrowest that was measured to be the fastest so far, and the widest that was slower for being too narrow. */
  readonly best: Measured | undefined;
  readonly tooNarrow: number;
}

interface Measured {
  readonly width: number;
  readonly pace: number;
}

function startOf(width: number, isFound: boolean, most: number): Search {
  return { width, isFound: isFound || most === 1, best: undefined, tooNarrow: 0 };
}

/** Doubles while that helps, then halves the way back to the narrowest that is as fast. */
function next({ best, tooNarrow }: Search, now: Measured, most: number): Search {
  if (best === undefined) return grown(now, tooNarrow, most);
  if (now.width > best.width)
    return now.pace > best.pace * gain ? grown(now, best.width, most) : narrowed(best, tooNarrow);
  return now.pace > best.pace * same ? narrowed(now, tooNarrow) : narrowed(best, now.width);
}

/** The widest so far is the fastest: a wider one may be faster still. */
function grown(best: Measured, tooNarrow: number, most: number): Search {
  if (best.width >= most) return narrowed(best, tooNarrow);
  return { width: Math.min(most, best.width * 2), isFound: false, best, tooNarrow };
}

/** Between one that was too narrow and one that was as fast as any. */
function narrowed(best: Measured, tooNarrow: number): Search {
  const middle = Math.ceil((tooNarrow + best.width) / 2);
  const isFound = best.width - tooNarrow <= closeEnough || middle >= best.width;
  return { width: isFound ? best.width : middle, isFound, best, tooNarrow };
}

const gain = 1.25; // twice the calls at a time are worth it where they do at least so much more work
const same = 0.93; // a narrower width is as good where it does at least so much of it
const closeEnough = 2;

/** Answers at one width. Those that were begun before it say nothing about it. */
interface Round {
  readonly width: number;
  skipped: number;
  work: number;
  answers: number;
  since: number;
}

function newRound(width: number): Round {
  return { width, skipped: 0, work: 0, answers: 0, since: 0 };
}

/** Work for each millisecond, once enough was answered to tell. */
function paceOf(round: Round, work: number, now: number): number | undefined {
  if (round.skipped < round.width) {
    round.skipped += 1;
    round.since = now;
    return undefined;
  }
  round.work += work;
  round.answers += 1;
  if (round.answers < Math.max(fewestAnswers, 2 * round.width)) return undefined;
  return round.work / Math.max(1, now - round.since);
}

const fewestAnswers = 4;
