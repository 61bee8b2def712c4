import { lensLines } from './hunkPlace.js';
import { firstPlaces, withTheirUnits, type ReviewedHunk } from './reviewHunks.js';

/**
 * The changes of a proposal counted over all of its files: a person decides on one proposal, whichever of its files is in
 * front of them.
 */

/** A file of a proposal with what is still open in it. */
export interface FileInReview {
  /** As people are told of it. */
  readonly name: string;
  readonly hunks: readonly ReviewedHunk[];
  /** Of the proposed text. */
  readonly lineCount: number;
}

/** Where a change stands among all that are open. */
export interface PlaceInProposal {
  readonly number: number;
  readonly of: number;
  /** The line of its row. */
  readonly line: number;
  /** The other file in which the next one lies; undefined where that is not so. */
  readonly nextIn: string | undefined;
}

/** A place that one goes to from change to change: of an edit with several places the first. */
export interface EditStop {
  /** Which of the files. */
  readonly file: number;
  readonly line: number;
  readonly hunk: ReviewedHunk;
}

/** The places of the changes in one of the files. */
export function placesIn(files: readonly FileInReview[], file: number): readonly PlaceInProposal[] {
  const { hunks = [], lineCount = 0 } = files[file] ?? {};
  const stops = stopsIn(files);
  const lines = lensLines(hunks, lineCount);
  return hunks.map((hunk, at) => {
    const [first = hunk] = withTheirUnits(hunks, [hunk]);
    const number = stops.findIndex((stop) => stop.file === file && stop.hunk === first) + 1;
    const nextIn = at === hunks.length - 1 ? fileAfter(files, file) : undefined;
    return { number, of: stops.length, line: lines[at] ?? 0, nextIn };
  });
}

/** The next file that has something open, after the last the first again; undefined where no other one has. */
export function fileAfter(files: readonly FileInReview[], file: number): string | undefined {
  const isOpen = ({ hunks }: FileInReview, at: number): boolean => at !== file && hunks.length > 0;
  const later = files.find((each, at) => at > file && isOpen(each, at));
  return (later ?? files.find(isOpen))?.name;
}

/** The change after a line of a file, or before it, over all files; at their end it begins anew. Undefined where none is open. */
export function nextStop(
  files: readonly FileInReview[],
  from: { readonly file: number; readonly line: number },
  step: 'next' | 'previous',
): EditStop | undefined {
  const stops = stopsIn(files).toSorted(inOrder);
  return step === 'next'
    ? (stops.find((stop) => inOrder(stop, from) > 0) ?? stops[0])
    : (stops.findLast((stop) => inOrder(stop, from) < 0) ?? stops.at(-1));
}

function stopsIn(files: readonly FileInReview[]): readonly EditStop[] {
  return files.flatMap(({ hunks, lineCount }, file) => {
    const lines = lensLines(hunks, lineCount);
    const first = new Set(firstPlaces(hunks));
    return hunks.flatMap((hunk, at) => (first.has(hunk) ? [{ file, line: lines[at] ?? 0, hunk }] : []));
  });
}

function inOrder(a: Pick<EditStop, 'file' | 'line'>, b: Pick<EditStop, 'file' | 'line'>): number {
  return a.file - b.file || a.line - b.line;
}
