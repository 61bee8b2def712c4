import * as vscode from 'vscode';
import { UserError } from '../../../errors.js';
import { isCandidate } from '../documents/candidateUri.js';
import { hunkAt } from '../../../review/hunkPlace.js';
import type { RationaleThreads } from '../lenses/rationaleThreads.js';
import { editIds, type ReviewedHunk } from '../../../review/reviewHunks.js';
import type { OpenReview, Reviews } from '../reviews.js';
import { isShown } from '../documents/shownCandidates.js';
import { filesInReview, type ReviewedFile, type ShownReview } from '../filesInReview.js';
import { skillShownBy } from '../../tree/versionDocuments.js';

/** What a command acts on: changes of a review, seen in one of its documents. */
export interface HunkTarget extends ShownReview {
  readonly hunks: readonly ReviewedHunk[];
  /** True where the person pressed a button inside the proposal. */
  readonly isPressed: boolean;
}

/**
 * Finds what a command is about: the change of a lens, of a thread or of a quick fix, the edits of a row in the tree, or
 * else the change at the cursor. Edits of several documents are several targets.
 */
export async function hunkTargets(
  reviews: Reviews,
  threads: RationaleThreads,
  given: unknown,
): Promise<readonly [HunkTarget, ...HunkTarget[]]> {
  const pointed = threads.targetOf(given) ?? given;
  const candidate = fieldOf(pointed, 'candidate');
  if (candidate !== undefined) return [await inCandidate(reviews, vscode.Uri.parse(candidate, true), pointed)];
  const skillPath = fieldOf(pointed, 'skillPath');
  if (skillPath !== undefined) return inSkill(reviews, skillPath, editsOf(pointed));
  if (!pointsNowhere(pointed)) throw notAnEdit();
  return [await atCursor(reviews)];
}

/**
 * The same changes once the proposal has followed its file: what was written there a moment before may have become part of
 * them. Where they are not the same any more they stay as they were seen, and deciding them is refused.
 */
export async function afterFollowing(target: HunkTarget): Promise<HunkTarget> {
  const { open, candidate, hunks } = target;
  await open.follower.follow();
  const snapshot = await open.review.snapshot(candidate);
  const now = snapshot.hunks.filter(({ name }) => hunks.some((hunk) => hunk.name === name));
  return now.length === hunks.length ? { ...target, hunks: now } : target;
}

/** The review that a command about a whole proposal is about. */
export async function reviewTarget(reviews: Reviews, given: unknown): Promise<ShownReview> {
  const { candidate, skillPath } = pointedAt(given);
  if (candidate !== undefined && isCandidate(candidate)) return { open: await reviewOf(reviews, candidate), candidate };
  const path = skillPath ?? (candidate === undefined ? undefined : documentPathOf(candidate));
  const [open] = path === undefined ? [] : await reviews.ofSkill(path);
  if (open === undefined) throw noProposal();
  return { open, candidate: open.review.candidate };
}

/**
 * The reviews that a decision on all edits is about: the one file that is named, as by its own row of buttons, or else
 * every file of the proposal.
 */
export async function allTargets(reviews: Reviews, given: unknown): Promise<readonly ReviewedFile[]> {
  const own = await reviewTarget(reviews, given);
  const { files, at } = await filesInReview(reviews, own);
  return fieldOf(given, 'candidate') === undefined ? files : files.slice(at, at + 1);
}

/** The document or the skill that a command was pointed at; else the document in front of the person. */
function pointedAt(given: unknown): { readonly candidate?: vscode.Uri | undefined; readonly skillPath?: string } {
  const named = fieldOf(given, 'candidate');
  if (named !== undefined) return { candidate: vscode.Uri.parse(named, true) };
  const skillPath = typeof given === 'string' ? given : fieldOf(given, 'skillPath');
  if (skillPath !== undefined) return { skillPath };
  if (!pointsNowhere(given)) throw notAnEdit();
  return { candidate: uriOf(given) ?? activeUri() };
}

async function inCandidate(reviews: Reviews, candidate: vscode.Uri, pointed: unknown): Promise<HunkTarget> {
  const open = await reviewOf(reviews, candidate);
  const { hunks } = await open.review.snapshot(candidate);
  const [key, name] = [fieldOf(pointed, 'key'), fieldOf(pointed, 'name')];
  const found = hunks.find((hunk) => hunk.key === key || hunk.name === name);
  if (
    found === undefined &&
    open.review.edits.some(({ id }) =>
      name
        ?.replace(/\.\d+$/, '')
        .split('+')
        .includes(id),
    )
  )
    throw decidedAlready();
  if (found === undefined) {
    throw new UserError(
      'proposal-stale',
      vscode.l10n.t('This change is not there any more.'),
      vscode.l10n.t('Look at what is left, then decide.'),
    );
  }
  return { open, candidate, hunks: [found], isPressed: isShown(candidate) };
}

async function inSkill(
  reviews: Reviews,
  skillPath: string,
  edits: readonly string[],
): Promise<readonly [HunkTarget, ...HunkTarget[]]> {
  if (edits.length === 0) throw notAnEdit();
  const targets: HunkTarget[] = [];
  const reviewed = await reviews.ofSkill(skillPath);
  if (reviewed.length === 0) throw noProposal();
  for (const open of reviewed) {
    const { hunks, candidate } = await open.review.snapshot();
    const found = hunks.filter((hunk) => editIds([hunk]).some((id) => edits.includes(id)));
    if (found.length > 0) targets.push({ open, candidate: candidate.uri, hunks: found, isPressed: false });
  }
  const [first, ...others] = targets;
  if (first === undefined) throw reviewed.some((open) => proposes(open, edits)) ? decidedAlready() : noSuchEdit(edits);
  return [first, ...others];
}

/** Whether the proposal has one of these edits, in whichever of its documents. */
function proposes({ review }: OpenReview, edits: readonly string[]): boolean {
  return review.pending.proposal.documents.some((document) => document.edits.some(({ id }) => edits.includes(id)));
}

function noSuchEdit(edits: readonly string[]): UserError {
  return new UserError(
    'proposal-missing',
    vscode.l10n.t('The proposal that waits for this skill has no edit {0}.', edits.join(', ')),
    vscode.l10n.t('Look at what is left, then decide.'),
  );
}

/** A press that came too late. */
export function decidedAlready(): UserError {
  return new UserError(
    'proposal-missing',
    vscode.l10n.t('This edit is decided already.'),
    vscode.l10n.t('Undo in the file or in the proposal brings it back.'),
  );
}

async function atCursor(reviews: Reviews): Promise<HunkTarget> {
  const editor = vscode.window.activeTextEditor;
  const uri = editor?.document.uri;
  if (editor === undefined || uri === undefined) throw notHere();
  const isProposal = isCandidate(uri);
  const [open] = isProposal ? [await reviewOf(reviews, uri)] : await reviews.ofRealFile(uri);
  if (open === undefined) throw notHere();
  const { hunks, candidate } = await open.review.snapshot(isProposal ? uri : undefined);
  const found = hunkAt(hunks, isProposal ? 'after' : 'before', editor.selection.active.line);
  if (found === undefined) throw notHere();
  return { open, candidate: candidate.uri, hunks: [found], isPressed: false };
}

async function reviewOf(reviews: Reviews, uri: vscode.Uri): Promise<OpenReview> {
  const open = await reviews.ofCandidate(uri);
  if (open === undefined) throw noProposal();
  return open;
}

/**
 * The skill that a command of the palette, a menu, a lens or the tree is about, or the one in front where it was pointed at
 * nothing; undefined where that is a proposal, which `reviewTarget` finds, or no skill.
 */
export function skillPathOf(given: unknown): string | undefined {
  const { candidate, skillPath = fieldOf(given, 'skillPath') } = pointedAt(given);
  return skillPath ?? (candidate === undefined ? undefined : skillShownBy(candidate));
}

/** True where a proposal is named, and not only in front. */
export function namesProposal(given: unknown): boolean {
  return fieldOf(given, 'candidate') !== undefined;
}

/** A file on disk may be a document of a proposal, also where it is no skill; the output panel is none. */
function documentPathOf(uri: vscode.Uri): string | undefined {
  return skillShownBy(uri) ?? (uri.scheme === 'file' || uri.scheme === 'vscode-remote' ? uri.fsPath : undefined);
}

function activeUri(): vscode.Uri | undefined {
  return vscode.window.activeTextEditor?.document.uri;
}

function uriOf(given: unknown): vscode.Uri | undefined {
  return given instanceof vscode.Uri ? given : undefined;
}

function fieldOf(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const field: unknown = new Map<string, unknown>(Object.entries(value)).get(name);
  return typeof field === 'string' ? field : undefined;
}

/** The edits of a row in the tree (`editId`), or several (`edits`). */
function editsOf(value: unknown): readonly string[] {
  const one = fieldOf(value, 'editId');
  if (one !== undefined) return [one];
  if (typeof value !== 'object' || value === null || !('edits' in value) || !Array.isArray(value.edits)) return [];
  return value.edits.filter((each): each is string => typeof each === 'string');
}

/** A menu of an editor hands over its document, a key nothing: both mean what is in front of the person. */
function pointsNowhere(given: unknown): boolean {
  return given === undefined || given === null || given instanceof vscode.Uri;
}

export function nothingLeft(): UserError {
  return new UserError(
    'proposal-missing',
    vscode.l10n.t('Nothing is left to decide.'),
    vscode.l10n.t('Optimize a skill to get a new proposal.'),
  );
}

function notAnEdit(): UserError {
  return new UserError(
    'usage',
    vscode.l10n.t('This command was not called with a proposed edit.'),
    vscode.l10n.t('Run it from a proposal, or from an edit in the Whetstone view.'),
  );
}

function notHere(): UserError {
  return new UserError(
    'usage',
    vscode.l10n.t('There is no proposed edit at the cursor.'),
    vscode.l10n.t('Go to one with “Whetstone: Go to Next Proposed Edit” (Alt+F5), then try again.'),
  );
}

function noProposal(): UserError {
  return new UserError(
    'proposal-missing',
    vscode.l10n.t('No proposal waits for this skill.'),
    vscode.l10n.t('Optimize the skill first.'),
  );
}
