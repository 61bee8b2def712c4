import * as vscode from 'vscode';
import type { Verdict } from '../../gate/verdict/verdict.js';
import type { ProposedEdit } from '../../ports/proposal.js';
import type { EditDecision } from '../../review/reviewDecision.js';
import { t } from '../../wording/translate.js';
import { headWord } from '../../wording/verdictReport.js';
import { shownLine } from '../../wording/shownText.js';
import type { Row } from './row.js';

const longestSummary = 60; // a narrow side bar shows about that much

/** The first words of what an edit says or takes away. */
export function summaryOf(edit: ProposedEdit['edit']): string {
  const text = 'content' in edit && edit.content !== '' ? edit.content : 'anchor' in edit ? edit.anchor : '';
  return `${signs[edit.op]} ${shortened(text)}`;
}

const signs: Readonly<Record<ProposedEdit['edit']['op'], string>> = {
  append: '+',
  insert_after: '+',
  replace: '~',
  delete: '−',
  slow_update: '~',
  appendix: '~',
};

/** Text of a model on one line, without the marks of lists and headings. */
export function shortened(text: string): string {
  return shownLine(text.trim().replace(/^[-*#\s]+/, ''), longestSummary);
}

/** A decision as a word, an icon and a colour of the theme. */
export function decisionWords(
  decision: EditDecision | undefined,
): { readonly word: string } & Pick<Row, 'icon' | 'color'> {
  switch (decision?.kind) {
    case undefined:
      return { word: vscode.l10n.t('open'), icon: 'circle-outline' };
    case 'accepted':
      return { word: vscode.l10n.t('accepted'), icon: 'pass', color: 'passed' };
    case 'edited':
      return { word: vscode.l10n.t('edited by you'), icon: 'edit', color: 'passed' };
    case 'rejected':
      return { word: vscode.l10n.t('rejected'), icon: 'error', color: 'failed' };
  }
}

/** An edit of a proposal that the gate refused: there to be looked at. */
export function refusedWords(verdict: Verdict): { readonly word: string } & Pick<Row, 'icon' | 'color'> {
  return { word: headWord(verdict, t), icon: 'circle-slash', color: 'skipped' };
}
