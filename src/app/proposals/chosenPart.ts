import { UserError } from '../../errors.js';
import type { Proposal, ProposedDocument } from '../../ports/proposal.js';
import { EditSubsets } from '../../review/editSubsets.js';
import { editsInText } from '../../review/decidedState.js';
import type { CodeEdits } from '../../skill/edits/edit.js';
import { readDecisions } from '../../storage/proposals/decisions.js';
import { togetherSentence } from '../../wording/decidedEdits.js';
import { english } from '../../wording/translate.js';
import type { OpenSkill } from '../openSkill.js';
import { textNow } from './documentFiles.js';

/** What an adoption writes where not simply the whole proposal goes onto its base. */
export interface ChosenPart {
  /** The edits that go in now. */
  readonly edits: readonly string[];
  /** By the document's path: the text that it must hold, with the edits that were accepted before. */
  readonly onto: Readonly<Record<string, string>>;
  /** By the document's path; undefined where all edits are in then, which is the text that was measured. */
  readonly texts: Readonly<Record<string, string>> | undefined;
}

/**
 * The part of a proposal that a person takes now: what these edits, and those accepted before, make of its base. Without
 * `edits` all that are still open. Undefined where that is the whole, and nothing was decided yet. Throws where an edit is
 * unknown, is in the skill already, or cannot be taken without another.
 */
export async function chosenPart(
  skill: OpenSkill,
  { proposal, code }: { readonly proposal: Proposal; readonly code: CodeEdits },
  edits: readonly string[] | undefined,
): Promise<ChosenPart | undefined> {
  const decided = await readDecisions(skill.store, proposal.id);
  const ids = proposal.documents.flatMap((document) => document.edits.map(({ id }) => id));
  if (edits === undefined && Object.keys(decided).length === 0) return undefined;
  const chosen = new Set(edits ?? ids.filter((id) => decided[id] === undefined));
  refuseUnknown([...chosen], ids);
  const parts = await Promise.all(
    proposal.documents.map(async (document) => {
      const subsets = subsetsOf(document, code);
      const taken = await takenBefore(skill, document, subsets);
      return { path: document.path, taken, subsets };
    }),
  );
  const before = new Set(parts.flatMap(({ taken }) => [...taken]));
  refuseTwice([...chosen].filter((id) => before.has(id)));
  const all = new Set([...before, ...chosen]);
  for (const { subsets } of parts) refuseParted(subsets, all);
  const textsWith = (wanted: ReadonlySet<string>): Readonly<Record<string, string>> =>
    Object.fromEntries(parts.map(({ path, subsets }) => [path, subsets.take(wanted).text]));
  return {
    edits: [...chosen],
    onto: textsWith(before),
    texts: ids.every((id) => all.has(id)) ? undefined : textsWith(all),
  };
}

/** Edits that were accepted and that the file no longer holds, because somebody put an earlier text back. */
export async function missingFromFile(skill: OpenSkill, proposal: Proposal): Promise<readonly string[]> {
  const decided = await readDecisions(skill.store, proposal.id);
  const lists = await Promise.all(
    proposal.documents.map(async (document) => {
      const now = await textNow(skill, document).catch(() => undefined);
      const held = now === undefined ? undefined : editsInText(subsetsOf(document, 'allowed'), now);
      const accepted = document.edits.map(({ id }) => id).filter((id) => decided[id]?.kind === 'accepted');
      return held === undefined ? [] : accepted.filter((id) => !held.has(id));
    }),
  );
  return lists.flat();
}

/** Throws where these edits cannot be rejected by themselves: unknown, in the skill already, or bound to others. */
export async function refuseRejecting(skill: OpenSkill, proposal: Proposal, edits: readonly string[]): Promise<void> {
  const ids = proposal.documents.flatMap((document) => document.edits.map(({ id }) => id));
  refuseUnknown(edits, ids);
  const chosen = new Set(edits);
  for (const document of proposal.documents) {
    const subsets = subsetsOf(document, 'allowed');
    const taken = await takenBefore(skill, document, subsets);
    refuseTwice(edits.filter((id) => taken.has(id)));
    for (const unit of subsets.units) refuseHalf(unit, chosen);
  }
}

/** Whether any document holds neither what the proposal was made from nor what was taken of it. */
export async function isStale(skill: OpenSkill, { documents }: Proposal): Promise<boolean> {
  for (const document of documents) {
    const now = await textNow(skill, document).catch(() => undefined);
    if (now === document.baseText) continue;
    if (now === undefined || editsInText(subsetsOf(document, 'allowed'), now) === undefined) return true;
  }
  return false;
}

/** A document of a proposal as if these edits had never been proposed. */
export function withoutEdits(document: ProposedDocument, ids: ReadonlySet<string>): ProposedDocument {
  const edits = document.edits.filter(({ id }) => !ids.has(id));
  if (edits.length === document.edits.length) return document;
  const { text } = subsetsOf(document, 'allowed').take(new Set(edits.map(({ id }) => id)));
  return { ...document, edits, candidateText: text };
}

/** Edits of a document that can only be decided together. */
export function boundEdits(document: ProposedDocument): readonly (readonly string[])[] {
  return editUnits(document).filter((unit) => unit.length > 1);
}

/** What can be decided by itself: single edits, and those that are bound to each other. */
export function editUnits(document: ProposedDocument): readonly (readonly string[])[] {
  return subsetsOf(document, 'allowed').units;
}

function subsetsOf({ baseText, edits, scope }: ProposedDocument, code: CodeEdits): EditSubsets {
  return new EditSubsets({ base: baseText, edits, scope, code });
}

/** The edits of a document that were accepted, where its file holds exactly what they make; none where it does not. */
async function takenBefore(
  skill: OpenSkill,
  document: ProposedDocument,
  subsets: EditSubsets,
): Promise<ReadonlySet<string>> {
  const now = await textNow(skill, document).catch(() => undefined);
  return (now === undefined ? undefined : editsInText(subsets, now)) ?? new Set();
}

function refuseUnknown(chosen: readonly string[], known: readonly string[]): void {
  const unknown = chosen.find((id) => !known.includes(id));
  if (unknown !== undefined) {
    throw new UserError('usage', `The proposal has no edit ${unknown}.`, `Its edits are: ${known.join(', ')}.`);
  }
  if (chosen.length === 0) {
    throw new UserError('usage', 'No edit was named.', `Name some of: ${known.join(', ')}.`);
  }
}

function refuseTwice(twice: readonly string[]): void {
  if (twice.length === 0) return;
  throw new UserError('usage', `In the skill already: ${twice.join(', ')}.`, 'Name only edits that are still open.');
}

/** No chosen edit is left out in silence, and none is cut off from what it needs. */
function refuseParted(subsets: EditSubsets, all: ReadonlySet<string>): void {
  for (const unit of subsets.units) refuseHalf(unit, all);
  const [lost] = subsets.take(all).lost;
  if (lost !== undefined) {
    throw new UserError('usage', `${lost.id} cannot be applied: ${lost.outcome.detail}`, 'Leave it out.');
  }
}

function refuseHalf(unit: readonly string[], chosen: ReadonlySet<string>): void {
  const missing = unit.filter((id) => !chosen.has(id));
  if (missing.length === 0 || missing.length === unit.length) return;
  throw new UserError('usage', togetherSentence(unit, english), `Name all of them: ${unit.join(',')}.`);
}
