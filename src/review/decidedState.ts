import { isBlank, linesWithBreaks } from '../skill/document/lines.js';
import { everyChoice, type EditSubsets } from './editSubsets.js';
import { lineOrigins } from './lineOrigins.js';

/** Which edits the file has, and which the proposal still has, where both are to the letter what these edits make. */
export interface DecidedState {
  /** Accepted: in the file, and in the proposal. */
  readonly taken: ReadonlySet<string>;
  /** In the proposal, accepted or open; the others were rejected. */
  readonly kept: ReadonlySet<string>;
}

/** Reads from the two texts what was decided. Undefined where a person wrote in one of them, or the proposal holds more than its edits. */
export function decidedState(subsets: EditSubsets, real: string, candidate: string): DecidedState | undefined {
  const taken = editsInText(subsets, real);
  const kept = editsInText(subsets, candidate);
  if (taken === undefined || kept === undefined || [...taken].some((id) => !kept.has(id))) return undefined;
  return { taken, kept };
}

/** The edits that make exactly this text. Undefined where none do. */
export function editsInText(subsets: EditSubsets, text: string): ReadonlySet<string> | undefined {
  const none: ReadonlySet<string> = new Set();
  const all = new Set(subsets.ids);
  for (const ids of [none, all]) if (subsets.take(ids).text === text) return ids;
  const seen = editsSeen(subsets, text);
  for (const ids of choicesNear(subsets.units, seen)) {
    if (!subsets.canTry(ids.size)) return undefined;
    if (subsets.take(ids).text === text) return ids;
  }
  return undefined;
}

const mostTried = 7; // units of which every choice is tried

/** What was seen first; then, since two edits may bring the same line, all choices of a few units, or those that differ in one. */
function* choicesNear(units: EditSubsets['units'], seen: ReadonlySet<string>): Iterable<ReadonlySet<string>> {
  yield seen;
  if (units.length <= mostTried) {
    for (const choice of everyChoice(units)) yield new Set(choice.flat());
    return;
  }
  for (const unit of units) {
    const isIn = unit.some((id) => seen.has(id));
    yield new Set(isIn ? [...seen].filter((id) => !unit.includes(id)) : [...seen, ...unit]);
  }
}

/** The edits whose lines are in the text: what they bring, or else the lack of what they take out. */
function editsSeen(subsets: EditSubsets, text: string): ReadonlySet<string> {
  const all = subsets.take(new Set(subsets.ids));
  const [added, gone] = [linesSeen(all.text, text), linesSeen(subsets.base, text)];
  const isSeen = (id: string): boolean => {
    const hunks = all.hunks.get(id) ?? [];
    const brought = hunks.flatMap(({ after }) => added.linesIn(after));
    if (brought.length > 0) return brought.every(added.has);
    const taken = hunks.flatMap(({ before }) => gone.linesIn(before));
    return taken.length > 0 && !taken.some(gone.has);
  };
  return new Set(subsets.units.filter((unit) => unit.some(isSeen)).flat());
}

interface LinesSeen {
  /** The lines of the first text in this range that say something. */
  readonly linesIn: (range: { readonly start: number; readonly end: number }) => readonly number[];
  /** Whether this line of the first text stands in the second. */
  readonly has: (line: number) => boolean;
}

function linesSeen(from: string, to: string): LinesSeen {
  const lines = linesWithBreaks(from);
  // Whether the last line ends in a break says nothing about what it says.
  const kept = new Set(lineOrigins(ended(from), ended(to)));
  return {
    linesIn: ({ start, end }) =>
      Array.from({ length: end - start }, (_, at) => start + at).filter((line) => !isBlank(lines[line] ?? '')),
    has: (line) => kept.has(line),
  };
}

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
