import { withEvidence } from '../../engine/makeProposal.js';
import { UserError } from '../../errors.js';
import { unmeasured } from '../../wording/verdicts.js';
import type { Proposal } from '../../ports/proposal.js';
import { readDecisions, removeDecisions } from '../../storage/proposals/decisions.js';
import { readProposal, writeProposal } from '../../storage/proposals/proposals.js';
import type { OpenSkill } from '../openSkill.js';
import { rebase, type LostEdit } from '../../review/rebase.js';
import { withoutEdits } from './chosenPart.js';
import { textNow } from './documentFiles.js';

/** A proposal that was moved onto the files as they are. It was measured by nobody until it is measured again. */
export interface RebasedProposal {
  readonly proposal: Proposal;
  readonly lost: readonly LostEdit[];
  /** Edits whose change the files already have, by id. */
  readonly present: readonly string[];
}

/** Moves the pending proposal onto the files as they are now, and stages it in place of the old one. Edits no file. */
export async function rebasePending(skill: OpenSkill): Promise<RebasedProposal> {
  const { isStaged, ...moved } = await movedProposal(skill);
  if (isStaged) return moved;
  // What was accepted is in the files, and what was rejected is no part of the proposal any more.
  await removeDecisions(skill.store);
  await writeProposal(skill.store, moved.proposal);
  return moved;
}

/**
 * The pending proposal as it would be on the files as they are now; writes nothing. One that was moved and never measured,
 * because that was cut off, is given as it is: it is staged already.
 */
export async function movedProposal(skill: OpenSkill): Promise<RebasedProposal & { readonly isStaged: boolean }> {
  const before = await pending(skill);
  const texts = await Promise.all(before.documents.map((document) => textNow(skill, document)));
  if (before.documents.every(({ baseText }, index) => texts[index] === baseText)) {
    if (before.verdict.kind === 'unmeasured') return { proposal: before, lost: [], present: [], isStaged: true };
    throw notStale();
  }
  const rejected = await rejectedIn(skill, before);
  const moved = before.documents.map((document, index) => {
    const now = texts[index];
    return now === undefined ? undefined : rebase(withoutEdits(document, rejected), now);
  });
  const found = moved.filter((each) => each !== undefined);
  const documents = found.map(({ document }) => document).filter(({ edits }) => edits.length > 0);
  const lost = found.flatMap((each) => each.lost);
  if (documents.length === 0) throw nothingLeft(lost);
  const nothing = { verdict: unmeasured('edited-by-hand'), comparisons: [], answers: {} };
  // The other candidates were made from the text of then.
  const { candidates: _others, ...rest } = before;
  const proposal = withEvidence({ ...rest, documents }, nothing, undefined);
  return { proposal, lost, present: found.flatMap((each) => each.present), isStaged: false };
}

/** The edits that the person rejected: they do not come back by a change of the file. */
async function rejectedIn(skill: OpenSkill, { id }: Proposal): Promise<ReadonlySet<string>> {
  const decided = Object.entries(await readDecisions(skill.store, id));
  return new Set(decided.flatMap(([edit, { kind }]) => (kind === 'rejected' ? [edit] : [])));
}

async function pending(skill: OpenSkill): Promise<Proposal> {
  const reading = await readProposal(skill.store);
  if (reading.kind === 'verified') return reading.proposal;
  throw new UserError('proposal-missing', 'No proposal of yours waits for this skill.', 'Optimize the skill first.');
}

/** A rebase gives up what was measured: it is made only where the files are no longer those of the run. */
function notStale(): UserError {
  return new UserError(
    'usage',
    'The files are still those that the proposal was made from: there is nothing to rebase.',
    'Review the proposal, or adopt it.',
  );
}

function nothingLeft(lost: readonly LostEdit[]): UserError {
  const [first] = lost;
  const why = first === undefined ? '' : ` The first one: ${first.reason}`;
  return new UserError(
    'proposal-stale',
    `None of the edits finds its place in the files as they are now.${why}`,
    'Optimize the skill again.',
  );
}
