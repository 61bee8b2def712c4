import { rejectedRow } from '../../engine/rejectedEdits.js';
import type { RejectedEdit } from '../../engine/stages/history.js';
import { UserError } from '../../errors.js';
import type { Proposal, ProposedDocument } from '../../ports/proposal.js';
import { adopt } from '../../storage/adoption/adopt.js';
import {
  readDecisions,
  noteDecisions,
  removeDecisions,
  takeDecisionsBack,
  type Decisions,
} from '../../storage/proposals/decisions.js';
import {
  putAwayProposal,
  readProposal,
  removeProposal,
  takeOutProposal,
  writeProposal,
  type ProposalReading,
} from '../../storage/proposals/proposals.js';
import { rejectedEditsOf } from '../../storage/proposals/rejectedEdits.js';
import type { OpenSkill, SkillPlace } from '../openSkill.js';
import { lastAdoption, undoLast } from '../../storage/adoption/history.js';
import { ownReceipts, type Receipt } from '../../storage/adoption/receipts.js';
import { type AdoptedVersion, versionOf } from './versions.js';
import type { EditDecision } from '../../review/reviewDecision.js';
import { putCandidateBack } from './chooseCandidate.js';
import { chosenPart, missingFromFile, refuseRejecting, type ChosenPart } from './chosenPart.js';
import { refuseUnparsed } from './parsedDocuments.js';

/** What the person wants of a proposal. */
export interface AdoptChoice {
  /** Only these; all of them without it. */
  readonly edits?: readonly string[] | undefined;
  /** They were shown that it was made elsewhere, and want it all the same. */
  readonly madeElsewhere?: boolean | undefined;
  /** Another candidate of the run instead of the one in front. */
  readonly candidate?: string | undefined;
}

/** Adopts the pending proposal, or only some of its edits; a part was never measured as it is and is labelled so. */
export async function adoptPending(
  skill: OpenSkill,
  { edits, madeElsewhere }: AdoptChoice,
  signal: AbortSignal,
): Promise<AdoptedVersion> {
  const reading = await readProposal(skill.store);
  const proposal = proposalOf(reading);
  // What was proposed here was lawful for its run; what comes from elsewhere changes no code.
  const code = reading.kind === 'verified' ? 'allowed' : 'refused';
  const gone = await missingFromFile(skill, proposal);
  if (gone.length > 0) await reopenEdits(skill, proposal, gone, signal);
  const part = await chosenPart(skill, { proposal, code }, edits);
  const texts = proposal.documents.map((document) => ({ ...document, text: writtenText(document, part) }));
  await refuseUnparsed(texts, skill.scriptParser, signal);
  const receipt = await adopt(skill.store, { reading, attended: true, madeElsewhere, ...part }, signal);
  if (part === undefined) {
    await putAwayProposal(skill.store);
    await removeDecisions(skill.store);
  } else {
    const accepted = part.edits.map((id) => [id, { kind: 'accepted' as const }] as const);
    await rejectedEditsOf(skill.store).remove(rowsOf(proposal, part.edits), signal); // some may have been rejected before
    await decideOn(skill, Object.fromEntries(accepted), signal);
  }
  return versionOf(skill, receipt);
}

function writtenText({ path, candidateText }: ProposedDocument, part: ChosenPart | undefined): string {
  return part?.texts?.[path] ?? candidateText;
}

/**
 * Writes down what was decided on single edits; rejected ones are remembered, so that they are not proposed again. The
 * last decision puts the proposal away; what was decided stays, for one of them may be taken back.
 */
export async function decideOn(
  skill: SkillPlace,
  decided: Readonly<Record<string, EditDecision>>,
  signal: AbortSignal,
): Promise<void> {
  const proposal = proposalOf(await readProposal(skill.store));
  const rows = Object.entries(decided).map(([id, decision]) => [id, stored(decision)] as const);
  const all = await noteDecisions(skill.store, proposal.id, Object.fromEntries(rows), signal);
  await rememberRejected(skill, proposal, decided, signal);
  const open = proposal.documents.flatMap((document) => document.edits).filter(({ id }) => all[id] === undefined);
  if (open.length === 0) await putAwayProposal(skill.store);
}

/** Adds why edits were rejected, as far as they still are. */
export async function explainRejected(
  skill: SkillPlace,
  {
    proposal,
    edits,
    reason,
  }: { readonly proposal: Proposal; readonly edits: readonly string[]; readonly reason: string },
  signal: AbortSignal,
): Promise<void> {
  const before = await readDecisions(skill.store, proposal.id);
  const explained = edits
    .filter((id) => before[id]?.kind === 'rejected')
    .map((id) => [id, { kind: 'rejected' as const, reason }] as const);
  if (explained.length === 0) return;
  await noteDecisions(skill.store, proposal.id, Object.fromEntries(explained), signal);
  await rememberRejected(skill, proposal, Object.fromEntries(explained), signal);
}

/** Takes decisions back: what was rejected may be proposed again. A proposal that the last of them had put away is staged again, as it was. */
export async function reopenEdits(
  skill: SkillPlace,
  proposal: Proposal,
  edits: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  await rejectedEditsOf(skill.store).remove(rowsOf(proposal, edits), signal);
  await takeDecisionsBack(skill.store, proposal.id, edits, signal);
  if ((await readProposal(skill.store)).kind === 'missing') await writeProposal(skill.store, proposal);
}

/** What an undo left, and the ids of the edits that it took out of the skill. */
export interface UndoneVersion extends AdoptedVersion {
  readonly takenBack: readonly string[];
  /** The candidate that is in front again, where another had been adopted in its place. */
  readonly proposedAgain?: string | undefined;
}

/**
 * Takes the last adoption back. What it had taken is to be decided again, also where the last of it had put the proposal
 * away: that is staged before the file is changed, so that a kill in between loses no proposal that was paid for.
 */
export async function undoAdoption(skill: SkillPlace, signal: AbortSignal): Promise<UndoneVersion> {
  const receipts = await ownReceipts(skill.store);
  const adoption = lastAdoption(receipts);
  const seqs = adoption?.seqs ?? [];
  const taken = receipts.toReversed().flatMap(({ seq, edits }) => (seqs.includes(seq) ? edits : []));
  const takenBack = [...new Set(taken)];
  const receipt = await undoAndReopen(skill, { proposalId: adoption?.proposalId, takenBack }, signal);
  const proposedAgain = await putCandidateBack(skill, adoption?.proposalId);
  const version = await versionOf(skill, receipt);
  return { ...version, takenBack, ...(proposedAgain === undefined ? {} : { proposedAgain }) };
}

async function undoAndReopen(
  skill: SkillPlace,
  { proposalId, takenBack }: { readonly proposalId: string | undefined; readonly takenBack: readonly string[] },
  signal: AbortSignal,
): Promise<Receipt> {
  const proposal = await proposalBehind(skill, proposalId);
  if (proposal === undefined) return undoLast(skill.store, signal);
  const wasWaiting = (await readProposal(skill.store)).kind !== 'missing';
  const decided = await readDecisions(skill.store, proposal.id);
  await reopenEdits(skill, proposal, takenBack, signal);
  try {
    return await undoLast(skill.store, signal);
  } catch (error) {
    if (Object.keys(decided).length > 0) await noteDecisions(skill.store, proposal.id, decided, signal);
    if (!wasWaiting) await putAwayProposal(skill.store);
    throw error;
  }
}

/** The proposal that an adoption took something of: it waits, or was put away. Undefined where another one waits. */
async function proposalBehind({ store }: SkillPlace, id: string | undefined): Promise<Proposal | undefined> {
  if (id === undefined) return undefined;
  const reading = await readProposal(store);
  const proposal = reading.kind === 'missing' ? await takeOutProposal(store, id) : known(reading);
  return proposal?.id === id ? proposal : undefined;
}

/** Puts the proposal away, or rejects only some of its edits. */
export async function rejectPending(
  skill: OpenSkill,
  { edits, reason }: { readonly edits?: readonly string[] | undefined; readonly reason?: string | undefined },
  signal: AbortSignal,
): Promise<void> {
  const proposal = proposalOf(await readProposal(skill.store));
  if (edits !== undefined) {
    await refuseRejecting(skill, proposal, edits);
    const rejected = edits.map((id) => [id, { kind: 'rejected' as const, reason }] as const);
    return decideOn(skill, Object.fromEntries(rejected), signal);
  }
  const decided = await readDecisions(skill.store, proposal.id);
  const all = proposal.documents.flatMap((document) => document.edits.map(({ id }) => id));
  const ids = all.filter((id) => decided[id]?.kind !== 'accepted');
  await rememberRejected(
    skill,
    proposal,
    Object.fromEntries(ids.map((id) => [id, { kind: 'rejected' as const, reason }])),
    signal,
  );
  await forget(skill);
}

async function forget(skill: OpenSkill): Promise<void> {
  await removeProposal(skill.store);
  await removeDecisions(skill.store);
}

async function rememberRejected(
  skill: SkillPlace,
  proposal: Proposal,
  decided: Readonly<Record<string, EditDecision>>,
  signal: AbortSignal,
): Promise<void> {
  const rejected = proposal.documents.flatMap((document) =>
    document.edits.flatMap(({ id, edit }) => {
      const decision = decided[id];
      if (decision?.kind !== 'rejected') return [];
      return [rejectedRow(edit, decision.reason ?? 'the person rejected it')];
    }),
  );
  if (rejected.length > 0) await rejectedEditsOf(skill.store).add(rejected, signal);
}

/** As the list of rejected edits holds them, whatever the reason was. */
function rowsOf({ documents }: Proposal, ids: readonly string[]): readonly RejectedEdit[] {
  const edits = documents.flatMap((document) => document.edits).filter(({ id }) => ids.includes(id));
  return edits.map(({ edit }) => rejectedRow(edit, ''));
}

function known(reading: ProposalReading): Proposal | undefined {
  return reading.kind === 'verified' || reading.kind === 'made-elsewhere' ? reading.proposal : undefined;
}

function proposalOf(reading: ProposalReading): Proposal {
  const proposal = known(reading);
  if (proposal !== undefined) return proposal;
  throw new UserError('proposal-missing', 'There is no proposal for this skill.', 'Optimize the skill first.');
}

function stored(decision: EditDecision): Decisions[string] {
  switch (decision.kind) {
    case 'accepted':
      return decision;
    case 'rejected':
      return { kind: 'rejected', reason: decision.reason ?? '' };
    case 'edited':
      return { kind: 'edited', content: '' };
  }
}
