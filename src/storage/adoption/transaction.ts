import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../errors.js';
import { keepBackup } from '../files/contentStore.js';
import { type DocumentName, documentTarget, readOnly } from './documentTarget.js';
import { durableWrite, temporaryNameFor, probeOf } from '../files/durableWrite.js';
import { hasCode, unlessMissing } from '../files/fileErrors.js';
import { makeFolderInside, nearestExisting } from '../files/insideFolder.js';
import { sha256 } from '../../hash.js';
import type { HeldLock } from '../files/lock.js';
import { nextSeq, type Receipt, writeReceipt, rememberContent } from './receipts.js';
import { recoverHeld, removeTransaction, type OpenTransaction, writeTransaction } from './recover.js';
import { withFileLocks } from '../state/skillLocks.js';
import type { SkillStore } from '../state/store.js';

/** A document as it is now, under lock. */
export interface LiveDocument extends DocumentName {
  /** Its real path. */
  readonly target: string;
  /** No bytes where the file is gone. */
  readonly live: Uint8Array;
}

/** Which documents, and whether one that is gone is refused or made again. */
interface DocumentsToChange {
  readonly names: readonly DocumentName[];
  readonly missing: 'refused' | 'made';
}

/** What a change is for: the part of its receipt that the caller knows. */
export type ChangeNote = Pick<Receipt, 'action' | 'proposalId' | 'verdict' | 'edits' | 'undoes'>;

/** What every document becomes, and what the receipt says about it. */
export interface Change {
  readonly note: ChangeNote;
  readonly documents: readonly (LiveDocument & { readonly after: Uint8Array })[];
}

/**
 * Replaces documents of a skill, all or none, and leaves a receipt. A kill at any point leaves each file as the old
 * bytes or the new ones, and recovery makes them all alike. `plan` sees the live bytes and refuses by throwing;
 * nothing has been written then.
 */
export async function changeDocuments(
  store: SkillStore,
  { names, missing }: DocumentsToChange,
  plan: (documents: readonly LiveDocument[]) => Promise<Change>,
  signal: AbortSignal,
): Promise<Receipt> {
  const { skillId, skillPath } = store.places;
  const targets = await Promise.all(names.map((name) => documentTarget(store.places, name, missing)));
  // The skill's own lock first and always: it guards the transaction, whatever the documents are.
  const paths = [skillPath, ...targets.filter((target) => target !== skillPath).sort()];
  return withFileLocks(store, { paths, what: 'changing a skill' }, signal, async (locks) => {
    await recoverHeld(store, skillId);
    const change = await plan(await Promise.all(names.map((name) => readLive(store, name, missing))));
    const transaction = await prepare(store, change);
    signal.throwIfAborted();
    await writeTransaction(store, transaction, probeOf(store.probe, 'transaction'));
    try {
      await replaceAll(store, change, transaction, locks);
    } catch (error) {
      // Where the bytes are all in place and only a last sync failed, the change did happen.
      const recovery = await recoverHeld(store, skillId);
      if (recovery?.kind === 'finished') return recovery.receipt;
      throw error;
    }
    await writeReceipt(store, transaction.receipt, { probe: probeOf(store.probe, 'receipt') });
    store.probe('transaction-removed');
    await removeTransaction(store, skillId);
    await rememberContent(store, transaction.receipt);
    return transaction.receipt;
  });
}

async function readLive(store: SkillStore, name: DocumentName, missing: 'refused' | 'made'): Promise<LiveDocument> {
  const target = await documentTarget(store.places, name, missing);
  return { ...name, target, live: await bytesOf(target) };
}

async function bytesOf(file: string): Promise<Uint8Array> {
  return (await unlessMissing(readFile(file))) ?? new Uint8Array();
}

/** Backups first, then the transaction that names them: from here on a crash can be mended. */
async function prepare(store: SkillStore, { note, documents }: Change): Promise<OpenTransaction> {
  const { skillId, skillKey } = store.places;
  store.probe('backup');
  for (const { live, after } of documents) {
    await keepBackup(store, live);
    await keepBackup(store, after);
  }
  const receiptDocuments = documents.map(({ kind, documentPath, live, after }) => {
    return { kind, documentPath, before: sha256(live), after: sha256(after) };
  });
  const seq = await nextSeq(store);
  return {
    receipt: { seq, skillId, skillKey, at: store.clock.now(), ...note, documents: receiptDocuments },
    targets: documents.map(({ target }) => ({ path: target, temporary: temporaryNameFor(target) })),
  };
}

async function replaceAll(
  store: SkillStore,
  { documents }: Change,
  { targets }: OpenTransaction,
  locks: readonly HeldLock[],
): Promise<void> {
  for (const [index, { target, kind, live, after }] of documents.entries()) {
    const temporaryName = targets[index]?.temporary ?? temporaryNameFor(target);
    const beforeRename = async (): Promise<void> => {
      for (const lock of locks) if (!(await lock.isHeld())) lock.lost.throwIfAborted();
      if (sha256(await bytesOf(target)) !== sha256(live)) throw changedMeanwhile(target);
    };
    try {
      await makeMissingFolder(path.dirname(target));
      await durableWrite(target, after, { temporaryName, beforeRename, probe: probeOf(store.probe, kind) });
    } catch (error) {
      throw hasCode(error, 'EACCES', 'EPERM', 'EROFS') ? readOnly(target, error) : error;
    }
  }
}

/** A skill that was deleted may have taken its folder along. People and agents read there: it is no folder of ours. */
async function makeMissingFolder(folder: string): Promise<void> {
  const above = await nearestExisting(folder);
  if (above !== folder) await makeFolderInside(above, folder, 0o777);
}

/** The error of a file that is no longer what it was when the change was made up. */
export function changedMeanwhile(target: string): UserError {
  return new UserError(
    'skill-changed',
    `${target} was changed in this very moment.`,
    'Look at the file, then try again.',
  );
}
