import { sha256 } from '../../../hash.js';
import * as vscode from 'vscode';
import { UserError } from '../../../errors.js';
import { agreeWithDisk } from '../documents/agreeWithDisk.js';
import { plainText } from '../../../review/proposalTexts.js';
import type { OpenReview } from '../reviews.js';
import { editIds, textAfterAccept, withTheirUnits, type ReviewedHunk } from '../../../review/reviewHunks.js';
import { isShown } from '../documents/shownCandidates.js';
import { rewrite } from '../documents/textEdits.js';
import { showInformation } from '../../shown/messages.js';

/**
 * Puts changes of the proposal into the file, as one step that one undo takes back from either side. The file is saved
 * only if it had nothing unsaved. Refuses where the file is not what the person is looking at.
 */
export async function acceptHunks(open: OpenReview, from: vscode.Uri, keys: readonly string[]): Promise<void> {
  const { review } = open;
  const refusal = review.whyNotAcceptable();
  if (refusal !== undefined) throw refusal;
  const { onDisk, isAgreed } = await agreeWithDisk(review.file);
  if (!isAgreed) throw changed();
  await open.follower.follow();
  const isReformatted = await review.exclusively(() => takeOver(open, from, { keys, onDisk }));
  if (isReformatted) await open.follower.follow(); // so that the next change is shown as it is now
}

async function takeOver(
  { review, decisions, notes, clean, host }: OpenReview,
  from: vscode.Uri,
  { keys, onDisk }: { readonly keys: readonly string[]; readonly onDisk: string | undefined },
): Promise<boolean> {
  const { real, candidate, realText, hunks, texts, state } = await review.snapshot(from);
  const named = hunks.filter(({ key }) => keys.includes(key));
  if (named.length < new Set(keys).size) throw changed();
  const found = withTheirUnits(hunks, named);
  const wasClean = !real.isDirty;
  const after = textAfterAccept(texts, state, found);
  const shown = isShown(candidate.uri);
  await host.refuseWrite(review.skillPath, review.writeOf({ before: realText, after, shown }));
  const step = [sha256(realText), sha256(after)] as const;
  await review.remember({ accepts: [...review.record.accepts, step] });
  for (const hunk of found) decisions.expect(editIds([hunk]), { kind: isEdited(hunk) ? 'edited' : 'accepted' });
  const edits = editIds(found);
  const { skillPath, pending } = review;
  if (onDisk !== undefined)
    notes.begin(review.file, { skillPath, documentPath: review.document.path, before: onDisk, edits, pending });
  try {
    await apply(real, candidate, after);
  } catch (error) {
    decisions.forget(edits);
    notes.drop(review.file, edits);
    throw error;
  }
  if (!wasClean) return false;
  clean.add(real.uri.toString()); // already now: the person may undo while it is being saved
  return save(real, after);
}

function isEdited({ origin }: ReviewedHunk): boolean {
  return origin.kind === 'proposed' && origin.edited;
}

async function apply(real: vscode.TextDocument, candidate: vscode.TextDocument, after: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  rewrite(edit, real, after);
  // Undo belongs to the document that has the focus: an empty change makes the proposal part of this step.
  if (isShown(candidate.uri)) edit.insert(candidate.uri, new vscode.Position(0, 0), '');
  if (!(await vscode.workspace.applyEdit(edit))) throw changed();
}

/** Says whether saving changed the text once more, as a formatter does; the person is told. */
async function save(real: vscode.TextDocument, after: string): Promise<boolean> {
  if (!(await real.save())) {
    throw new UserError(
      'skill-read-only',
      vscode.l10n.t('{0} could not be saved.', vscode.workspace.asRelativePath(real.uri)),
      vscode.l10n.t('What you accepted is in its editor, unsaved. Make the file writable and save it.'),
    );
  }
  if (plainText(real.getText()) === after) return false;
  void showInformation(
    vscode.l10n.t(
      'Saving {0} changed its text once more, as a formatter does. To take the edit back, press Undo in that file, or run “Whetstone: Undo Last Adoption”.',
      vscode.workspace.asRelativePath(real.uri),
    ),
  );
  return true;
}

function changed(): UserError {
  return new UserError(
    'skill-changed',
    vscode.l10n.t('The text changed in this moment, so nothing was done.'),
    vscode.l10n.t('Look at the change again, then decide.'),
  );
}
