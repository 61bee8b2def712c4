import { readFile, unlink, readdir } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { UserError } from '../../errors.js';
import { readBackup } from '../files/contentStore.js';
import { durableWrite, noProbe, type Probe, syncFolder } from '../files/durableWrite.js';
import { unlessMissing } from '../files/fileErrors.js';
import { sha256 } from '../../hash.js';
import {
  changesPackage,
  changesScript,
  type Receipt,
  type ReceiptDocument,
  writeReceipt,
  receiptSchema,
} from './receipts.js';
import { withFileLocks } from '../state/skillLocks.js';
import type { UserStore } from '../state/store.js';
import { makeFolderInside } from '../files/insideFolder.js';
import { readBounded, type SealedFormat, type Sealing, unseal, writeSealed } from '../files/sealedFile.js';

/** How a change that was cut off ended: all documents are the new bytes, or none is. */
type Recovery =
  | { readonly kind: 'finished'; readonly receipt: Receipt }
  | { readonly kind: 'taken-back'; readonly receipt: Receipt };

/**
 * Ends every change that a crash cut off; called when Whetstone starts. Every file ends as the old bytes or the new
 * ones, all of a change alike, and a file that somebody else changed meanwhile is left alone.
 */
export async function recoverAll(store: UserStore, signal: AbortSignal): Promise<readonly Recovery[]> {
  const recoveries: Recovery[] = [];
  for (const skillId of await skillsInTransaction(store)) {
    const transaction = await readTransaction(store, skillId);
    if (transaction === undefined) continue;
    const paths = transaction.targets.map(({ path: target }) => target);
    const recovery = await withFileLocks(store, { paths, what: 'recovering from a crash' }, signal, () =>
      recoverHeld(store, skillId),
    );
    if (recovery !== undefined) recoveries.push(recovery);
  }
  return recoveries;
}

/** The same for one skill, by somebody who holds the locks of its files. */
export async function recoverHeld(
  store: UserStore,
  skillId: string,
  probe: Probe = noProbe,
): Promise<Recovery | undefined> {
  const transaction = await readTransaction(store, skillId);
  if (transaction === undefined) return undefined;
  const recovery = await settle(store, transaction, probe);
  await removeTransaction(store, skillId);
  return recovery;
}

async function settle(store: UserStore, transaction: OpenTransaction, probe: Probe): Promise<Recovery> {
  const { receipt } = transaction;
  for (const target of transaction.targets) await removeTemporary(target);
  const states = await Promise.all(documentsOf(transaction).map(([document, file]) => stateOf(document, file)));
  if (states.every((state) => state === 'after')) {
    await writeReceipt(store, receipt, { probe });
    return { kind: 'finished', receipt };
  }
  for (const [document, file] of documentsOf(transaction)) await takeBack(store, document, file);
  return { kind: 'taken-back', receipt };
}

async function takeBack(store: UserStore, document: ReceiptDocument, file: string): Promise<void> {
  if ((await stateOf(document, file)) !== 'after') return;
  const bytes = await readBackup(store, document.before);
  if (bytes !== undefined) return durableWrite(file, bytes);
  throw new UserError(
    'store-unusable',
    `The former content of ${file} is missing from ${store.folder}.`,
    'Restore the file from version control.',
  );
}

async function stateOf(document: ReceiptDocument, file: string): Promise<'before' | 'after' | 'other'> {
  const bytes = await unlessMissing(readFile(file));
  const hash = bytes === undefined ? undefined : sha256(bytes);
  if (hash === document.after) return 'after';
  return hash === document.before ? 'before' : 'other';
}

async function removeTemporary(target: { readonly path: string; readonly temporary: string }): Promise<void> {
  await unlessMissing(unlink(path.join(path.dirname(target.path), path.basename(target.temporary))));
}

function documentsOf({ receipt, targets }: OpenTransaction): readonly (readonly [ReceiptDocument, string])[] {
  return receipt.documents.flatMap((document, index) => {
    const target = targets[index];
    return target === undefined ? [] : [[document, target.path] as const];
  });
}

/**
 * What is about to happen, written down before it does. As long as it lies there, the change is under way or
 * was cut off; its backups are on disk before it is.
 */
export interface OpenTransaction {
  readonly receipt: Receipt;
  /** In the order of the receipt's documents: where each is replaced, and through which temporary file. */
  readonly targets: readonly { readonly path: string; readonly temporary: string }[];
}

const plain: SealedFormat<OpenTransaction> = {
  format: 'whetstone-transaction',
  version: 1,
  schema: z.object({
    receipt: receiptSchema,
    targets: z.array(z.object({ path: z.string(), temporary: z.string() })),
  }),
};
/** An earlier version knows no files of a package: it would leave some of them changed. */
const packaged: SealedFormat<OpenTransaction> = { ...plain, version: 2 };
/** An earlier version knows no scripts among them. */
const scripted: SealedFormat<OpenTransaction> = { ...plain, version: 3 };

/** From the moment this resolves a crash is mended; the backups it names must be on disk before. */
export async function writeTransaction(store: UserStore, transaction: OpenTransaction, probe: Probe): Promise<void> {
  const { skillId } = transaction.receipt;
  await makeFolderInside(store.folder, folderOf(store));
  const { receipt } = transaction;
  const format = changesScript(receipt) ? scripted : changesPackage(receipt) ? packaged : plain;
  await writeSealed({ ...sealing(store, skillId), format }, fileOf(store, skillId), transaction, { probe });
}

/** The transaction of a change that was cut off, or undefined. One that this user did not write here is none. */
async function readTransaction(store: UserStore, skillId: string): Promise<OpenTransaction | undefined> {
  const text = await readBounded(fileOf(store, skillId));
  const reading = text === undefined ? undefined : unseal(sealing(store, skillId), text);
  return reading?.kind === 'verified' ? reading.body : undefined;
}

/** The change is over, in whichever way. */
export async function removeTransaction(store: UserStore, skillId: string): Promise<void> {
  await unlessMissing(unlink(fileOf(store, skillId)));
  await syncFolder(folderOf(store));
}

/** The skills with a change that is under way or was cut off. */
async function skillsInTransaction(store: UserStore): Promise<readonly string[]> {
  const names = (await unlessMissing(readdir(folderOf(store)))) ?? [];
  return names.filter((name) => /^[0-9a-f]+\.json$/.test(name)).map((name) => name.slice(0, -'.json'.length));
}

function sealing(store: UserStore, skillId: string): Sealing<OpenTransaction> {
  return { key: store.key, format: scripted, about: `transaction of ${skillId}` };
}

function folderOf(store: UserStore): string {
  return path.join(store.folder, 'transactions');
}

function fileOf(store: UserStore, skillId: string): string {
  return path.join(folderOf(store), `${skillId}.json`);
}
