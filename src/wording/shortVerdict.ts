import { minimumHeldOutTasks } from '../gate/statistics/certification.js';
import type { GateFigures, GateMetric, Verdict } from '../gate/verdict/verdict.js';
import { list, percent, percents, scoredPercents } from './amounts.js';
import { comparedTasks } from './comparedTasks.js';
import { retold, t } from './translate.js';
import { behindSentence, claimIn, refusalIn } from './verdictSentences.js';
import { isClearlyUp, nightHead } from './verdictReport.js';

/**
 * A verdict in a sentence, without its statistics: `incident-summary improved from 0 % to 100 % on 10 held-out tasks.` The
 * sentence that is stored with the verdict has them, and the report shows it.
 */
export function shortVerdict(verdict: Verdict, name?: string): string {
  switch (verdict.kind) {
    case 'accepted':
      return improved(verdict, name);
    case 'rejected':
      return named(name, notFound(verdict));
    case 'inconclusive':
      return named(name, retold(verdict.reason));
    case 'unmeasured':
      if (verdict.cause === 'made-elsewhere') return named(name, t('From another machine, not verified here.'));
      return named(name, retold(verdict.reason));
  }
}

/** What a run came to: its verdict, or why it ended without one. */
export function shortRun({
  verdict,
  reason,
}: {
  readonly verdict?: Verdict | undefined;
  readonly reason: string;
}): string {
  return verdict === undefined ? retold(reason) : shortVerdict(verdict);
}

/** The same of a night, which keeps the scores of a verdict but not its figures. */
export function shortOutcome({
  verdict,
  before,
  after,
  interval,
  metric,
  reason,
}: Parameters<typeof nightHead>[0] & { readonly metric?: GateMetric | undefined }): string {
  const isDecided = verdict === 'accepted' || verdict === 'rejected';
  if (!isDecided || before === undefined || after === undefined) return retold(reason);
  const notes = behindSentence(reason);
  const word = nightHead({ verdict, before, after, interval, reason }, t);
  return `${word} (${scoredPercents({ before, after, metric }, t)}).${notes === '' ? '' : ` ${retold(notes)}`}`;
}

/** `5 edits to review.` */
export function toReview(edits: number): string {
  return edits === 1 ? t('1 edit to review.') : t('{0} edits to review.', edits);
}

function named(name: string | undefined, sentence: string): string {
  return name === undefined ? sentence : `${name}: ${sentence}`;
}

function improved({ reason, figures }: Extract<Verdict, { readonly kind: 'accepted' }>, name?: string): string {
  const { before, after } = figures;
  if (claimIn(reason) === 'not-worse')
    return named(name, t('As good as before and shorter ({0} on {1}).', percents(figures), tasks(figures)));
  const facts = [percent(before), percent(after), tasks(figures)];
  const sentence =
    name === undefined
      ? t('Improved from {0} to {1} on {2}.', ...facts)
      : t('{0} improved from {1} to {2} on {3}.', name, ...facts);
  if (figures.rule !== 'strict') return sentence;
  const doubt =
    figures.n < minimumHeldOutTasks
      ? t('The strict rule does not exclude luck, and there are fewer than {0} held-out tasks.', minimumHeldOutTasks)
      : t('The strict rule does not exclude luck.');
  return `${sentence} ${doubt}`;
}

/** “No improvement found” is not “worse”; what got in the way is said where it is known. */
function notFound({ reason, figures }: Extract<Verdict, { readonly kind: 'rejected' }>): string {
  const facts = [percents(figures), tasks(figures)];
  const { regressed } = figures;
  const refusal = refusalIn(reason);
  if (isClearlyUp(reason, figures))
    return refusal === 'tasks'
      ? t('Not shown: {0} on {1}, but too few of the tasks got better.', ...facts)
      : t('Not shown: {0} on {1}, but this much may be luck.', ...facts);
  switch (refusal) {
    case 'futile':
      return t('No improvement found ({0} on {1}). Stopped early.', ...facts);
    case 'noise':
      return t('No improvement found ({0} on {1}): this much may be luck.', ...facts);
    case 'tasks':
      return t('No improvement found ({0} on {1}): too few of the tasks got better.', ...facts);
    case 'regression':
      if (regressed.length > 0)
        return t('No improvement found: better on average, but worse on {0}.', list(regressed, t));
      return t('No improvement found ({0} on {1}).', ...facts);
    case undefined:
      return `${t('No improvement found ({0} on {1}).', ...facts)}${howFew(figures)}`;
  }
}

/** The strict rule decides on fewer tasks than can show anything, and says so. */
function howFew({ rule, n }: GateFigures): string {
  const isFew = rule === 'strict' && n < minimumHeldOutTasks;
  return isFew ? ` ${t('There are fewer than {0} held-out tasks.', minimumHeldOutTasks)}` : '';
}

function tasks(figures: GateFigures): string {
  const compared = comparedTasks(figures, t);
  return figures.metric === 'hard' ? compared : t('{0}, with partial credit', compared);
}
