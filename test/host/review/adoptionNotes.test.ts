import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { AdoptionNotes } from '../../../src/editor/review/decisions/adoptionNotes.js';
import type { EditorSave } from '../../../src/app/proposals/editorSaves.js';
import { aReviewProposal } from '../../builders/aReviewProposal.js';
import { place } from './reviewWindow.js';

/** What becomes of an accept between the buffer and its receipt. */
describe('an accepted edit on its way to disk', () => {
  const skillPath = path.join(place().workspace, 'noted.md');
  const file = vscode.Uri.file(skillPath);
  let notes: AdoptionNotes;
  let noted: EditorSave[];
  let underWay: number;
  beforeEach(() => {
    noted = [];
    underWay = 0;
    notes = new AdoptionNotes({
      adoptions: { begin: () => (underWay += 1), end: () => (underWay -= 1) },
      noteAdoption: async (_, change) => void noted.push(change),
    });
  });

  it('has its receipt once the file is saved, and is under way until then', async () => {
    accept('E1');
    accept('E2');
    assert.equal(underWay, 1);
    await save('after');
    assert.deepEqual(receipts(), [{ before: 'before', after: 'after', edits: ['E1', 'E2'] }]);
    assert.equal(underWay, 0);
  });

  it('leaves none where the editor refused it, whatever is saved next', async () => {
    accept('E1');
    notes.drop(file, ['E1']);
    assert.equal(underWay, 0);
    await save('what the person wrote');
    assert.deepEqual(receipts(), []);
  });

  it('keeps the others where the editor refused one', async () => {
    accept('E1');
    accept('E2');
    notes.drop(file, ['E2']);
    await save('after');
    assert.deepEqual(receipts(), [{ before: 'before', after: 'after', edits: ['E1'] }]);
    assert.equal(underWay, 0);
  });

  it('leaves none where the file is saved as it was', async () => {
    accept('E1');
    await save('before');
    assert.deepEqual(receipts(), []);
    assert.equal(underWay, 0);
  });

  it('leaves none where the file was reverted, whatever is saved next', async () => {
    accept('E1');
    notes.clean(file, 'before');
    assert.equal(underWay, 0);
    await save('what the person wrote');
    assert.deepEqual(receipts(), []);
  });

  function accept(edit: string): void {
    const pending = { proposal: aReviewProposal([]), own: true };
    notes.begin(file, { skillPath, documentPath: 'noted.md', before: 'before', edits: [edit], pending });
  }

  async function save(text: string): Promise<void> {
    writeFileSync(skillPath, text);
    await notes.saved(file);
  }

  function receipts(): readonly Omit<EditorSave, 'pending' | 'documentPath'>[] {
    return noted.map(({ before, after, edits }) => ({ before, after, edits }));
  }
});
