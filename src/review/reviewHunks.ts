import { sha256 } from '../hash.js';
import { countTokens } from '../skill/document/countTokens.js';
import { applyHunks } from '../skill/edits/hunks.js';
import { eachInvisible } from '../skill/edits/visibleText.js';
import { changesSeen } from './changesSeen.js';
import { decidedState, type DecidedState } from './decidedState.js';
import type { OpenChange, ReviewTexts } from './openChange.js';
import { openEditPlaces } from './openEditPlaces.js';

/** An open change as it is shown. An edit with several places has one at each; deciding one of them decides all. */
export interface ReviewedHunk extends OpenChange {
  /** Stays the same while the change stays the same, wherever it moves. */
  readonly key: string;
  /** Stays the same while the person writes in it: the edits behind it, where there are any. */
  readonly name: string;
  /** How many tokens the skill grows by accepting it. */
  readonly tokens: number;
  /** The characters in it that nobody would see, each once, as `U+200B`. */
  readonly hidden: readonly string[];
}

/** What is left to decide between two texts. */
export interface ReviewState {
  readonly hunks: readonly ReviewedHunk[];
  /** Undefined where a person wrote in one of the texts, too. */
  readonly decided: DecidedState | undefined;
}

/**
 * What is left to decide, derived from the two texts and nothing else: typing on either side, undo, redo, a reverted block
 * and a pull are all only other texts. Each change belongs to one edit, or to a few that can only be decided together.
 */
export function reviewState(review: ReviewTexts): ReviewState {
  const { explained, real, candidate } = review;
  if (real === candidate) return { hunks: [], decided: undefined };
  const decided = decidedState(explained.subsets, real, candidate);
  const changes = decided === undefined ? changesSeen(withLastBreaks(review)) : openEditPlaces(review, decided);
  return { hunks: changes.map(shown(new Map())), decided };
}

/** The file once these changes are accepted: what the accepted edits make of the base, where nobody wrote beside them. */
export function textAfterAccept(
  review: ReviewTexts,
  { decided }: ReviewState,
  chosen: readonly ReviewedHunk[],
): string {
  const { subsets } = review.explained;
  if (decided !== undefined) return subsets.take(new Set([...decided.taken, ...editIds(chosen)])).text;
  const seen = withLastBreaks(review);
  const after = applyHunks(
    seen.real,
    chosen.map(({ hunk }) => hunk),
  );
  return after === seen.candidate ? review.candidate : asOpenAs(review.real, after, seen.real);
}

/** The proposal once these changes are rejected. */
export function textAfterReject(
  review: ReviewTexts,
  { decided }: ReviewState,
  chosen: readonly ReviewedHunk[],
): string {
  const { subsets } = review.explained;
  const gone = new Set(editIds(chosen));
  if (decided !== undefined) return subsets.take(new Set([...decided.kept].filter((id) => !gone.has(id)))).text;
  const seen = withLastBreaks(review);
  const after = applyHunks(
    seen.candidate,
    chosen.map(({ hunk }) => ({
      before: hunk.after,
      after: hunk.before,
      beforeText: hunk.afterText,
      afterText: hunk.beforeText,
    })),
  );
  return after === seen.real ? review.real : asOpenAs(review.candidate, after, seen.candidate);
}

/**
 * Where one text ends in a line break and the other does not, a last line would differ from itself: both are looked at as
 * if they did, unless that is all that differs.
 */
function withLastBreaks(review: ReviewTexts): ReviewTexts {
  const { real, candidate, texts } = review;
  const [file, proposal] = [closed(real), closed(candidate)];
  if (file === proposal || (file === real) === (proposal === candidate)) return review;
  const { base, proposed } = texts;
  return {
    ...review,
    real: file,
    candidate: proposal,
    texts: { ...texts, base: closed(base), proposed: closed(proposed) },
  };
}

function closed(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** A text that was looked at with a last line break ends as it did without. */
function asOpenAs(before: string, after: string, seen: string): string {
  return before === seen ? after : after.replace(/\n$/u, '');
}

/** These changes with every other place of the edits behind them. */
export function withTheirUnits(
  hunks: readonly ReviewedHunk[],
  chosen: readonly ReviewedHunk[],
): readonly ReviewedHunk[] {
  const edits = new Set(editIds(chosen));
  return hunks.filter((hunk) => chosen.includes(hunk) || editIds([hunk]).some((id) => edits.has(id)));
}

/** Each change once: of edits that have several places the first. */
export function firstPlaces(hunks: readonly ReviewedHunk[]): readonly ReviewedHunk[] {
  const seen = new Set<string>();
  return hunks.filter((hunk) => {
    const ids = editIds([hunk]);
    const isFirst = !ids.some((id) => seen.has(id));
    for (const id of ids) seen.add(id);
    return isFirst;
  });
}

/** The edits behind these changes. */
export function editIds(hunks: readonly ReviewedHunk[]): readonly string[] {
  return [
    ...new Set(hunks.flatMap(({ origin }) => (origin.kind === 'proposed' ? origin.edits : [])).map(({ id }) => id)),
  ];
}

/** The ids of the edits that are still to be decided. */
export function openEdits(hunks: readonly ReviewedHunk[]): ReadonlySet<string> {
  return new Set(editIds(hunks));
}

/** True for what “accept all” takes: not what the person wrote into the file themselves. */
export function isOffered({ origin, overwrites }: ReviewedHunk): boolean {
  return origin.kind !== 'file' && !overwrites;
}

function shown(seen: Map<string, number>): (change: OpenChange) => ReviewedHunk {
  return (change) => {
    const { hunk, origin } = change;
    const key = numbered(sha256(`${hunk.beforeText}\0${hunk.afterText}`).slice(0, 16), seen);
    return {
      ...change,
      key,
      name: origin.kind === 'proposed' ? numbered(origin.edits.map(({ id }) => id).join('+'), seen) : key,
      tokens: countTokens(hunk.afterText) - countTokens(hunk.beforeText),
      hidden: hiddenIn(hunk.afterText),
    };
  };
}

function hiddenIn(text: string): readonly string[] {
  return [...new Set(Array.from(eachInvisible(text), ({ name }) => name))];
}

/** Two changes that are alike are told apart by their order. */
function numbered(name: string, seen: Map<string, number>): string {
  const repeat = seen.get(name) ?? 0;
  seen.set(name, repeat + 1);
  return `${name}.${repeat}`;
}
