import type { ProposedEdit } from '../ports/proposal.js';
import { findAnchor } from '../skill/edits/findAnchor.js';
import { applyHunks, type Hunk } from '../skill/edits/hunks.js';
import { countLines, linesWithBreaks } from '../skill/document/lines.js';
import { alignedHunks } from '../skill/edits/alignedHunks.js';
import { carryOver, isSame, meets } from './carryOver.js';
import { anchorLines, explainHunks, type ExplainedHunk, type Ground } from './explainHunks.js';

/** An edit that found no place in the file as it is now. */
export interface LostEdit {
  readonly id: string;
  /** A sentence. */
  readonly reason: string;
}

/** A proposal put onto a file that is no longer the one it was made from. */
export interface Rebased {
  readonly ground: Ground;
  /** Edits that still have their place, by id. */
  readonly held: readonly string[];
  readonly lost: readonly LostEdit[];
  /** Edits whose change the file already has, by id. */
  readonly present: readonly string[];
  /** How many lines of the file are not as they were when the proposal was made. */
  readonly changedLines: number;
}

/**
 * Moves every edit whose place is certain onto the file as it is: its anchor stands there exactly once, and nobody
 * changed the lines it changes. All others are left out and listed. The result was measured by nobody.
 */
export function rebase(made: Ground, edits: readonly ProposedEdit[], real: string): Rebased {
  const changes = alignedHunks(made.base, real);
  const rows = withoutOverlap(
    explainHunks(made, edits).map((explained) => ({
      ids: explained.edits.map(({ id }) => id),
      place: placeOf(made, explained, changes, real),
    })),
  );
  const lost = lostEdits(rows);
  const kept = rows.filter(({ ids }) => !ids.some((id) => lost.has(id)));
  return {
    ground: {
      base: real,
      proposed: applyHunks(
        real,
        kept.flatMap(({ place }) => hunkOf(place)),
      ),
    },
    held: [...new Set(kept.flatMap(({ ids }) => ids))],
    lost: [...lost].flatMap(([id, reason]) => (reason === alreadySaid ? [] : [{ id, reason }])),
    present: [...lost].flatMap(([id, reason]) => (reason === alreadySaid ? [id] : [])),
    changedLines: changes.reduce((sum, { beforeText, afterText }) => sum + changedIn(beforeText, afterText), 0),
  };
}

const alreadySaid = 'The file already says this.';

interface PlacedRow {
  readonly ids: readonly string[];
  readonly place: Hunk | string;
}

/** An edit that lost one of its places goes whole, and with it the edits that share a change with it. */
function lostEdits(rows: readonly PlacedRow[]): ReadonlyMap<string, string> {
  const lost = new Map<string, string>();
  for (const { ids, place } of rows) if (typeof place === 'string') for (const id of ids) lost.set(id, place);
  for (let before = -1; before !== lost.size;) {
    before = lost.size;
    for (const { ids } of rows) {
      const other = ids.find((id) => lost.has(id));
      for (const id of ids)
        if (other !== undefined && !lost.has(id)) lost.set(id, `It belongs together with ${other}.`);
    }
  }
  return lost;
}

function hunkOf(place: Hunk | string): readonly Hunk[] {
  return typeof place === 'string' ? [] : [place];
}

/** Changes that moved may meet: the first one keeps the place. */
function withoutOverlap(rows: readonly PlacedRow[]): readonly PlacedRow[] {
  const taken: Hunk[] = [];
  return rows.map((row) => {
    const { place } = row;
    if (typeof place === 'string') return row;
    if (taken.some((other) => meets(other.before, place.before))) {
      return { ...row, place: 'Another edit changes the same lines now.' };
    }
    taken.push(place);
    return row;
  });
}

/** Where the change goes in the file as it is, or why it has no place there. */
function placeOf(made: Ground, { hunk, edits }: ExplainedHunk, changes: readonly Hunk[], real: string): Hunk | string {
  if (changes.some((change) => isSame(change, hunk))) return alreadySaid;
  const unfit = edits.map((proposed) => whyUnfit(proposed, made.base, real)).find((reason) => reason !== undefined);
  if (unfit !== undefined) return unfit;
  const places = [hunk.before, ...edits.flatMap((proposed) => anchorLines(proposed, made.base) ?? [])];
  const isTouched = changes.some((change) => places.some((place) => meets(change.before, place)));
  if (!isTouched) return shifted(made.base, real, hunk);
  return foundElsewhere(made.base, edits, hunk, real) ?? 'You changed the lines that it changes.';
}

/** An anchor counts only where the base has it: one in the words of an earlier edit goes with that edit. */
function whyUnfit({ edit }: ProposedEdit, base: string, real: string): string | undefined {
  if (!('anchor' in edit) || 'kind' in findAnchor(base, edit.anchor)) return undefined;
  const found = findAnchor(real, edit.anchor);
  return 'kind' in found ? found.detail : undefined;
}

function shifted(base: string, real: string, hunk: Hunk): Hunk | string {
  const { text, conflicts } = carryOver(base, applyHunks(base, [hunk]), real);
  const [moved, ...more] = alignedHunks(real, text);
  return moved === undefined || more.length > 0 || conflicts.length > 0 ? alreadySaid : moved;
}

/** The lines from the anchor to the change, if they stand in exactly one place of the file. */
function foundElsewhere(base: string, edits: readonly ProposedEdit[], hunk: Hunk, real: string): Hunk | undefined {
  const lines = linesWithBreaks(base);
  const anchors = edits.flatMap((proposed) => anchorLines(proposed, base) ?? []);
  const from = Math.min(hunk.before.start, ...anchors.map(({ start }) => start));
  const lead = lines.slice(from, hunk.before.start).join('');
  const wanted = lead + hunk.beforeText;
  const at = wanted === '' ? -1 : real.indexOf(wanted);
  const isLineStart = at === 0 || real[at - 1] === '\n';
  if (at < 0 || !isLineStart || real.includes(wanted, at + 1)) return undefined;
  const start = countLines(real.slice(0, at + lead.length));
  return { ...hunk, before: { start, end: start + hunk.before.end - hunk.before.start } };
}

function changedIn(before: string, after: string): number {
  return Math.max(countLines(before), countLines(after));
}
