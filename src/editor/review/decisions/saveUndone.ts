import * as vscode from 'vscode';
import type { AdoptionNotes } from './adoptionNotes.js';
import { readText } from '../documents/candidateStore.js';
import { isAcceptStep } from '../../../review/followFile.js';
import { pause } from '../documents/agreeWithDisk.js';
import { plainText } from '../../../review/proposalTexts.js';
import type { Review } from '../review.js';

const lookMs = 100;
const mostLooks = 20;

/**
 * Puts a file back on disk after an accept was undone or redone in the editor, if it was on disk before. An undo in the
 * middle of the save that belongs to the accept leaves the editor believing that nothing is to be saved: then the bytes
 * are written past it, but only over the very text that the undone accept had left there.
 */
export async function saveUndone(review: Review, document: vscode.TextDocument, notes: AdoptionNotes): Promise<void> {
  const before = await readText(document.uri);
  if (before !== undefined)
    notes.begin(document.uri, {
      skillPath: review.skillPath,
      documentPath: review.document.path,
      before,
      edits: [],
      pending: review.pending,
    });
  await document.save();
  for (let look = 0; look < mostLooks; look += 1) {
    const onDisk = (await readText(document.uri)) ?? '';
    const text = plainText(document.getText());
    if (plainText(onDisk) === text) break;
    if (document.isDirty) await document.save();
    else if (isAcceptStep(review.record.accepts, plainText(onDisk), text)) await write(document, onDisk);
    await pause(lookMs);
  }
  await notes.saved(document.uri);
}

async function write(document: vscode.TextDocument, onDisk: string): Promise<void> {
  const mark = onDisk.startsWith('\uFEFF') ? '\uFEFF' : '';
  await vscode.workspace.fs.writeFile(document.uri, new TextEncoder().encode(mark + document.getText()));
}
