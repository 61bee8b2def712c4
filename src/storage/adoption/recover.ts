import { readFile, unlink } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../errors.js';
import { readBackup } from './backups.js';
import { durableWrite } from '../files/durableWrite.js';
import { unlessMissing } from '../files/fileErrors.js';
import { sha256 } from '../../hash.js';
import { noProbe, type Probe } from '../files/probe.js';
import { type Receipt, type ReceiptDocument, writeReceipt } from './receipts.js';
import { withFileLocks } from '../state/skillLocks.js';
import type { UserStore } from '../state/store.js';
import { readRecordOf, removeRecord, skillsWithRecord, type TransactionRecord } from './transactionRecord.js';

/** How a change that was cut off ended: all documents are the new bytes, or none is. */
export type Recovery =
  | { readonly kind: 'finished'; readonly receipt: Receipt }
  | { readonly kind: 'taken-back'; readonly receipt: Receipt };

/**
 * Ends every change that a crash cut off; called when Whetstone starts. Every file ends as the old bytes or the new
 * ones, all of a change alike, and a file that somebody else changed meanwhile is left alone.
 */
export async function recoverAll(store: UserStore, signal: AbortSignal): Promise<readonly Recovery[]> {
  const recoveries: Recovery[] = [];
  for (const skillId of await skillsWithRecord(store)) {
    const record = await readRecordOf(store, skillId);
    if (record === undefined) continue;
    const paths = record.targets.map(({ path: target }) => target);
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
  const record = await readRecordOf(store, skillId);
  if (record === undefined) return undefined;
  const recovery = await settle(store, record, probe);
  await removeRecord(store, skillId);
  return recovery;
}

async function settle(store: UserStore, record: TransactionRecord, probe: Probe): Promise<Recovery> {
  const { receipt } = record;
  for (const target of record.targets) await removeTemporary(target);
  const states = await Promise.all(documentsOf(record).map(([document, file]) => stateOf(document, file)));
  if (states.every((state) => state === 'after')) {
    await writeReceipt(store, receipt, { probe });
    return { kind: 'finished', receipt };
  }
  for (const [document, file] of documentsOf(record)) await takeBack(store, document, file);
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

function documentsOf({ receipt, targets }: TransactionRecord): readonly (readonly [ReceiptDocument, string])[] {
  return receipt.documents.flatMap((document, index) => {
    const target = targets[index];
    return target === undefined ? [] : [[document, target.path] as const];
  });
}
