import * as vscode from 'vscode';
import { shownLine } from '../../../wording/shownText.js';
import { hunkAt } from '../../../review/hunkPlace.js';
import type { ReviewedHunk } from '../../../review/reviewHunks.js';
import { quickFixOf } from '../../shown/problems.js';
import type { Reviews } from '../reviews.js';

const longestTitle = 60;

/** Accept and reject as quick fixes in the file itself, a skill or the memory file that goes with one: by keyboard, and where lenses are off. */
export class FileActions implements vscode.CodeActionProvider, vscode.Disposable {
  readonly #reviews: Reviews;
  readonly #registration: vscode.Disposable;

  constructor(reviews: Reviews) {
    this.#reviews = reviews;
    this.#registration = vscode.languages.registerCodeActionsProvider(
      { scheme: 'file', pattern: '**/{SKILL,CLAUDE,AGENTS,copilot-instructions}.md' },
      this,
      {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
      },
    );
  }

  async provideCodeActions(document: vscode.TextDocument, range: vscode.Range): Promise<vscode.CodeAction[]> {
    const [open] = await this.#reviews.ofRealFile(document.uri);
    if (open === undefined) return [];
    const { skillPath } = open.review;
    const { hunks, candidate } = await open.review.snapshot();
    const found = new Set<ReviewedHunk>();
    for (let line = range.start.line; line <= range.end.line; line += 1) {
      const hunk = hunkAt(hunks, 'before', line);
      if (hunk !== undefined && hunk.origin.kind !== 'file') found.add(hunk);
    }
    const canAccept = open.review.whyNotAcceptable() === undefined;
    return [...found].flatMap((hunk) => {
      const target = { candidate: candidate.uri.toString(), key: hunk.key };
      const what = summaryOf(hunk);
      return [
        ...(canAccept
          ? [action(vscode.l10n.t('Accept Proposed Edit: {0}', what), 'whetstone.acceptHunk', target)]
          : []),
        ...(canAccept
          ? [action(vscode.l10n.t('Reject Proposed Edit: {0}', what), 'whetstone.rejectHunk', target)]
          : []),
        action(vscode.l10n.t('Review Proposed Edits'), 'whetstone.review', { skillPath }),
      ];
    });
  }

  dispose(): void {
    this.#registration.dispose();
  }
}

function summaryOf({ origin }: ReviewedHunk): string {
  if (origin.kind !== 'proposed') return vscode.l10n.t('written by you');
  return shownLine(origin.edits.map(({ id, edit }) => `${id} ${edit.rationale}`).join(' + '), longestTitle);
}

function action(title: string, command: string, argument: object): vscode.CodeAction {
  const fix = quickFixOf(title);
  fix.command = { command, title, arguments: [argument] };
  return fix;
}
