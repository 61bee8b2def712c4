import * as vscode from 'vscode';
import type { Stage } from '../../engine/journal/runEvents.js';
import type { RunShare } from '../../engine/journal/runShare.js';
import type { RunSummary } from '../../engine/journal/runSummary.js';
import { grouped, spentText } from '../../wording/amounts.js';
import { shareText } from '../../wording/shareText.js';
import { t } from '../../wording/translate.js';

/** A run of this window, as far as it is. */
export interface LiveRun {
  readonly summary: RunSummary;
  readonly share: RunShare;
  /** True for a run of a night, which is stopped with the night. */
  readonly ofNight?: boolean;
}

/** "35 % · about 2 min left · training tasks · 0.02 of 0.50 USD", short enough for a notification. */
export function progressMessage({ summary, share }: LiveRun, capUsd: number | undefined): string {
  const { progress } = summary;
  const between = share.share < 1 ? vscode.l10n.t('starting') : vscode.l10n.t('finishing');
  const where = progress === undefined ? between : stageText(progress);
  return [shareText(share), where, spendText(summary, capUsd)].join(' · ');
}

/** What a run has used, in the unit that is known. */
export function spendText({ spend }: Pick<RunSummary, 'spend'>, capUsd?: number): string {
  const roles = Object.values(spend);
  const tokens = roles.reduce((sum, role) => sum + role.tokens, 0);
  const known = roles.every((role) => role.usd !== undefined);
  const usd = roles.reduce((sum, role) => sum + (role.usd ?? 0), 0);
  if (!known || (usd === 0 && capUsd === undefined)) return vscode.l10n.t('{0} tokens', grouped(tokens));
  return spentText({ usd, exact: roles.every((role) => role.exact), capUsd }, t);
}

function stageText({ stage, step }: NonNullable<RunSummary['progress']>): string {
  return stage === 'certify' ? vscode.l10n.t('measuring, round {0}', step) : stageWord(stage);
}

/** A stage of a run in plain words. */
export function stageWord(stage: Stage): string {
  const words: Readonly<Record<Stage, string>> = {
    baseline: vscode.l10n.t('held-out tasks'),
    rollout: vscode.l10n.t('training tasks'),
    reflect: vscode.l10n.t('reflecting on failures'),
    aggregate: vscode.l10n.t('merging edits'),
    select: vscode.l10n.t('choosing edits'),
    update: vscode.l10n.t('applying edits'),
    evaluate: vscode.l10n.t('held-out tasks with the edits'),
    front: vscode.l10n.t('training tasks with the edits'),
    'slow-update': vscode.l10n.t('what the epoch changed'),
    'meta-skill': vscode.l10n.t('notes of the optimizer'),
    attribute: vscode.l10n.t('worth of each edit'),
    certify: vscode.l10n.t('measuring'),
    sealed: vscode.l10n.t('sealed tasks'),
  };
  return words[stage];
}
