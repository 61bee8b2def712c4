import { readFile } from 'node:fs/promises';
import { UserError } from '../../errors.js';
import { sha256 } from '../../hash.js';
import { keepBackup } from '../files/contentStore.js';
import { probeOf, temporaryNameFor } from '../files/durableWrite.js';
import { withFileLocks } from '../state/skillLocks.js';
import type { SkillStore } from '../state/store.js';
import { type DocumentName, documentTarget } from './documentTarget.js';
import { nextSeq, ownReceipts, type Receipt, type ReceiptDocument, rememberContent, writeReceipt } from './receipts.js';
import { type OpenTransaction, recoverHeld, removeTransaction, writeTransaction } from './recover.js';
import { changedMeanwhile, type ChangeNote } from './transaction.js';

/**
 * An editor writes files by itself: what was accepted goes through its buffers, so that its own undo works there. The
 * receipts for that, by which `undoLast` works here; the editor's own undo is written down as one.
 */

/** What is known of such a change. Without edits it took back what an earlier one did, or brought it again. */
export type EditorNote = Omit<ChangeNote, 'action' | 'undoes'>;

/** A document that an editor writes, and what its file is to hold then. */
export interface EditorDocument extends DocumentName {
  /** What the file must hold before; whatever it holds where nobody knows that. */
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array;
}

/** A document in its place, with its bytes before and after. */
interface WrittenDocument extends DocumentName {
  readonly target: string;
  readonly live: Uint8Array;
  readonly after: Uint8Array;
}

/**
 * Has an editor save documents, all or none, as one change with one receipt. `save` writes them; a kill while it does, or
 * its failure, leaves every file as it was. What saving made of a text beside that, as a formatter does, is what the receipt
 * names. Undefined where no file holds anything else than before. Throws `skill-changed` before anything is written.
 */
export async function saveInEditor(
  store: SkillStore,
  change: { readonly note: EditorNote; readonly documents: readonly EditorDocument[] },
  save: () => Promise<void>,
  signal: AbortSignal,
): Promise<Receipt | undefined> {
  return whileLocked(store, change.documents, signal, async () => {
    const all = await Promise.all(change.documents.map((document) => planned(store, document)));
    const documents = all.filter(({ live, after }) => !Buffer.from(live).equals(after));
    if (documents.length === 0) {
      await save();
      return undefined;
    }
    await writeTransaction(
      store,
      await openTransaction(store, change.note, documents),
      probeOf(store.probe, 'transaction'),
    );
    try {
      await save();
    } catch (error) {
      // Where every file holds the new text all the same, the change did happen.
      const recovery = await recoverHeld(store, store.places.skillId);
      if (recovery?.kind === 'finished') return recovery.receipt;
      throw error;
    }
    const receipt = await noteSaved(store, change.note, documents);
    store.probe('transaction-removed');
    await removeTransaction(store, store.places.skillId);
    return receipt;
  });
}

async function openTransaction(
  store: SkillStore,
  note: EditorNote,
  documents: readonly WrittenDocument[],
): Promise<OpenTransaction> {
  const targets = documents.map(({ target }) => ({ path: target, temporary: temporaryNameFor(target) }));
  return { receipt: await receiptOf(store, note, documents), targets };
}

async function noteSaved(
  store: SkillStore,
  note: EditorNote,
  documents: readonly WrittenDocument[],
): Promise<Receipt | undefined> {
  const saved = await Promise.all(
    documents.map(async (document) => ({ ...document, after: new Uint8Array(await readFile(document.target)) })),
  );
  const written = saved.filter(({ live, after }) => !Buffer.from(live).equals(after));
  if (written.length === 0) return undefined;
  const isAsPlanned = saved.every(({ after }, index) => Buffer.from(after).equals(documents[index]?.after ?? after));
  return leaveReceipt(store, isAsPlanned ? note : { ...note, verdict: 'unmeasured' }, written);
}

/**
 * Leaves the receipt for a document that an editor saved already, as it does when the person saves. Throws `skill-changed`
 * where the file does not hold what the editor says it saved.
 */
export async function noteAdoption(
  store: SkillStore,
  change: {
    readonly note: EditorNote;
    readonly document: DocumentName;
    readonly before: Uint8Array;
    readonly after: Uint8Array;
  },
  signal: AbortSignal,
): Promise<Receipt> {
  const { document, before, after, note } = change;
  return whileLocked(store, [document], signal, async () => {
    const target = await documentTarget(store.places, document);
    if (sha256(await readFile(target)) !== sha256(after)) throw notSaved(target);
    return leaveReceipt(store, note, [{ ...document, target, live: before, after }]);
  });
}

/** Under the locks of the skill and of these documents, with whatever a crash cut off mended. */
async function whileLocked<T>(
  store: SkillStore,
  documents: readonly DocumentName[],
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const { skillId, skillPath } = store.places;
  const targets = await Promise.all(documents.map((document) => documentTarget(store.places, document)));
  const paths = [skillPath, ...targets.filter((target) => target !== skillPath).sort()];
  return withFileLocks(store, { paths, what: 'noting an adoption' }, signal, async () => {
    await recoverHeld(store, skillId);
    return work();
  });
}

async function planned(store: SkillStore, { before, after, ...name }: EditorDocument): Promise<WrittenDocument> {
  const target = await documentTarget(store.places, name);
  const live = new Uint8Array(await readFile(target));
  if (before !== undefined && !Buffer.from(before).equals(live)) throw changedMeanwhile(target);
  return { ...name, target, live, after };
}

async function leaveReceipt(
  store: SkillStore,
  note: EditorNote,
  documents: readonly WrittenDocument[],
): Promise<Receipt> {
  const receipt = await receiptOf(store, note, documents);
  await writeReceipt(store, receipt, { probe: probeOf(store.probe, 'receipt') });
  await rememberContent(store, receipt);
  return receipt;
}

/** Its backups are on disk before it can be written. */
async function receiptOf(store: SkillStore, note: EditorNote, documents: readonly WrittenDocument[]): Promise<Receipt> {
  for (const { live, after } of documents) {
    await keepBackup(store, live);
    await keepBackup(store, after);
  }
  const changes = documents.map(({ kind, documentPath, live, after }) => {
    return { kind, documentPath, before: sha256(live), after: sha256(after) };
  });
  const { skillId, skillKey } = store.places;
  return {
    seq: await nextSeq(store),
    skillId,
    skillKey,
    at: store.clock.now(),
    ...note,
    ...(note.edits.length > 0 ? adoption : stepOf(await ownReceipts(store), changes)),
    documents: changes,
  };
}

const adoption = { action: 'adopt', undoes: [] } as const;

/** What a change without edits is: the undo of an adoption, that adoption again, or a step of which nobody can say. */
function stepOf(
  receipts: readonly Receipt[],
  changes: readonly ReceiptDocument[],
): Pick<Receipt, 'action' | 'undoes' | 'edits'> {
  const undone = new Set(receipts.flatMap(({ undoes }) => undoes));
  const standing = receipts.filter(({ action, seq }) => action !== 'undo' && !undone.has(seq));
  const back = takenBack(standing, changes);
  if (back.length > 0) return { action: 'undo', undoes: back, edits: [] };
  const redone = receipts.find(({ seq, documents }) => undone.has(seq) && isSame(documents, changes));
  return { ...adoption, edits: redone?.edits ?? [] };
}

function isSame(documents: readonly ReceiptDocument[], changes: readonly ReceiptDocument[]): boolean {
  const keys = new Set(documents.map(({ documentPath, before, after }) => `${before} ${after} ${documentPath}`));
  const isIn = changes.every(({ documentPath, before, after }) => keys.has(`${before} ${after} ${documentPath}`));
  return isIn && documents.length === changes.length;
}

/**
 * The receipts that these changes take back, newest first: of their documents the last step, or else the last adoption with
 * the steps after it. The skill and its memory file are undone each by itself.
 */
function takenBack(standing: readonly Receipt[], changes: readonly ReceiptDocument[]): readonly number[] {
  const paths = new Set(changes.map(({ documentPath }) => documentPath));
  const touching = standing.filter(({ documents }) => documents.some(({ documentPath }) => paths.has(documentPath)));
  const found = [touching[0], touching.find(({ edits }) => edits.length > 0)];
  for (const receipt of found) {
    const back = receipt === undefined ? undefined : backFrom(receipt, standing, changes);
    if (back !== undefined) return back;
  }
  return [];
}

/** That receipt and the steps after it, where all of its documents hold then what they held before it; else undefined. */
function backFrom(
  last: Receipt,
  standing: readonly Receipt[],
  changes: readonly ReceiptDocument[],
): readonly number[] | undefined {
  const held = new Map(last.documents.map(({ documentPath, after }) => [documentPath, after]));
  const later = standing.filter(({ seq, edits }) => seq > last.seq && edits.length === 0);
  const steps = later.filter(({ documents }) => documents.every(({ documentPath }) => held.has(documentPath)));
  for (const { documentPath, before, after } of [...steps.toReversed().flatMap((step) => step.documents), ...changes]) {
    if (held.get(documentPath) !== before) return undefined;
    held.set(documentPath, after);
  }
  const isBack = last.documents.every(({ documentPath, before }) => held.get(documentPath) === before);
  return isBack ? [...steps, last].map(({ seq }) => seq) : undefined;
}

function notSaved(target: string): UserError {
  return new UserError(
    'skill-changed',
    `${target} holds other text than was adopted.`,
    'Save the file, then try again.',
  );
}
