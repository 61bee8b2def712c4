import * as vscode from 'vscode';
import type { Spend, SpendCap } from '../../ports/spend.js';
import { grouped, scoredPercents } from '../../wording/amounts.js';
import { describeTime } from '../../wording/describeTime.js';
import { planText } from '../../wording/preflightLines.js';
import { nightLine } from '../../wording/harvest/nightLine.js';
import { nightNotes } from '../../wording/harvest/nightNotes.js';
import { nightWord } from '../../wording/gateWords.js';
import { shortOutcome } from '../../wording/shortVerdict.js';
import { retold, t } from '../../wording/translate.js';
import type { NightPlan } from '../../app/nights/nightPlan.js';
import type { NightResult } from '../../app/nights/nightResult.js';
import { usdFigure } from '../../usdFigure.js';

/** One night in a sentence: when, who started it, what came of it, and what it took. */
export function nightSentence(night: NightResult, now: number, timezone: string): string {
  const when = describeTime(night.startedAt, { now, timezone }, t);
  const by = night.startedBy === 'operating-system' ? ` ${vscode.l10n.t('(started by the operating system)')}` : '';
  const line = nightLine(night, t);
  // The line first: a menu cuts what is long, and a reason may be.
  return `${when}${by}: ${line === '' ? '' : `${line}. `}${outcomeSentence(night)}`;
}

/** What came of a night, the worst first: no zero without its reason. */
export function outcomeSentence({ skills, stops }: NightResult): string {
  const [stop] = stops;
  if (stop !== undefined) return retold(stop.sentence);
  const failed = skills.find((skill) => skill.outcome === 'failed');
  const adopted = skills.filter((skill) => skill.outcome === 'adopted');
  const proposed = skills.filter((skill) => skill.outcome === 'proposed').length;
  const ran = skills.filter((skill) => skill.outcome !== 'skipped');
  const parts = [
    ...(adopted.length === 0
      ? []
      : [vscode.l10n.t('Adopted without asking: {0}.', adopted.map(({ name }) => name).join(', '))]),
    ...(failed === undefined ? [] : [vscode.l10n.t('{0} failed: {1}', failed.name, retold(failed.reason))]),
    ...(proposed > 0
      ? [
          proposed === 1
            ? vscode.l10n.t('1 of {0} skills has new proposals.', skills.length)
            : vscode.l10n.t('{0} of {1} skills have new proposals.', proposed, skills.length),
        ]
      : []),
  ];
  if (parts.length > 0) return parts.join(' ');
  const [only = skills[0]] = ran;
  return only === undefined ? vscode.l10n.t('No skill was trained.') : `${only.name}: ${shortOutcome(only)}`;
}

/** A night line by line, for the log. */
export function nightLines(night: NightResult): readonly string[] {
  return [
    ...night.stops.map(({ sentence, cure }) => `${sentence} ${cure}`.trim()),
    ...(night.fleet === undefined ? [] : [retold(night.fleet)]),
    ...night.skills.map(({ name, outcome, verdict, before, after, metric, reason, place }) => {
      const scores =
        before === undefined || after === undefined ? '' : ` ${scoredPercents({ before, after, metric }, t)}`;
      const why = place === undefined ? '' : ` ${retold(place)}`;
      return `${name}: ${nightWord(outcome, verdict)}${scores}. ${reason}${why}`;
    }),
    ...sessionNotes(night),
    vscode.l10n.t('{0} calls, {1} tokens.', night.spend.calls, night.spend.tokens),
    ...[nightLine(night, t)].filter((line) => line !== ''),
  ];
}

/** What went wrong with its sessions, in sentences. */
export function sessionNotes({ sessions }: NightResult): readonly string[] {
  if (sessions === undefined) return [];
  const { reason } = sessions;
  return nightNotes({ ...sessions, reason: reason === undefined ? undefined : retold(reason) }, t);
}

export function spendWords({ tokens, usd }: Pick<Spend, 'tokens' | 'usd'>): string {
  const counted = vscode.l10n.t('{0} tokens', grouped(tokens));
  return usd === undefined || usd === 0 ? counted : `${counted}, ${usdFigure(usd)} USD`;
}

export function capWords({ tokens, usd }: SpendCap): string | undefined {
  const parts = [
    ...(usd === undefined ? [] : [`${usdFigure(usd)} USD`]),
    ...(tokens === undefined ? [] : [vscode.l10n.t('{0} tokens', grouped(tokens))]),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}

/** The estimate of a night: the sum over its skills, and over the sessions that a model is asked about. */
export function estimateWords(train: NightPlan['train'], sessions: NightPlan['sessions']): string {
  const sizes = [...train.map(({ preflight }) => preflight), ...(sessions?.size === undefined ? [] : [sessions.size])];
  const sum = (key: 'calls' | 'tokens', end: 'low' | 'high'): number =>
    sizes.reduce((total, size) => total + size[key][end], 0);
  const counted = vscode.l10n.t(
    '{0} to {1} calls, {2} to {3} tokens',
    grouped(sum('calls', 'low')),
    grouped(sum('calls', 'high')),
    grouped(sum('tokens', 'low')),
    grouped(sum('tokens', 'high')),
  );
  const [plan] = train.flatMap(({ preflight }) => planText(preflight) ?? []);
  if (plan !== undefined) return `${counted}, ${plan}`;
  if (sizes.some((size) => size.usd === undefined))
    return `${counted}; ${vscode.l10n.t('the price of the model is not known')}`;
  const usd = (end: 'low' | 'high'): number => sizes.reduce((total, size) => total + (size.usd?.[end] ?? 0), 0);
  return usd('high') === 0 ? counted : `${counted}, ${usdFigure(usd('low'))} to ${usdFigure(usd('high'))} USD`;
}
