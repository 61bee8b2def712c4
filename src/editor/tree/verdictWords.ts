import * as vscode from 'vscode';
import type { Verdict } from '../../gate/verdict/verdict.js';
import type { Row } from './row.js';

/** A verdict as a word, an icon and a colour of the theme. */
export function verdictWords(verdict: Verdict): {
  readonly word: string;
  readonly icon: string;
  readonly color: Row['color'];
} {
  switch (verdict.kind) {
    case 'accepted':
      return { word: vscode.l10n.t('accepted'), icon: 'pass', color: 'passed' };
    case 'rejected':
      return { word: vscode.l10n.t('rejected'), icon: 'error', color: 'failed' };
    case 'inconclusive':
      return { word: vscode.l10n.t('inconclusive'), icon: 'question', color: 'queued' };
    case 'unmeasured':
      return { word: vscode.l10n.t('not measured'), icon: 'circle-slash', color: 'skipped' };
  }
}

/** "0.58 → 0.75", or nothing where nothing was measured. */
export function scoresText(verdict: Verdict): string | undefined {
  const figures = 'figures' in verdict ? verdict.figures : undefined;
  return figures === undefined ? undefined : `${figures.before.toFixed(2)} → ${figures.after.toFixed(2)}`;
}
