import { alignedHunks } from './alignedHunks.js';
import { applyEdits } from './applyEdits.js';
import type { Edit, EditScope } from './edit.js';
import type { EditHunk } from './editHunks.js';
import { keptRanges, movedRange, type Hunk } from './hunks.js';
import { parseSkill, printSkill } from '../document/skillDocument.js';

/** The two texts of a proposal, and where its edits were allowed to land. */
export interface ChangedDocument {
  readonly baseText: string;
  readonly candidateText: string;
  readonly scope: EditScope;
}

export const anySize = { lines: Number.POSITIVE_INFINITY, tokens: Number.POSITIVE_INFINITY };

/**
 * What each edit changed between the two texts, by its index. Lines of the candidate that applying the edits does not give
 * belong to none of them: whatever came in beside the edits stays unexplained.
 */
export function hunksOfEdits(
  { baseText, candidateText, scope }: ChangedDocument,
  edits: readonly Edit[],
): readonly (readonly EditHunk[])[] {
  const applied = applyEdits(parseSkill(baseText), edits, { scope, sizeBudget: anySize, code: 'allowed' });
  const text = printSkill(applied.document);
  if (text === candidateText) return applied.hunks;
  const changes = alignedHunks(text, candidateText);
  return applied.hunks.map((hunks) => hunks.flatMap((hunk) => keptIn(hunk, changes)));
}

function keptIn({ before, after }: EditHunk, changes: readonly Hunk[]): readonly EditHunk[] {
  const [first, ...more] = keptRanges(after, changes);
  const below = { start: before.end, end: before.end };
  const whole = { before, after: first ?? movedRange({ start: after.start, end: after.start }, changes) };
  return [whole, ...more.map((range) => ({ before: below, after: range }))];
}
