import { lstat, stat } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { Proposal } from '../../ports/proposal.js';
import { UserError } from '../../errors.js';
import { unlessMissing } from '../files/fileErrors.js';
import { makeFolderInside } from '../files/insideFolder.js';
import { removeInside } from '../files/writeInside.js';
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
const ending = '.json';

/** Reads the one pending proposal of the store's skill. Throws `store-newer` where a newer Whetstone wrote it. */
export async function readProposal(store: SkillStore): Promise<ProposalReading> {
  const reading = await read(store, store.places.skillKey);
  if (reading.kind === 'newer') throw newerStore(proposalFile(store));
  return reading;
}

/** The same for those who only look: a newer one is a value. */
export function lookAtProposal(store: SkillStore): Promise<ProposalReading> {
  return read(store, store.places.skillKey);
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
    `${folder} is not a folder, so no proposal could be staged.`,
    'Remove it; Whetstone makes the folder anew.',
  );
}

function notAFile(file: string): UserError {
  return new UserError(
    'store-unusable',
    `${file} is a folder, so no proposal could be staged.`,
    'Remove it, then run again.',
  );
}

/** Where the pending proposal of the store's skill lies, there or not. */
export function proposalFile(store: SkillStore): string {
  return fileOf(store, store.places.skillKey);
}

/**
 * Stages a proposal in place of the one that was pending. Equal proposals give equal bytes. One that was made elsewhere is
 * not sealed: it stays what it is.
 */
export async function writeProposal(store: SkillStore, proposal: Proposal): Promise<void> {
  if (proposal.skillKey !== store.places.skillKey) throw new TypeError('The proposal is for another skill.');
  const file = fileOf(store, proposal.skillKey);
  const { workspaceState } = store.places;
  if (isMadeElsewhere(proposal)) return writeUnsealedInside(workspaceState, plain, file, proposal);
  const { value, secrets } = withoutSecrets(store, proposal);
  const sealed = sealing(store, proposal.skillKey);
  if (secrets === undefined) return writeSealedInside(workspaceState, { ...sealed, format: plain }, file, value);
  return writeSealedInside(workspaceState, sealed, file, { ...value, secrets });
}

/** For when it is adopted or rejected whole; the receipt remembers its id. */
export async function removeProposal(store: SkillStore): Promise<void> {
  await removeInside(store.places.workspaceState, proposalFile(store));
}

async function read(store: SkillStore, skillKey: string): Promise<ProposalReading> {
  const text = await readBounded(fileOf(store, skillKey));
  if (text === undefined) return { kind: 'missing' };
  const reading = unseal(sealing(store, skillKey), text);
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
  return { key: store.key, format: hiding, about: `skill ${skillKey}` };
}

function folderOf({ places }: SkillStore): string {
  return path.join(places.workspaceState, 'proposals');
}

function fileOf(store: SkillStore, skillKey: string): string {
  return path.join(folderOf(store), `${skillKey}${ending}`);
}
