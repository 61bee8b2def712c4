import type { UserError } from '../../errors.js';
import type { Proposal } from '../../ports/proposal.js';
import { readDecisions } from '../../storage/proposals/decisions.js';
import { lookAtProposal, proposalFile } from '../../storage/proposals/proposals.js';
import type { OpenSkill } from '../openSkill.js';
import type { TextOnDisk } from '../../review/measurementStatus.js';
import type { EditDecision } from '../../review/reviewDecision.js';
import { boundEdits, isStale } from './chosenPart.js';
import { documentFiles } from './documentFiles.js';
import { acceptedFiles } from './acceptedFiles.js';
import { measuredSince, type AdoptedVersion } from './versions.js';

/** A proposal that waits for the person. */
export interface PendingProposal {
  readonly proposal: Proposal;
  readonly file: string;
  /** Where its documents lie, by their paths in it; one that it may not change has none. */
  readonly documentFiles: Readonly<Record<string, string>>;
  /** False: made elsewhere, not measured here; shown, never adopted unattended. */
  readonly own: boolean;
  /** Of one that was made elsewhere: the documents beside the skill that it wanted to change, which are left out. */
  readonly dropped: readonly string[];
  /** Of one that was made elsewhere: why it is only shown; undefined where it may be adopted. */
  readonly refusal: UserError | undefined;
  /** True where the skill on disk is no longer the text the proposal was made from. */
  readonly stale: boolean;
  /** Edits that can only be decided together. */
  readonly bound: readonly (readonly string[])[];
  /** By edit id. */
  readonly decisions: Readonly<Record<string, EditDecision>>;
}

/** The proposal that waits for this skill, with what was decided on it so far. What cannot be read is none. */
export async function pendingOf(skill: OpenSkill): Promise<PendingProposal | undefined> {
  const reading = await lookAtProposal(skill.store);
  if (reading.kind !== 'verified' && reading.kind !== 'made-elsewhere') return undefined;
  const { proposal } = reading;
  const names = proposal.documents.map(({ kind, path }) => ({ kind, documentPath: path }));
  return {
    proposal,
    file: proposalFile(skill.store),
    documentFiles: await documentFiles(skill.places, names),
    own: reading.kind === 'verified',
    dropped: reading.kind === 'verified' ? [] : reading.dropped,
    refusal: reading.kind === 'verified' ? undefined : reading.refusal,
    stale: await isStale(skill, proposal),
    bound: proposal.documents.flatMap(boundEdits),
    decisions: await decisionsOn(skill, proposal.id),
  };
}

async function decisionsOn(skill: OpenSkill, proposalId: string): Promise<Readonly<Record<string, EditDecision>>> {
  const decisions = Object.entries(await readDecisions(skill.store, proposalId));
  return Object.fromEntries(
    decisions.map(([id, decision]) => [id, decision.kind === 'edited' ? { kind: 'edited' as const } : decision]),
  );
}

function isTaken(decision: EditDecision | undefined): boolean {
  return decision !== undefined && decision.kind !== 'rejected';
}

/** What decides whether the text of the skill on disk was measured. */
export async function textOnDisk(
  skill: OpenSkill,
  pending: PendingProposal | undefined,
  versions: readonly AdoptedVersion[],
): Promise<TextOnDisk> {
  const history = versions.filter(({ document }) => document === 'skill');
  const hasFiles = versions.some(({ document, files }) => document === 'file' || files.length > 1);
  const beside = hasFiles ? await filesBeside(skill, pending?.proposal.id) : undefined;
  if (pending !== undefined) {
    const { id, documents } = pending.proposal;
    const document = documents.find(({ kind }) => kind === 'skill');
    const edits = documents.filter(({ kind }) => kind === 'file').flatMap((each) => each.edits);
    const taken = edits.filter((edit) => isTaken(pending.decisions[edit.id])).length;
    const waiting = { proposalId: id, document, files: { taken, of: edits.length } };
    return { hash: skill.hash, pending: waiting, decisions: pending.decisions, history, beside };
  }
  const last = versions.find(({ own, document }) => own && (beside !== undefined || document === 'skill'))?.proposalId;
  const decisions = last === undefined ? {} : await decisionsOn(skill, last);
  return { hash: skill.hash, pending: undefined, decisions, history, beside };
}

/** Files that hold edits of the proposal that waits, or else of the one adopted last. */
async function filesBeside(skill: OpenSkill, waiting: string | undefined): Promise<TextOnDisk['beside']> {
  const files = await acceptedFiles(skill);
  if (files === undefined || (waiting !== undefined && waiting !== files.proposalId)) return undefined;
  return { verdict: files.verdict, measured: await measuredSince(skill.store, skill.hash, files.after) };
}
