import { readdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { syncFolder } from '../files/durableWrite.js';
import { unlessMissing } from '../files/fileErrors.js';
import { makeFolderInside } from '../files/insideFolder.js';
import type { Probe } from '../files/probe.js';
import { type Receipt, receiptSchema } from './receipts.js';
import { readBounded, type SealedFormat, type Sealing, unseal, writeSealed } from '../files/sealedFile.js';
import type { UserStore } from '../state/store.js';

/**
 * What is about to happen, written down before it does. As long as the record lies there, the change is under way or
 * was cut off; its backups are on disk before the record is.
 */
export interface TransactionRecord {
  readonly receipt: Receipt;
  /** In the order of the receipt's documents: where each is replaced, and through which temporary file. */
  readonly targets: readonly { readonly path: string; readonly temporary: string }[];
}

const format: SealedFormat<TransactionRecord> = {
  format: 'whetstone-transaction',
  version: 1,
  schema: z.object({
    receipt: receiptSchema,
    targets: z.array(z.object({ path: z.string(), temporary: z.string() })),
  }),
};

/** From the moment this resolves a crash is mended; the backups it names must be on disk before. */
export async function writeRecord(store: UserStore, record: TransactionRecord, probe: Probe): Promise<void> {
  const { skillId } = record.receipt;
  await makeFolderInside(store.folder, folderOf(store));
  await writeSealed(sealing(store, skillId), fileOf(store, skillId), record, { probe });
}

/** The record of a change that was cut off, or undefined. One that this user did not write here is none. */
export async function readRecordOf(store: UserStore, skillId: string): Promise<TransactionRecord | undefined> {
  const text = await readBounded(fileOf(store, skillId));
  const reading = text === undefined ? undefined : unseal(sealing(store, skillId), text);
  return reading?.kind === 'verified' ? reading.body : undefined;
}

/** The change is over, in whichever way. */
export async function removeRecord(store: UserStore, skillId: string): Promise<void> {
  await unlessMissing(unlink(fileOf(store, skillId)));
  await syncFolder(folderOf(store));
}

/** The skills with a change that is under way or was cut off. */
export async function skillsWithRecord(store: UserStore): Promise<readonly string[]> {
  const names = (await unlessMissing(readdir(folderOf(store)))) ?? [];
  return names.filter((name) => /^[0-9a-f]+\.json$/.test(name)).map((name) => name.slice(0, -'.json'.length));
}

function sealing(store: UserStore, skillId: string): Sealing<TransactionRecord> {
  return { key: store.key, format, about: `transaction of ${skillId}` };
}

function folderOf(store: UserStore): string {
  return path.join(store.folder, 'transactions');
}

function fileOf(store: UserStore, skillId: string): string {
  return path.join(folderOf(store), `${skillId}.json`);
}
