import { sha256 } from '../hash.js';
import type { ProposedEdit } from '../ports/proposal.js';
import { countTokens } from '../skill/document/countTokens.js';
import type { Hunk, LineRange } from '../skill/edits/hunks.js';
import { alignedHunks } from '../skill/edits/alignedHunks.js';
import { eachInvisible } from '../skill/edits/visibleText.js';
import type { ExplainedHunk, Explanation } from './explainHunks.js';
import { lineOrigins } from './lineOrigins.js';
import type { ProposalTexts } from './proposalTexts.js';

/** Who made a change that is still open. */
export type HunkOrigin =
  /** The proposal; `edited` where the person has changed its words, `saysMore` where it has lines that no edit made. */
  | {
      readonly kind: 'proposed';
      readonly edits: readonly ProposedEdit[];
      readonly edited: boolean;
      readonly saysMore: boolean;
    }
  /** The person, by writing in the proposal. */
  | { readonly kind: 'yours' }
  /** The person, by changing the file: the proposal does not have it, and nothing asks for it to be undone. */
  | { readonly kind: 'file' }
  /** The proposal, but none of its edits says why. */
  | { readonly kind: 'unexplained' };

/** One open change between the file and the proposal as both are now. */
export interface ReviewedHunk {
  /** Stays the same while the change stays the same, wherever it moves. */
  readonly key: string;
  /** Stays the same while the person writes in it: the edits behind it, where there are any. */
  readonly name: string;
  readonly hunk: Hunk;
  readonly origin: HunkOrigin;
  /** True where accepting it takes away text that the person wrote into the file. */
  readonly overwrites: boolean;
  /** How many tokens the skill grows by accepting it. */
  readonly tokens: number;
  /** The characters in it that nobody would see, each once, as `U+200B`. */
  readonly hidden: readonly string[];
}

/** All that a review shows is made of: the proposal where nobody decided, and the two texts as they are. */
export interface ReviewTexts {
  readonly texts: ProposalTexts;
  readonly explained: Explanation;
  /** The file as it is now. */
  readonly real: string;
  /** The proposal as it is now. */
  readonly candidate: string;
}

/**
 * What is left to decide, derived from the two texts and nothing else: typing on either side, undo, redo, a reverted block
 * and a pull are all only other texts.
 */
export function reviewHunks(review: ReviewTexts): readonly ReviewedHunk[] {
  const hunks = alignedHunks(review.real, review.candidate);
  if (hunks.length === 0) return [];
  const sources = sourcesOf(review);
  const seen = new Map<string, number>();
  return hunks.map((hunk) => {
    const before = sideOf(sources.hunks, hunk.before, sources.file);
    const after = sideOf(sources.hunks, hunk.after, sources.proposal);
    const key = numbered(sha256(`${hunk.beforeText}\0${hunk.afterText}`).slice(0, 16), seen);
    const origin = originOf(sources, before, after);
    return {
      key,
      name: origin.kind === 'proposed' ? numbered(origin.edits.map(({ id }) => id).join('+'), seen) : key,
      hunk,
      origin,
      overwrites: before.added > 0,
      tokens: countTokens(hunk.afterText) - countTokens(hunk.beforeText),
      hidden: hiddenIn(hunk.afterText),
    };
  });
}

function hiddenIn(text: string): readonly string[] {
  return [...new Set(Array.from(eachInvisible(text), ({ name }) => name))];
}

/** The ids of the edits that are still to be decided. */
export function openEdits(hunks: readonly ReviewedHunk[]): ReadonlySet<string> {
  return new Set(hunks.flatMap(({ origin }) => (origin.kind === 'proposed' ? origin.edits.map(({ id }) => id) : [])));
}

/** True for what “accept all” takes: not what the person wrote into the file themselves. */
export function isOffered({ origin, overwrites }: ReviewedHunk): boolean {
  return origin.kind !== 'file' && !overwrites;
}

type Origins = readonly (number | undefined)[];

interface Sources {
  readonly hunks: readonly ExplainedHunk[];
  /** Lines of the file: from the base, or taken over from the proposal. */
  readonly file: SideSources;
  /** Lines of the proposal: as proposed, or turned back to the base. */
  readonly proposal: SideSources;
}

interface SideSources {
  /** Where the lines come from as long as nobody changes anything. */
  readonly own: Origins;
  /** Where the others come from, once one of them was decided. Only asked for where a line is not among its own. */
  readonly other: () => Origins;
  readonly rangeOf: (explained: ExplainedHunk) => LineRange;
  readonly makers: Explanation['base'];
}

function sourcesOf({ texts, explained, real, candidate }: ReviewTexts): Sources {
  const { hunks, base, proposed } = explained;
  return {
    hunks,
    file: {
      own: lineOrigins(texts.base, real),
      other: once(() => lineOrigins(texts.proposed, real)),
      rangeOf: ({ hunk }) => hunk.before,
      makers: base,
    },
    proposal: {
      own: lineOrigins(texts.proposed, candidate),
      other: once(() => lineOrigins(texts.base, candidate)),
      rangeOf: ({ hunk }) => hunk.after,
      makers: proposed,
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** What the lines of one side of a change are made of. */
interface Side {
  /** The untouched changes that these lines belong to, with the edits behind them. */
  readonly behind: ReadonlyMap<ExplainedHunk, ReadonlySet<ProposedEdit>>;
  /** Lines that the proposal leaves alone. */
  readonly common: number;
  /** Lines that neither the base nor the proposal has: the person's. */
  readonly added: number;
  /** Lines of the other text: taken over into the file, or turned back in the proposal. */
  readonly back: number;
}

function sideOf(hunks: readonly ExplainedHunk[], range: LineRange, side: SideSources): Side {
  const behind = new Map<ExplainedHunk, Set<ProposedEdit>>();
  let [common, added, back] = [0, 0, 0];
  for (let line = range.start; line < range.end; line += 1) {
    const origin = side.own[line];
    if (origin === undefined) {
      if (side.other()[line] === undefined) added += 1;
      else back += 1;
      continue;
    }
    const owner = hunks.find((each) => holds(side.rangeOf(each), origin));
    if (owner === undefined) {
      common += 1;
      continue;
    }
    behind.set(owner, new Set([...(behind.get(owner) ?? []), ...(side.makers.get(origin) ?? [])]));
  }
  return { behind, common, added, back };
}

function holds({ start, end }: LineRange, line: number): boolean {
  return start <= line && line < end;
}

function originOf(sources: Sources, before: Side, after: Side): HunkOrigin {
  const owners = new Set([...before.behind.keys(), ...after.behind.keys()]);
  if (owners.size === 0) {
    // A line that only the proposal has, or that only the proposal lost, is the person's work in the proposal.
    return { kind: after.added > 0 || (before.common > 0 && after.common === 0) ? 'yours' : 'file' };
  }
  const edits = new Set([...before.behind.values(), ...after.behind.values()].flatMap((each) => [...each]));
  if (edits.size === 0) return { kind: 'unexplained' };
  const edited = after.added > 0 || after.back > 0 || !areWhole(sources, edits);
  const more = [...owners].some((owner) => owner.saysMore);
  return { kind: 'proposed', edits: [...edits].sort(byId), edited, saysMore: more };
}

/** True while every line that these edits bring is still in the proposal. */
function areWhole({ proposal }: Sources, edits: ReadonlySet<ProposedEdit>): boolean {
  const kept = new Set(proposal.own);
  return [...proposal.makers].every(([line, makers]) => kept.has(line) || !makers.some((edit) => edits.has(edit)));
}

function byId(a: ProposedEdit, b: ProposedEdit): number {
  return a.id.localeCompare(b.id, 'en', { numeric: true });
}

/** Two changes that are alike are told apart by their order. */
function numbered(name: string, seen: Map<string, number>): string {
  const repeat = seen.get(name) ?? 0;
  seen.set(name, repeat + 1);
  return `${name}.${repeat}`;
}
