import type { Stage } from '../../engine/runEvents.js';
import type { RunSummary } from '../../engine/runSummary.js';

const words: Readonly<Record<Stage, string>> = {
  baseline: 'held-out, skill as it is',
  rollout: 'training tasks',
  reflect: 'reflecting on failures',
  aggregate: 'merging edits',
  select: 'choosing edits',
  update: 'applying edits',
  evaluate: 'held-out, candidate',
  attribute: 'worth of each edit',
  certify: 'certifying',
  sealed: 'sealed tasks',
};

/** "held-out 7 of 24 · 0.02 USD", short enough for a notification and a tree row. */
export function progressMessage(summary: RunSummary, capUsd: number | undefined): string {
  const { progress } = summary;
  const where = progress === undefined ? 'starting' : stageText(progress);
  return `${where} · ${spendText(summary, capUsd)}`;
}

/** What a run has used, in the unit that is known. */
export function spendText({ spend }: Pick<RunSummary, 'spend'>, capUsd?: number): string {
  const roles = Object.values(spend);
  const tokens = roles.reduce((sum, role) => sum + role.tokens, 0);
  const known = roles.every((role) => role.usd !== undefined);
  const usd = roles.reduce((sum, role) => sum + (role.usd ?? 0), 0);
  if (!known || (usd === 0 && capUsd === undefined)) return `${tokens.toLocaleString('en')} tokens`;
  return capUsd === undefined ? `${usd.toFixed(2)} USD` : `${usd.toFixed(2)} of ${capUsd.toFixed(2)} USD`;
}

function stageText({ stage, step, done, planned }: NonNullable<RunSummary['progress']>): string {
  const pass = stage === 'certify' ? `, pass ${step}` : '';
  return `${words[stage]}${pass}${planned > 0 ? ` ${done} of ${planned}` : ''}`;
}
