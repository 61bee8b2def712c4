import { briefTime, describeTime } from './describeTime.js';
import { percent } from './amounts.js';
import { shareText, type ShownShare } from './shareText.js';
import { iconLabel, visibleText, type ShownText } from './shownText.js';
import { retold, t } from './translate.js';

/** What the status bar item of the nights shows. */
export type NightlyStatus =
  | { readonly kind: 'off' }
  | { readonly kind: 'on'; readonly next: number | undefined }
  | { readonly kind: 'missed'; readonly due: number }
  | {
      readonly kind: 'running';
      readonly skill: string;
      readonly done: number;
      readonly total: number;
      /** Of the skill that is trained now. */
      readonly share?: ShownShare;
    }
  | { readonly kind: 'broken'; readonly why: string; readonly cure: string };

/** What the tooltip adds, whatever the state. */
export interface StatusContext {
  readonly now: number;
  readonly timezone: string;
  /** The last night in a sentence, if there was one. */
  readonly last: string | undefined;
  /** What was spent this month, in words. */
  readonly spent: string | undefined;
  /** Names of skills that hold part of a proposal, which nobody measured. */
  readonly unmeasured: readonly string[];
  /** Said wherever a result of the simulated model could show. */
  readonly simulated: boolean;
}

export interface StatusText {
  /** With a leading codicon. */
  readonly text: ShownText;
  /** Plain lines. Names come from the workspace: they are never shown as Markdown. */
  readonly tooltip: readonly string[];
  /** A whole sentence for screen readers: no icon, no colour carries anything alone. */
  readonly accessibility: string;
  readonly warning: boolean;
}

/** The words of the status bar. Colour is kept for what is broken. What waits has an item of its own. */
export function statusText(status: NightlyStatus, context: StatusContext): StatusText {
  const { short, icon, sentence } = wordsOf(status, context);
  const { last, spent, simulated, unmeasured } = context;
  const parts =
    unmeasured.length === 0 ? [] : [t('Not measured: part of a proposal is in {0}.', unmeasured.join(', '))];
  const withUnmeasured = unmeasured.length === 0 ? short : t('{0} · {1} not measured', short, unmeasured.length);
  const tooltip = [
    sentence,
    ...parts,
    ...(last === undefined ? [] : [t('Last: {0}', last)]),
    ...(spent === undefined ? [] : [t('Spent this month: {0}', spent)]),
    ...(simulated ? [t('The simulated model answers: no real model is called.')] : []),
  ];
  return {
    text: iconLabel(icon, simulated ? t('{0} (simulated)', withUnmeasured) : withUnmeasured),
    tooltip: tooltip.map((line) => visibleText(line)),
    accessibility: visibleText(
      `Whetstone: ${[sentence, ...parts, ...(simulated ? [t('Simulated model.')] : [])].join(' ')}`,
    ),
    warning: status.kind === 'broken',
  };
}

interface Words {
  readonly short: string;
  readonly icon: string;
  readonly sentence: string;
}

function wordsOf(status: NightlyStatus, context: StatusContext): Words {
  const when = (at: number): string => describeTime(at, context, t);
  const next = (at: number | undefined): string => (at === undefined ? t('No next time.') : t('Next: {0}.', when(at)));
  switch (status.kind) {
    case 'off':
      return { icon: 'circle-slash', short: t('Nightly off'), sentence: t('Nightly training is off.') };
    case 'on':
      return {
        icon: 'clock',
        short: status.next === undefined ? t('Nightly on') : t('Nightly {0}', briefTime(status.next, context, t)),
        sentence: `${t('Nightly training is on.')} ${next(status.next)}`,
      };
    case 'missed':
      return {
        icon: 'question',
        short: t('Nightly missed'),
        sentence: t('The night due {0} did not run. Choose whether to run it now.', when(status.due)),
      };
    case 'running':
      return runningWords(status);
    case 'broken':
      return {
        icon: 'warning',
        short: t('Nightly paused'),
        sentence: `${t('Nightly training is paused.')} ${retold(`${status.why} ${status.cure}`.trimEnd())}`,
      };
  }
}

/** The share is that of the whole night: skills that are done count whole. */
function runningWords({ skill, done, total, share }: Extract<NightlyStatus, { kind: 'running' }>): Words {
  const short = t('Whetstone: training {0} of {1}', Math.min(done + 1, total), total);
  const sentence = t('Nightly training is at work on {0}: {1} of {2} done.', skill, done, total);
  const icon = 'sync~spin';
  if (share === undefined) return { icon, short, sentence };
  const whole = percent(Math.min(1, (done + share.share) / Math.max(1, total)));
  return { icon, short: `${short} · ${whole}`, sentence: `${sentence} ${t('This skill: {0}.', shareText(share))}` };
}
