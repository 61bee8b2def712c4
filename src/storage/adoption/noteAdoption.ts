import { readFile } from 'node:fs/promises';
import { UserError } from '../../errors.js';
import { keepBackup } from './backups.js';
import { type DocumentName, documentTarget } from './documentTarget.js';
import { sha256 } from '../../hash.js';
import { probeOf } from '../files/probe.js';
import { nextSeq, ownReceipts, type Receipt, writeReceipt } from './receipts.js';
import { recoverHeld } from './recover.js';
import { rememberContent } from '../state/rememberContent.js';
import { withFileLocks } from '../state/skillLocks.js';
import type { SkillStore } from '../state/store.js';
import type { ChangeNote } from './transaction.js';

/** A change that the editor itself saved. Without edits it took back what an earlier one did, or brought it again. */
export interface EditorChange {
  readonly note: Omit<ChangeNote, 'action' | 'undoes'>;
  readonly document: DocumentName;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

/**
 * Leaves the receipt for an adoption that went through an editor's buffer, so that its own undo works there and
 * `undoLast` works here; the editor's own undo is written down as one. Throws `skill-changed` where the file does not hold what the editor says it saved.
 */
export async function noteAdoption(store: SkillStore, change: EditorChange, signal: AbortSignal): Promise<Receipt> {
  const { document, before, after, note } = change;
  const target = await documentTarget(store.places, document);
  const { skillId, skillKey, skillPath } = store.places;
  const paths = [skillPath, ...[target].filter((file) => file !== skillPath)];
  return withFileLocks(store, { paths, what: 'noting an adoption' }, signal, async () => {
    await recoverHeld(store, skillId);
    const hashes = { before: sha256(before), after: sha256(after) };
    if (sha256(await readFile(target)) !== hashes.after) throw notSaved(target);
    await keepBackup(store, before);
    await keepBackup(store, after);
    const { kind, documentPath } = document;
    const receipt: Receipt = {
      seq: await nextSeq(store),
      skillId,
      skillKey,
      at: store.clock.now(),
      ...note,
      ...(note.edits.length > 0 ? adoption : stepOf(await ownReceipts(store), documentPath, hashes)),
      documents: [{ kind, documentPath, ...hashes }],
    };
    await writeReceipt(store, receipt, { probe: probeOf(store.probe, 'receipt') });
    await rememberContent(store, receipt);
    return receipt;
  });
}

const adoption = { action: 'adopt', undoes: [] } as const;

function stepOf(
  receipts: readonly Receipt[],
  path: string,
  { before, after }: { readonly before: string; readonly after: string },
): Pick<Receipt, 'action' | 'undoes'> {
  const undone = new Set(receipts.flatMap(({ undoes }) => undoes));
  const standing = receipts.filter(({ action, seq }) => action !== 'undo' && !undone.has(seq));
  // The last one of this document: the skill and its memory file are undone each by itself.
  const last = standing.find(({ documents }) => documents.some(({ documentPath }) => documentPath === path));
  const isBack = last?.documents.every((each) => {
    return each.documentPath === path && each.before === after && each.after === before;
  });
  return last !== undefined && isBack === true ? { action: 'undo', undoes: [last.seq] } : adoption;
}

function notSaved(target: string): UserError {
  return new UserError(
    'skill-changed',
    `${target} holds other text than was adopted.`,
    'Save the file, then try again.',
  );
}
