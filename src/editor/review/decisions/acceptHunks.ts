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
import { withEol } from '../../../skill/document/lines.js';
import type { Review } from '../review.js';

/** Changes of one file of a proposal that the person accepts, as they see them in one of its documents. */
export interface AcceptedChanges {
  readonly open: OpenReview;
  readonly from: vscode.Uri;
  readonly keys: readonly string[];
}

/**
 * Puts changes of a proposal into its files, as one step that one undo takes back from either side and in every file. A file
 * is saved only if it had nothing unsaved; those that are saved are one adoption, all or none. Refuses where a file is not
 * what the person is looking at. Gives the files that one adoption wrote together.
 */
export async function acceptHunks(choices: readonly AcceptedChanges[]): Promise<readonly vscode.Uri[]> {
  const looked: LookedAt[] = [];
  for (const choice of choices) {
    const refusal = choice.open.review.whyNotAcceptable();
    if (refusal !== undefined) throw refusal;
    const { onDisk, isAgreed } = await agreeWithDisk(choice.open.review.file);
    if (!isAgreed) throw changed();
    await choice.open.follower.follow();
    looked.push({ ...choice, onDisk });
  }
  const reviews = looked.map(({ open }) => open.review);
  const { together, reformatted } = await exclusively(reviews, () => takeOver(looked));
  for (const open of reformatted) await open.follower.follow(); // so that the next change is shown as it is now
  return together;
}

interface LookedAt extends AcceptedChanges {
  readonly onDisk: string | undefined;
}

/** What one file becomes. */
interface Plan {
  readonly open: OpenReview;
  readonly onDisk: string | undefined;
  readonly real: vscode.TextDocument;
  readonly candidate: vscode.TextDocument;
  readonly before: string;
  readonly after: string;
  readonly found: readonly ReviewedHunk[];
  /** Whether it had nothing unsaved: then it is saved with the change. */
  readonly wasClean: boolean;
}

interface TakenOver {
  readonly together: readonly vscode.Uri[];
  /** Those that saving changed once more. */
  readonly reformatted: readonly OpenReview[];
}

async function takeOver(choices: readonly LookedAt[]): Promise<TakenOver> {
  const plans: Plan[] = [];
  for (const choice of choices) plans.push(await planOf(choice));
  for (const plan of plans) await expect(plan);
  const saved = plans.filter(({ wasClean }) => wasClean);
  const together = saved.length > 1 ? saved : [];
  const alone = plans.filter((plan) => !together.includes(plan));
  for (const plan of alone) note(plan);
  try {
    await (together.length > 0 ? saveTogether(plans, together) : apply(plans));
  } catch (error) {
    plans.forEach(forget);
    throw error;
  }
  for (const plan of alone) if (plan.wasClean) await saveOne(plan);
  const reformatted = saved.filter(({ real, after }) => plainText(real.getText()) !== after);
  for (const { real } of reformatted) tellReformatted(real);
  return { together: together.map(({ real }) => real.uri), reformatted: reformatted.map(({ open }) => open) };
}

/** Nothing came of it. */
function forget({ open, found }: Plan): void {
  open.decisions.forget(editIds(found));
  open.notes.drop(open.review.file, editIds(found));
}

async function planOf({ open, from, keys, onDisk }: LookedAt): Promise<Plan> {
  const { review, host } = open;
  const { real, candidate, realText, hunks, texts, state } = await review.snapshot(from);
  const named = hunks.filter(({ key }) => keys.includes(key));
  if (named.length < new Set(keys).size) throw changed();
  const found = withTheirUnits(hunks, named);
  const after = textAfterAccept(texts, state, found);
  const shown = isShown(candidate.uri);
  await host.refuseWrite(review.skillPath, review.writeOf({ before: realText, after, shown }));
  return { open, onDisk, real, candidate, before: realText, after, found, wasClean: !real.isDirty };
}

/** What the texts will show, so that it is understood as what the person decided. */
async function expect({ open: { review, decisions }, before, after, found }: Plan): Promise<void> {
  const step = [sha256(before), sha256(after)] as const;
  await review.remember({ accepts: [...review.memo.accepts, step] });
  for (const hunk of found) decisions.expect(editIds([hunk]), { kind: isEdited(hunk) ? 'edited' : 'accepted' });
}

function isEdited({ origin }: ReviewedHunk): boolean {
  return origin.kind === 'proposed' && origin.edited;
}

/** Its receipt comes when it is saved, by us or by the person. */
function note({ open: { review, notes }, onDisk, found }: Plan): void {
  if (onDisk === undefined) return;
  const { skillPath, pending, document } = review;
  notes.begin(review.file, { skillPath, documentPath: document.path, before: onDisk, edits: editIds(found), pending });
}

/** Several files as one adoption: a kill or a failure in between leaves every one of them as it was. */
async function saveTogether(plans: readonly Plan[], together: readonly Plan[]): Promise<void> {
  const [first] = together;
  if (first === undefined) return;
  const { host, undone, review } = first.open;
  const documents = together.map(({ open, onDisk, real, after }) => {
    const mark = onDisk?.startsWith('\uFEFF') === true ? '\uFEFF' : '';
    const text = withEol(after, real.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n');
    return { documentPath: open.review.document.path, before: onDisk, after: mark + text };
  });
  const edits = together.flatMap(({ found }) => editIds(found));
  undone.wroteTogether(together.map(({ real }) => real.uri));
  await host.saveTogether(review.skillPath, { documents, edits, pending: review.pending }, async () => {
    await apply(plans);
    for (const { open, real } of together) open.clean.add(real.uri.toString()); // the person may undo while they are saved
    for (const { real } of together) {
      if (await real.save()) continue;
      await putBack(plans, together);
      throw notSaved(real, vscode.l10n.t('No file was changed. Make it writable, then accept again.'));
    }
  });
}

/** All files as they were, in their editors and on disk. */
async function putBack(plans: readonly Plan[], together: readonly Plan[]): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  for (const { real, before } of plans) rewrite(edit, real, before);
  await vscode.workspace.applyEdit(edit);
  for (const { real } of together) await real.save();
}

async function apply(plans: readonly Plan[]): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  for (const { real, candidate, after } of plans) {
    rewrite(edit, real, after);
    // Undo belongs to the document that has the focus: an empty change makes the proposal part of this step.
    if (isShown(candidate.uri)) edit.insert(candidate.uri, new vscode.Position(0, 0), '');
  }
  if (!(await vscode.workspace.applyEdit(edit))) throw changed();
}

async function saveOne({ open, real }: Plan): Promise<void> {
  open.clean.add(real.uri.toString()); // already now: the person may undo while it is being saved
  if (await real.save()) return;
  throw notSaved(
    real,
    vscode.l10n.t('What you accepted is in its editor, unsaved. Make the file writable and save it.'),
  );
}

function notSaved({ uri }: vscode.TextDocument, cure: string): UserError {
  const what = vscode.l10n.t('{0} could not be saved.', vscode.workspace.asRelativePath(uri));
  return new UserError('skill-read-only', what, cure);
}

/** Saving changed the text once more: what is undone then is the formatting first. */
function tellReformatted({ uri }: vscode.TextDocument): void {
  void showInformation(
    vscode.l10n.t(
      'Saving {0} changed its text once more, as a formatter does. To take the edit back, press Undo in that file, or run “Whetstone: Undo Last Adoption”.',
      vscode.workspace.asRelativePath(uri),
    ),
  );
}

/** One change of these texts at a time. */
function exclusively<T>([first, ...others]: readonly Review[], change: () => Promise<T>): Promise<T> {
  return first === undefined ? change() : first.exclusively(() => exclusively(others, change));
}

function changed(): UserError {
  return new UserError(
    'skill-changed',
    vscode.l10n.t('The text changed in this moment, so nothing was done.'),
    vscode.l10n.t('Look at the change again, then decide.'),
  );
}
