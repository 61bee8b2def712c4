import { lstat, stat } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { Proposal } from '../../ports/proposal.js';
import { UserError } from '../../errors.js';
import { isScriptDocument } from '../../skill/package/packageFile.js';
import { fileOf, type Edit } from '../../skill/edits/edit.js';
import { unlessMissing } from '../files/fileErrors.js';
import { makeFolderInside } from '../files/insideFolder.js';
import { removeInside } from '../files/writeInside.js';
import { changesPackage } from '../adoption/receipts.js';
import { type ForeignProposal, isMadeElsewhere, rebuilt } from './madeElsewhere.js';
import { proposalObject } from './proposalSchema.js';
import {
  newerStore,
  readBounded,
  type SealedFormat,
  type Sealing,
  unseal,
  writeSealedInside,
  writeUnsealedInside,
} from '../files/sealedFile.js';
import { HiddenSecrets, withoutSecrets, withSecrets } from '../state/hiddenSecrets.js';
import type { SkillStore } from '../state/store.js';

/**
 * The pending proposal of a skill as found. A `made-elsewhere` one is made anew of its edits and stripped of its figures:
 * what was not measured here proves nothing here.
 */
export type ProposalReading =
  | { readonly kind: 'verified'; readonly proposal: Proposal }
  | ({ readonly kind: 'made-elsewhere' } & ForeignProposal)
  | { readonly kind: 'broken'; readonly reason: string }
  | { readonly kind: 'newer' }
  | { readonly kind: 'missing' };

/** A proposal as it lies in the workspace: the secrets that its documents hold are encrypted beside it. */
type StoredProposal = Proposal & { readonly secrets?: Readonly<Record<string, string>> | undefined };

const schema: z.ZodType<StoredProposal> = z.lazy(() => proposalObject.extend({ secrets: HiddenSecrets }));
/** An earlier version knows nothing of hidden secrets, and would adopt what stands for them. */
const hiding: SealedFormat<StoredProposal> = { format: 'whetstone-proposal', version: 3, schema };
const plain: SealedFormat<StoredProposal> = { ...hiding, version: 2 };
/** An earlier version knows no edit of the slow-update block. */
const guiding: SealedFormat<StoredProposal> = { ...hiding, version: 4 };
/** An earlier version knows no other candidates, and would lose them. */
const choosing: SealedFormat<StoredProposal> = { ...hiding, version: 5 };
/** An earlier version knows no edit of the appendix. */
const reminding: SealedFormat<StoredProposal> = { ...hiding, version: 6 };
/** An earlier version knows no edit that an environment proposed. */
const naming: SealedFormat<StoredProposal> = { ...hiding, version: 7 };
/** An earlier version knows no document but the skill and the memory file, and no edit that names its file. */
const packaging: SealedFormat<StoredProposal> = { ...hiding, version: 8 };
/** An earlier version knows no script among them, and not that an edit was refused for its syntax. */
const scripting: SealedFormat<StoredProposal> = { ...hiding, version: 9 };
const ending = '.json';

/** Reads the one pending proposal of the store's skill. Throws `store-newer` where a newer Whetstone wrote it. */
export async function readProposal(store: SkillStore): Promise<ProposalReading> {
  const reading = await readFrom(store, proposalFile(store));
  if (reading.kind === 'newer') throw newerStore(proposalFile(store));
  return reading;
}

/** The same for those who only look: a newer one is a value. */
export function lookAtProposal(store: SkillStore): Promise<ProposalReading> {
  return readFrom(store, proposalFile(store));
}

/**
 * Throws where a proposal could not be staged in the end, before anything is paid for one: a link leads its folder out of
 * the workspace, something else has its name, or a newer Whetstone wrote the one that waits.
 */
export async function refuseUnstageable(store: SkillStore): Promise<void> {
  const file = proposalFile(store);
  for (const folder of ['proposals', 'decisions']) {
    await makePlainFolder(store.places.workspaceState, path.join(store.places.workspaceState, folder));
  }
  if ((await unlessMissing(lstat(file)))?.isDirectory() === true) throw notAFile(file);
  await readProposal(store);
}

async function makePlainFolder(within: string, folder: string): Promise<void> {
  const found = await unlessMissing(stat(folder));
  if (found?.isDirectory() === false) throw notAFolder(folder);
  await makeFolderInside(within, folder);
}

function notAFolder(folder: string): UserError {
  return new UserError(
    'store-unusable',
    `${folder} is not a folder, so no proposal could be kept.`,
    'Remove it; Whetstone makes the folder anew.',
  );
}

function notAFile(file: string): UserError {
  return new UserError(
    'store-unusable',
    `${file} is a folder, so no proposal could be kept.`,
    'Remove it, then run again.',
  );
}

/** Where the pending proposal of the store's skill lies, there or not. */
export function proposalFile({ places }: SkillStore): string {
  return path.join(places.workspaceState, 'proposals', `${places.skillKey}${ending}`);
}

/**
 * Stages a proposal in place of the one that was pending. Equal proposals give equal bytes. One that was made elsewhere is
 * not sealed: it stays what it is.
 */
export async function writeProposal(store: SkillStore, proposal: Proposal): Promise<void> {
  if (proposal.skillKey !== store.places.skillKey) throw new TypeError('The proposal is for another skill.');
  await write(store, proposal, proposalFile(store));
}

async function write(store: SkillStore, proposal: Proposal, file: string): Promise<void> {
  const { workspaceState } = store.places;
  if (isMadeElsewhere(proposal)) return writeUnsealedInside(workspaceState, formatOf(proposal), file, proposal);
  const { value, secrets } = withoutSecrets(store, proposal);
  const format = formatOf(proposal, secrets === undefined ? plain : hiding);
  const sealed = { ...sealing(store, proposal.skillKey), format };
  return writeSealedInside(workspaceState, sealed, file, secrets === undefined ? value : { ...value, secrets });
}

/** The lowest version that holds all of it: whoever has an earlier Whetstone reads what they can. */
function formatOf(proposal: Proposal, least = plain): SealedFormat<StoredProposal> {
  if (isAboutScripts(proposal)) return scripting;
  if (changesPackage(proposal) || editsOf(proposal).some((edit) => fileOf(edit) !== undefined)) return packaging;
  if (isOfEnvironment(proposal)) return naming;
  if (hasEdit(proposal, 'appendix')) return reminding;
  if (proposal.candidates !== undefined) return choosing;
  return hasEdit(proposal, 'slow_update') ? guiding : least;
}

function isAboutScripts({ documents, candidates, leftOut }: Proposal): boolean {
  const others = (candidates?.others ?? []).flatMap(({ files = [] }) => files);
  const files = [...documents, ...others.map(({ path: file }) => ({ kind: 'file', path: file }))];
  const isSyntax = leftOut.some(({ outcome }) => outcome.kind === 'refused' && outcome.reason === 'syntax');
  return isSyntax || files.some(isScriptDocument);
}

function isOfEnvironment({ documents, candidates }: Proposal): boolean {
  const lists = [...documents, ...(candidates?.others ?? [])];
  return lists.some(({ edits }) => edits.some(({ source }) => source === 'environment'));
}

function hasEdit(proposal: Proposal, op: 'slow_update' | 'appendix'): boolean {
  return editsOf(proposal).some((edit) => edit.op === op);
}

/** Every edit that a proposal holds, whatever became of it. */
function editsOf({ documents, leftOut, candidates, dropped = [] }: Proposal): readonly Edit[] {
  const others = (candidates?.others ?? []).flatMap((other) => [...other.edits, ...(other.dropped ?? [])]);
  const edits = [...documents.flatMap((document) => document.edits), ...leftOut, ...others, ...dropped];
  return edits.map(({ edit }) => edit);
}

/** For when everything of it is decided. It is kept beside, in case that is undone; one at most for each skill. */
export async function putAwayProposal(store: SkillStore): Promise<void> {
  const reading = await readProposal(store);
  if (reading.kind === 'verified') await write(store, reading.proposal, putAwayFile(store));
  await removeProposal(store);
}

/** The proposal that was put away last, where it is this one. */
export async function takeOutProposal(store: SkillStore, id: string): Promise<Proposal | undefined> {
  const reading = await readFrom(store, putAwayFile(store));
  return reading.kind === 'verified' && reading.proposal.id === id ? reading.proposal : undefined;
}

/** Forgets the one that was put away. */
export async function removePutAway(store: SkillStore): Promise<void> {
  await removeInside(store.places.workspaceState, putAwayFile(store));
}

/** For when it is rejected whole, or lapses. */
export async function removeProposal(store: SkillStore): Promise<void> {
  await removeInside(store.places.workspaceState, proposalFile(store));
}

async function readFrom(store: SkillStore, file: string): Promise<ProposalReading> {
  const text = await readBounded(file);
  if (text === undefined) return { kind: 'missing' };
  const reading = unseal(sealing(store, store.places.skillKey), text);
  switch (reading.kind) {
    case 'verified':
      return { kind: 'verified', proposal: asMade(store, reading.body) };
    case 'made-elsewhere':
      return { kind: 'made-elsewhere', ...rebuilt(asMade(store, reading.body), store.places.documentPath) };
    case 'broken':
    case 'newer':
      return reading;
  }
}

function asMade(store: SkillStore, { secrets, ...proposal }: StoredProposal): Proposal {
  return withSecrets(store, proposal, secrets);
}

function sealing(store: SkillStore, skillKey: string): Sealing<StoredProposal> {
  return { key: store.key, format: scripting, about: `skill ${skillKey}` };
}

function putAwayFile({ places }: SkillStore): string {
  return path.join(places.workspaceState, 'proposals', `${places.skillKey}.decided${ending}`);
}
