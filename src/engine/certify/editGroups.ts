import { groupEdits } from '../../gate/statistics/attributionPlan.js';
import { parseSkill } from '../../skill/document/skillDocument.js';
import { applyEdits } from '../../skill/edits/applyEdits.js';
import { anySize } from '../../skill/edits/hunksOfEdits.js';
import type { Candidate } from '../candidate.js';
import type { PatchEdit } from '../patch.js';

/** The edits that are measured together, at most four groups, and what the report says of them. */
interface EditGroups {
  readonly groups: readonly (readonly PatchEdit[])[];
  readonly notes: readonly string[];
}

/**
 * Single edits where they are few, neighbours otherwise. A rewrite changes many places that only make sense together: its
 * edits are measured by the sections of the skill, and neighbouring sections together where there are more than four.
 */
export function editGroups(original: Candidate, { edits }: Candidate): EditGroups {
  const neighbours = groupEdits(edits);
  const isSingle = neighbours.every((group) => group.length === 1);
  if (isSingle || !edits.some(({ ofRewrite }) => ofRewrite)) return { groups: neighbours, notes: [] };
  const sections = bySection(original, edits);
  if (sections.length < 2) return { groups: neighbours, notes: [] };
  const groups = groupEdits(sections).map((group) => group.flat());
  const note = `The ${edits.length} edits of a rewrite were measured by section, in ${groups.length} groups: each edit is worth what its group is worth.`;
  return { groups, notes: [note] };
}

const deepest = 2; // what stands beneath a heading of lower rank belongs to the section above it

/** The edits of each section that has some, in the order of the text. */
function bySection(original: Candidate, edits: readonly PatchEdit[]): readonly (readonly PatchEdit[])[] {
  const bare = edits.map(({ edit }) => edit);
  const limits = { scope: 'body', code: 'allowed', sizeBudget: anySize } as const;
  const { document, hunks } = applyEdits(parseSkill(original.text), bare, limits);
  const starts = document.headings
    .filter(({ depth }) => depth <= deepest)
    .map(({ span }) => document.text.slice(0, span.start).split(/\r\n|[\r\n]/).length - 1);
  const sections = new Map<number, PatchEdit[]>();
  let last = 0;
  for (const [at, edit] of edits.entries()) {
    // One that a later edit took back has no place of its own: it goes with the one before it.
    const line = hunks[at]?.[0]?.after.start;
    last = line === undefined ? last : starts.filter((start) => start <= line).length;
    sections.set(last, [...(sections.get(last) ?? []), edit]);
  }
  return [...sections].sort(([a], [b]) => a - b).map(([, group]) => group);
}
