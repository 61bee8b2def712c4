import { UserError } from '../../errors.js';
import { readBackup } from './backups.js';
import { listReceipts, type Receipt, type ReceiptReading } from './receipts.js';
import type { SkillStore } from '../state/store.js';
import { changeDocuments } from './transaction.js';
import { backupOf } from './undo.js';

/** One entry of a skill's history. Only `restorable` ones can be gone back to. */
export interface HistoryEntry {
  readonly reading: ReceiptReading;
  /** Whether the bytes that the change left are still there. */
  readonly restorable: boolean;
}

/** Which text of a receipt: the one it replaced, or the one it left. */
export interface VersionChoice {
  readonly seq: number;
  readonly side: 'before' | 'after';
}

/** Every change that Whetstone made to the skill, newest first, and what others claim to have been ones. */
export async function historyOf(store: SkillStore): Promise<readonly HistoryEntry[]> {
  const readings = await listReceipts(store);
  return Promise.all(
    readings.map(async (reading) => ({
      reading,
      restorable: reading.kind === 'verified' && (await hasBackups(store, reading.receipt)),
    })),
  );
}

/** The bytes of a version, to be shown before it is restored: of the skill, or of the memory file that alone it changed. */
export async function readVersion(store: SkillStore, choice: VersionChoice): Promise<Uint8Array | undefined> {
  const { documents } = await findReceipt(store, choice.seq);
  const document = documents.find(({ kind }) => kind === 'skill') ?? documents[0];
  return document === undefined ? undefined : readBackup(store, document[choice.side]);
}

/**
 * Puts a version back, whatever the files hold now; what they hold is kept as a backup first, and the change is itself
 * recorded and can be undone. A version made elsewhere is never restored.
 */
export async function restoreVersion(store: SkillStore, choice: VersionChoice, signal: AbortSignal): Promise<Receipt> {
  const receipt = await findReceipt(store, choice.seq);
  return changeDocuments(
    store,
    receipt.documents,
    async (live) => {
      const documents = await Promise.all(
        live.map(async (current) => {
          const chosen = receipt.documents.find(({ documentPath }) => documentPath === current.documentPath);
          return { ...current, after: await backupOf(store, chosen?.[choice.side] ?? '') };
        }),
      );
      const verdict = choice.side === 'after' ? receipt.verdict : 'unmeasured';
      return { note: { action: 'restore', verdict, edits: [], undoes: [] }, documents };
    },
    signal,
  );
}

async function findReceipt(store: SkillStore, seq: number): Promise<Receipt> {
  const readings = await listReceipts(store);
  const found = readings.find((reading) => reading.kind === 'verified' && reading.receipt.seq === seq);
  if (found?.kind === 'verified') return found.receipt;
  const foreign = readings.some((reading) => reading.kind === 'made-elsewhere' && reading.receipt.seq === seq);
  throw foreign
    ? new UserError('made-elsewhere', `Version ${seq} was not adopted here.`, 'Choose a version that was adopted here.')
    : new UserError(
        'nothing-to-undo',
        `There is no version ${seq} of this skill.`,
        'Look at the history for the numbers.',
      );
}

async function hasBackups(store: SkillStore, receipt: Receipt): Promise<boolean> {
  const bytes = await Promise.all(receipt.documents.map(({ after }) => readBackup(store, after)));
  return bytes.every((found) => found !== undefined);
}
