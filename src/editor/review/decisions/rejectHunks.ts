import * as vscode from 'vscode';
import { UserError } from '../../../errors.js';
import { rejectionReasons } from '../../../review/reviewDecision.js';
import { editIds, textAfterReject, withTheirUnits } from '../../../review/reviewHunks.js';
import type { OpenReview } from '../reviews.js';
import { rewrite } from '../documents/textEdits.js';
import { askText, pickAfterSettling, type Choice } from '../../shown/questions.js';

/** Why the person rejects: given, or to be asked for afterwards. */
export type RejectReason = { readonly kind: 'ask' } | { readonly kind: 'given'; readonly reason: string | undefined };

/** Scripts and the tree may say why at once; a person is asked. */
export function reasonOf(given: unknown): RejectReason {
  if (typeof given !== 'object' || given === null || !('reason' in given)) return { kind: 'ask' };
  return { kind: 'given', reason: typeof given.reason === 'string' ? given.reason : undefined };
}

const mostAttempts = 3;
const settlingMs = 1_500;
const longestReason = 500; // it goes into every later prompt

/**
 * Takes changes out of the proposal and gives the edits that made them; the file is not touched, and one undo in the
 * proposal brings them back.
 */
export async function rejectHunks(
  open: OpenReview,
  from: vscode.Uri,
  keys: readonly string[],
  reason: RejectReason,
): Promise<readonly string[]> {
  const said = reason.kind === 'given' ? reason.reason : undefined;
  return open.review.exclusively(() => takeOut(open, from, { keys, reason: said }));
}

async function takeOut(
  open: OpenReview,
  from: vscode.Uri,
  { keys, reason }: { readonly keys: readonly string[]; readonly reason: string | undefined },
): Promise<readonly string[]> {
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const edits = await takenOut(open, from, { keys, reason });
    if (edits !== undefined) return edits;
  }
  throw changed();
}

/** Undefined where the text moved on in the very moment of the change, as it does while an undo is saved. */
async function takenOut(
  { review, decisions }: OpenReview,
  from: vscode.Uri,
  { keys, reason }: { readonly keys: readonly string[]; readonly reason: string | undefined },
): Promise<readonly string[] | undefined> {
  const { candidate, hunks, texts, state } = await review.snapshot(from);
  const named = hunks.filter(({ key }) => keys.includes(key));
  if (named.length < new Set(keys).size) throw changed();
  const found = withTheirUnits(hunks, named);
  const edits = editIds(found);
  decisions.expect(edits, { kind: 'rejected', reason });
  decisions.noteTyping();
  const edit = new vscode.WorkspaceEdit();
  rewrite(edit, candidate, textAfterReject(texts, state, found));
  if (await vscode.workspace.applyEdit(edit)) return edits;
  decisions.forget(edits);
  return undefined;
}

function changed(): UserError {
  return new UserError(
    'proposal-stale',
    vscode.l10n.t('The text changed in this moment, so nothing was done.'),
    vscode.l10n.t('Look at the change again, then decide.'),
  );
}

/** Edits of one file that were rejected, by id. */
export interface RejectedEdits {
  readonly open: Pick<OpenReview, 'decisions'>;
  readonly edits: readonly string[];
}

/** The person may say why, once for all files, which the optimizer is told; they need not. */
export async function askReason(rejected: readonly RejectedEdits[]): Promise<void> {
  const files = rejected.filter(({ edits }) => edits.length > 0);
  const reason = files.length === 0 ? undefined : await pickReason();
  if (reason === undefined) return;
  for (const { open, edits } of files) await open.decisions.explain(edits, reason);
}

/**
 * A question goes away with the focus, and the focus may still be on its way to the next change when this one comes
 * up: in its first moment it stays.
 */
async function pickReason(): Promise<string | undefined> {
  const rows: readonly (Choice & { readonly reason?: string; readonly own?: boolean })[] = [
    ...rejectionReasons.map((reason) => ({ label: labels[reason], reason })),
    { label: vscode.l10n.t('In My Own Words…'), own: true },
    { label: vscode.l10n.t('No reason') },
  ];
  const words = {
    title: vscode.l10n.t('Rejected. Why?'),
    placeHolder: vscode.l10n.t('The optimizer is told and does not propose it again. Escape: no reason.'),
  };
  const picked = await pickAfterSettling(rows, words, settlingMs);
  if (picked?.own !== true) return picked?.reason;
  const said = await askText({
    title: vscode.l10n.t('Rejected. Why?'),
    prompt: vscode.l10n.t('The optimizer reads this before it proposes again.'),
    ignoreFocusOut: true,
  });
  return said === undefined || said.trim() === '' ? undefined : said.trim().slice(0, longestReason);
}

const labels: Readonly<Record<(typeof rejectionReasons)[number], string>> = {
  wrong: vscode.l10n.t('Wrong'),
  'too long': vscode.l10n.t('Too long'),
  overfitted: vscode.l10n.t('Only fits these tasks'),
  unsafe: vscode.l10n.t('Unsafe'),
  'already said': vscode.l10n.t('Already said elsewhere in the skill'),
};
