import type { ProposedEdit } from '../ports/proposal.js';
import { isBlank, linesWithBreaks } from '../skill/document/lines.js';
import { alignedHunks } from '../skill/edits/alignedHunks.js';
import type { Hunk, LineRange } from '../skill/edits/hunks.js';
import type { ExplainedHunk, Explanation } from './explainHunks.js';
import { lineOrigins, replacedLines } from './lineOrigins.js';
import type { HunkOrigin, OpenChange, ReviewTexts } from './openChange.js';

/** What differs between the two texts, part by part, each with whoever made it, where a person wrote in one of them. */
export function changesSeen(review: ReviewTexts): readonly OpenChange[] {
  const sources = sourcesOf(review);
  return alignedHunks(review.real, review.candidate)
    .flatMap((hunk) => partedByUnit(sources, hunk))
    .map((hunk) => {
      const before = sideOf(sources, hunk.before, sources.file);
      const after = sideOf(sources, hunk.after, sources.proposal);
      return { hunk, origin: originOf(sources, before, after), overwrites: before.added > 0 };
    });
}

type Origins = readonly (number | undefined)[];

interface Sources {
  readonly explained: Explanation;
  /** Lines of the file: from the base, or taken over from the proposal. */
  readonly file: SideSources;
  /** Lines of the proposal: as proposed, or turned back to the base. */
  readonly proposal: SideSources;
}

interface SideSources {
  readonly lines: readonly string[];
  /** Where the lines come from as long as nobody changes anything. */
  readonly own: Origins;
  /** Where the others come from, once one of them was decided. Only asked for where a line is not among its own. */
  readonly other: () => Origins;
  /** The line that a line of the person's stands for: that of its own text in whose place they wrote it. */
  readonly standsFor: (line: number) => number | undefined;
  readonly rangeOf: (explained: ExplainedHunk) => LineRange;
  readonly makers: Explanation['base'];
}

function sourcesOf({ texts: { base, proposed }, explained, real, candidate }: ReviewTexts): Sources {
  const taken = once(() => lineOrigins(proposed, real));
  const turnedBack = once(() => lineOrigins(base, candidate));
  return {
    explained,
    file: {
      lines: linesWithBreaks(real),
      own: lineOrigins(base, real),
      other: taken,
      standsFor: standIns([base, real], turnedBack, isBack(explained.base, explained.proposed, taken)),
      rangeOf: ({ hunk }) => hunk.before,
      makers: explained.base,
    },
    proposal: {
      lines: linesWithBreaks(candidate),
      own: lineOrigins(proposed, candidate),
      other: turnedBack,
      standsFor: standIns([proposed, candidate], taken, isBack(explained.proposed, explained.base, turnedBack)),
      rangeOf: ({ hunk }) => hunk.after,
      makers: explained.proposed,
    },
  };
}

/**
 * What was decided is not stood for: the text opposite holds that very line, or this text holds again what the edit behind
 * it took away, and words beside that are the person's own.
 */
function standIns(
  [from, to]: readonly [string, string],
  opposite: () => Origins,
  isDecided: (line: number) => boolean,
): SideSources['standsFor'] {
  const replaced = once(() => replacedLines(from, to));
  const decided = once(() => new Set(opposite()));
  return (line) => {
    const found = replaced().get(line);
    return found === undefined || decided().has(found) || isDecided(found) ? undefined : found;
  };
}

/** Whether a line was made by an edit whose lines of the other text are back: all of them, where it has any. */
function isBack(own: Explanation['base'], other: Explanation['base'], back: () => Origins): (line: number) => boolean {
  const held = once(() => new Set(back()));
  return (line) =>
    (own.get(line) ?? []).some((edit) => {
      const lines = [...other].filter(([, makers]) => makers.includes(edit)).map(([at]) => at);
      return lines.length > 0 && lines.every((at) => held().has(at));
    });
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Lines that stand together and belong to one unit of edits; of no unit where nobody claims them. */
interface Run {
  readonly unit: number | undefined;
  readonly range: LineRange;
}

/** Neighbouring edits are one change to a diff. It is parted where the lines of one end and those of the next begin. */
function partedByUnit(sources: Sources, hunk: Hunk): readonly Hunk[] {
  const before = runsIn(sources, hunk.before, sources.file);
  const after = runsIn(sources, hunk.after, sources.proposal);
  const parts: Hunk[] = [];
  let [old, current] = [hunk.before.start, hunk.after.start];
  while (before.length + after.length > 0) {
    const next = nextPart(before, after);
    if (next === undefined) return [hunk]; // they cross each other
    const oldEnd = next.takesOld ? (before.shift()?.range.end ?? old) : old;
    const newEnd = next.takesNew ? (after.shift()?.range.end ?? current) : current;
    parts.push({
      before: { start: old, end: oldEnd },
      after: { start: current, end: newEnd },
      beforeText: sources.file.lines.slice(old, oldEnd).join(''),
      afterText: sources.proposal.lines.slice(current, newEnd).join(''),
    });
    [old, current] = [oldEnd, newEnd];
  }
  return parts;
}

/** Of which sides the next part takes its lines: of both where they are one unit's, else of the one whose unit the other lacks. */
function nextPart(
  before: readonly Run[],
  after: readonly Run[],
): { readonly takesOld: boolean; readonly takesNew: boolean } | undefined {
  const [a, b] = [before[0], after[0]];
  if (a === undefined || b === undefined) return { takesOld: a !== undefined, takesNew: b !== undefined };
  // What nobody claims stands for what it is opposite to.
  if ((a.unit ?? b.unit) === (b.unit ?? a.unit)) return { takesOld: true, takesNew: true };
  if (!after.some(({ unit }) => unit === a.unit)) return { takesOld: true, takesNew: false };
  return before.some(({ unit }) => unit === b.unit) ? undefined : { takesOld: false, takesNew: true };
}

/** What nobody claims goes with the lines above it, or else with those below. */
function runsIn({ explained: { subsets } }: Sources, range: LineRange, side: SideSources): Run[] {
  const units = subsets.units;
  const unitAt = (line: number): number | undefined => {
    const origin = side.own[line] ?? side.standsFor(line);
    const [maker] = origin === undefined ? [] : (side.makers.get(origin) ?? []);
    return maker === undefined ? undefined : units.findIndex((unit) => unit.includes(maker.id));
  };
  const claims = Array.from({ length: range.end - range.start }, (_, at) => unitAt(range.start + at));
  let unit = claims.find((each) => each !== undefined);
  const runs: Run[] = [];
  for (const [at, claim] of claims.entries()) {
    unit = claim ?? unit;
    const last = runs.at(-1);
    const [start, end] = [range.start + at, range.start + at + 1];
    if (last !== undefined && last.unit === unit) runs[runs.length - 1] = { unit, range: { ...last.range, end } };
    else runs.push({ unit, range: { start, end } });
  }
  return runs;
}

/** What the lines of one side of a change are made of. */
interface Side {
  /** True where some of the lines belong to a change of the untouched proposal, or stand for one that does. */
  readonly isProposed: boolean;
  readonly makers: ReadonlySet<ProposedEdit>;
  /** True where a line of the proposal that says something was made by no edit. */
  readonly saysMore: boolean;
  /** Lines that the proposal leaves alone. */
  readonly common: number;
  /** Lines that neither the base nor the proposal has: the person's. */
  readonly added: number;
  /** Lines of the other text: taken over into the file, or turned back in the proposal. */
  readonly back: number;
}

function sideOf({ explained: { hunks } }: Sources, range: LineRange, side: SideSources): Side {
  const lines = Array.from({ length: range.end - range.start }, (_, at) => range.start + at);
  const theirs = lines.filter((line) => side.own[line] === undefined);
  const added = theirs.filter((line) => side.other()[line] === undefined);
  const origins = lines.flatMap((line) => {
    const origin = side.own[line];
    return origin === undefined ? [] : [{ line, origin }];
  });
  const ofProposal = origins.filter(({ origin }) => hunks.some((each) => holds(side.rangeOf(each), origin)));
  const makersAt = (origin: number | undefined): readonly ProposedEdit[] =>
    origin === undefined ? [] : (side.makers.get(origin) ?? []);
  const stoodFor = added.flatMap((line) => makersAt(side.standsFor(line)));
  return {
    isProposed: ofProposal.length + stoodFor.length > 0,
    makers: new Set([...ofProposal.flatMap(({ origin }) => makersAt(origin)), ...stoodFor]),
    // Which of two equal blank lines is the new one is a matter of taste.
    saysMore: ofProposal.some(({ line, origin }) => makersAt(origin).length === 0 && !isBlank(side.lines[line] ?? '')),
    common: origins.length - ofProposal.length,
    added: added.length,
    back: theirs.length - added.length,
  };
}

function holds({ start, end }: LineRange, line: number): boolean {
  return start <= line && line < end;
}

function originOf(sources: Sources, before: Side, after: Side): HunkOrigin {
  if (!before.isProposed && !after.isProposed) {
    // A line that only the proposal has, or that only the proposal lost, is the person's work in the proposal.
    return { kind: after.added > 0 || (before.common > 0 && after.common === 0) ? 'yours' : 'file' };
  }
  const { subsets, edits } = sources.explained;
  const ids = subsets.withTheirUnits([...before.makers, ...after.makers].map(({ id }) => id));
  if (ids.size === 0) return { kind: 'unexplained' };
  const made = new Set(edits.filter(({ id }) => ids.has(id)));
  const edited = after.added > 0 || after.back > 0 || !areWhole(sources, made);
  return { kind: 'proposed', edits: [...made], edited, saysMore: before.saysMore || after.saysMore };
}

/** True while every line that these edits bring is still in the proposal. */
function areWhole({ proposal }: Sources, edits: ReadonlySet<ProposedEdit>): boolean {
  const kept = new Set(proposal.own);
  return [...proposal.makers].every(([line, makers]) => kept.has(line) || !makers.some((edit) => edits.has(edit)));
}
