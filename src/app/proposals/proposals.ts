import { messageOf } from '../../errors.js';
import { recordAdoption } from '../results/record.js';
import type { Proposal } from '../../ports/proposal.js';
import { restoreVersion } from '../../storage/adoption/history.js';
import { openPlace, openSkill, skillParser, type OpenSkill, type SkillPlace, type SkillRequest } from '../openSkill.js';
import type { World } from '../world.js';
import {
  adoptPending,
  decideOn,
  explainRejected,
  rejectPending,
  reopenEdits,
  undoAdoption,
  type AdoptChoice,
  type UndoneVersion,
} from './decisions.js';
import { isWhole, noteEditorAdoption, saveEditorFiles, type EditorSave, type EditorSaves } from './editorSaves.js';
import type { EditDecision } from '../../review/reviewDecision.js';
import { refuseEditorWrite, type EditorWrite } from './editorWrites.js';
import { textNow } from './documentFiles.js';
import { adoptCandidate, chooseCandidate, pendingCandidate } from './chooseCandidate.js';
import { refuseUnparsed } from './parsedDocuments.js';
import { pendingOf, type PendingProposal } from './pending.js';
import { rejectedEditsOf } from '../../storage/proposals/rejectedEdits.js';
import { rebasePending, type RebasedProposal } from './rebase.js';
import { versionOf, type AdoptedVersion } from './versions.js';

/** What a person does with a proposal, and with what was adopted. */
export interface ProposalUseCases {
  /** Writes the candidate (or, with `edits`, only those of it) to disk as one transaction. */
  adopt(request: SkillRequest & AdoptChoice, signal: AbortSignal): Promise<AdoptedVersion>;
  /** Notes what the person accepted or rejected in the editor; rejected edits are not proposed again. */
  decide(
    request: SkillRequest & { readonly decisions: Readonly<Record<string, EditDecision>> },
    signal: AbortSignal,
  ): Promise<void>;
  /** Throws where the editor must not change a document in this way; asked before every change that it makes by itself. */
  refuseWrite(request: SkillRequest & EditorWrite, signal: AbortSignal): Promise<void>;
  /** Writes down that the editor itself changed the file from one text to another by accepting edits. */
  noteAdoption(request: SkillRequest & EditorSave, signal: AbortSignal): Promise<AdoptedVersion>;
  /**
   * Has the editor save several files of a proposal as one adoption, or as one undo of it: all of them or none, also after
   * a crash. `save` writes them. Undefined where that changed nothing.
   */
  saveTogether(
    request: SkillRequest & EditorSaves,
    save: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<AdoptedVersion | undefined>;
  /** Adds why edits of a proposal were rejected, also where the last decision had put it away. */
  explain(
    request: SkillRequest & {
      readonly proposal: Proposal;
      readonly edits: readonly string[];
      readonly reason: string;
    },
    signal: AbortSignal,
  ): Promise<void>;
  /** The person took decisions back; the proposal is staged again where the last of them had put it away. */
  reopen(
    request: SkillRequest & { readonly proposal: Proposal; readonly edits: readonly string[] },
    signal: AbortSignal,
  ): Promise<void>;
  /**
   * Forgets edits that were not taken, or those at these places among them (from 1, newest first), so that they may be
   * proposed again; gives how many.
   */
  forgetRejected(
    request: SkillRequest & { readonly which?: readonly number[] | undefined },
    signal: AbortSignal,
  ): Promise<number>;
  /** Moves the pending proposal onto files that changed since it was made; it is not measured until it is gathered for. */
  rebase(request: SkillRequest, signal: AbortSignal): Promise<RebasedProposal>;
  /** Puts another candidate of the run in front; one that was not certified is `unmeasured`. */
  chooseCandidate(request: SkillRequest & { readonly candidate: string }, signal: AbortSignal): Promise<Proposal>;
  /** What waits as if that candidate were in front; changes nothing. Undefined where nothing waits. */
  showCandidate(
    request: SkillRequest & { readonly candidate: string },
    signal: AbortSignal,
  ): Promise<PendingProposal | undefined>;
  /** Puts the proposal away; with `edits`, rejects only those of it. */
  reject(
    request: SkillRequest & { readonly edits?: readonly string[] | undefined; readonly reason?: string | undefined },
    signal: AbortSignal,
  ): Promise<void>;
  /** Takes the last adoption back and nothing that was adopted before it, of the same proposal either. */
  undo(request: SkillRequest, signal: AbortSignal): Promise<UndoneVersion>;
  restore(request: SkillRequest & { readonly version: string }, signal: AbortSignal): Promise<AdoptedVersion>;
}

/** Wired to the stores of the skill that a request names. */
export function createProposalUseCases(world: World): ProposalUseCases {
  const open = (request: SkillRequest): Promise<OpenSkill> => openSkill(world, request, 'work');
  // What is decided in the editor is told while it saves the file, which holds nothing for a moment.
  const place = (request: SkillRequest): Promise<SkillPlace> => openPlace(world, request, 'work');
  return {
    async adopt(request, signal) {
      const skill = await open(request);
      const inFront = async (): Promise<AdoptedVersion> => {
        const pending = await pendingOf(skill);
        const write = (): Promise<AdoptedVersion> => adoptPending(skill, request, signal);
        const whole = async (): Promise<boolean> => holdsAll(await open(request), pending?.proposal);
        return recordedAdoption(world, skill, { pending, whole, write });
      };
      const { candidate } = request;
      return candidate === undefined ? inFront() : adoptCandidate(skill, candidate, inFront, signal);
    },
    showCandidate: async (request) => pendingCandidate(await openSkill(world, request, 'look'), request.candidate),
    decide: async (request, signal) => decideOn(await place(request), request.decisions, signal),
    async refuseWrite(request, signal) {
      const own = await place(request);
      await refuseEditorWrite(own, request);
      const { documentPath, change, pending } = request;
      const document = pending.proposal.documents.find(({ path }) => path === documentPath);
      if (document === undefined || change === undefined) return;
      await refuseUnparsed([{ ...document, text: change.after }], skillParser(world, own.places), signal);
    },
    noteAdoption: (request, signal) => notedAdoption(world, request, signal),
    saveTogether: (request, save, signal) => savedTogether(world, request, save, signal),
    explain: async (request, signal) => explainRejected(await place(request), request, signal),
    reopen: async (request, signal) => reopenEdits(await place(request), request.proposal, request.edits, signal),
    forgetRejected: async ({ which, ...request }, signal) => forgetRejected(await open(request), which, signal),
    rebase: async (request) => rebasePending(await open(request)),
    chooseCandidate: async (request) => chooseCandidate(await open(request), request.candidate),
    reject: async (request, signal) => rejectPending(await open(request), request, signal),
    async undo(request, signal) {
      const skill = await place(request);
      return undoAdoption(skill, signal);
    },
    async restore(request, signal) {
      const choice = { seq: Number(request.version), side: 'after' } as const;
      const skill = await place(request);
      return versionOf(skill, await restoreVersion(skill.store, choice, signal));
    },
  };
}

async function notedAdoption(
  world: World,
  request: SkillRequest & EditorSave,
  signal: AbortSignal,
): Promise<AdoptedVersion> {
  const skill = await openSkill(world, request, 'work');
  const write = (): Promise<AdoptedVersion> => noteEditorAdoption(skill, request, signal);
  const isAll = await isWhole(skill, { ...request, texts: { [request.documentPath]: request.after } });
  const whole = (): Promise<boolean> => Promise.resolve(isAll);
  return recordedAdoption(world, skill, { pending: request.pending, whole, write });
}

async function savedTogether(
  world: World,
  request: SkillRequest & EditorSaves,
  save: () => Promise<void>,
  signal: AbortSignal,
): Promise<AdoptedVersion | undefined> {
  const skill = await openSkill(world, request, 'work');
  const { pending } = request;
  const write = (): Promise<AdoptedVersion | undefined> => saveEditorFiles(skill, request, save, signal);
  const whole = async (): Promise<boolean> => holdsAll(await openSkill(world, request, 'work'), pending.proposal);
  return recordedAdoption(world, skill, { pending, whole, write });
}

/** All of them, or those at these places among them, from 1 and newest first; gives how many. */
async function forgetRejected(
  { store }: OpenSkill,
  which: readonly number[] | undefined,
  signal: AbortSignal,
): Promise<number> {
  const kept = rejectedEditsOf(store);
  const all = (await kept.all()).toReversed();
  const gone = which === undefined ? all : all.filter((_, index) => which.includes(index + 1));
  await kept.remove(gone, signal);
  return gone.length;
}

/** Whether the files are to the letter what was measured, however many adoptions it took. */
async function holdsAll(skill: OpenSkill, proposal: Proposal | undefined): Promise<boolean> {
  if (proposal === undefined) return false;
  const texts = await Promise.all(proposal.documents.map((document) => textNow(skill, document)));
  return proposal.documents.every(({ candidateText }, index) => candidateText === texts[index]);
}

interface Adoption<Version extends AdoptedVersion | undefined> {
  readonly pending: Pick<PendingProposal, 'proposal' | 'own'> | undefined;
  /** Whether the files now hold all that was measured. Asked after the adoption. */
  readonly whole: () => Promise<boolean>;
  /** Undefined where it changed nothing. */
  readonly write: () => Promise<Version>;
}

/**
 * Adopts, then writes the record that the team shares, if what was adopted is exactly what was measured. A record that
 * cannot be written undoes no adoption.
 */
async function recordedAdoption<Version extends AdoptedVersion | undefined>(
  world: World,
  skill: OpenSkill,
  { pending, whole, write }: Adoption<Version>,
): Promise<Version> {
  const version = await write();
  if (version === undefined || pending?.own !== true || !(await whole())) return version;
  try {
    await recordAdoption(skill, pending.proposal, version.at);
  } catch (error) {
    world.tell(`The record beside the skill could not be written: ${messageOf(error)}`);
  }
  return version;
}
