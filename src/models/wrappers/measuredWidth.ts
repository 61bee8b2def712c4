import type { Clock } from '../../ports/clock.js';
import { added, type CallWork, gainOver, type WidthMeasurement, WidthRound } from './widthRound.js';

/** How many calls may be under way at once, as a server's answers teach it. */
export interface Width {
  readonly current: number;
  /** A call begins. Gives what is to be told of its end: what it asked of the server, nothing where no answer came. */
  begun(): (work?: CallWork) => void;
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
  let round = new WidthRound(search.width);
  let underWay = 0;
  const go = (to: Search): void => {
    search = to;
    round = new WidthRound(to.width);
  };
  const ended = (at: number, work: CallWork | undefined): void => {
    const now = clock.now();
    underWay -= 1;
    const measured = round.ended(now, underWay, { ms: now - at, work });
    if (search.isFound) return;
    if (measured !== undefined) go(next(search, measured, most));
    else if (round.isTooWide && search.best !== undefined) go(narrowed(search.best, search.tooNarrow));
  };
  return {
    get current() {
      return search.width;
    },
    begun: () => {
      const at = clock.now();
      underWay += 1;
      round.begun(at, underWay);
      return (work) => ended(at, work);
    },
    refused: () => go({ ...search, width: Math.max(1, Math.floor(search.width / 2)), isFound: true }),
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
    begun: () => width.begun(),
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
  readonly best: WidthMeasurement | undefined;
  readonly tooNarrow: number;
  /** What was measured beside the best, of calls of another kind: it is looked again at one of them, so many times now. */
  readonly rival?: WidthMeasurement | undefined;
  readonly looks: number;
}

function startOf(width: number, isFound: boolean, most: number): Search {
  return { width, isFound: isFound || most === 1, best: undefined, tooNarrow: 0, looks: 0 };
}

/** Doubles while that helps, then halves the way back to the narrowest that is as fast. */
function next(search: Search, now: WidthMeasurement, most: number): Search {
  const { tooNarrow, looks } = search;
  if (search.best === undefined) return grown(now, tooNarrow, most);
  const { best, rival = now, other } = withMeasured(search, search.best, now);
  const gained = gainOver(rival, best);
  const isWider = rival.width > best.width;
  const enough = isWider ? gain : same;
  const isOpen = gained.least < enough && gained.most > enough;
  if (isOpen && looks < mostLooks) return { width: other, isFound: false, best, tooNarrow, rival, looks: looks + 1 };
  if (gained.likely > enough) return isWider ? grown(rival, best.width, most) : narrowed(rival, tooNarrow);
  return isWider ? narrowed(best, tooNarrow) : narrowed(best, rival.width);
}

/** What was measured so far of both widths, and which of them to look at next where that does not decide. */
function withMeasured(
  { rival }: Search,
  best: WidthMeasurement,
  now: WidthMeasurement,
): { readonly best: WidthMeasurement; readonly rival: WidthMeasurement | undefined; readonly other: number } {
  if (now.width === best.width) return { best: added(best, now), rival, other: rival?.width ?? now.width };
  return { best, rival: rival === undefined ? now : added(rival, now), other: best.width };
}

/** The widest so far is the fastest: a wider one may be faster still. */
function grown(best: WidthMeasurement, tooNarrow: number, most: number): Search {
  if (best.width >= most) return narrowed(best, tooNarrow);
  return { width: Math.min(most, best.width * 2), isFound: false, best, tooNarrow, looks: 0 };
}

/** Between one that was too narrow and one that was as fast as any. */
function narrowed(best: WidthMeasurement, tooNarrow: number): Search {
  const middle = Math.ceil((tooNarrow + best.width) / 2);
  const isFound = best.width - tooNarrow <= closeEnough || middle >= best.width;
  return { width: isFound ? best.width : middle, isFound, best, tooNarrow, looks: 0 };
}

const gain = 1.25; // twice the calls at a time are worth it where they do at least so much more work
const same = 0.9; // a narrower width is as good where it does at least so much of it
const closeEnough = 2;
const mostLooks = 6;
