import { minimumHeldOutTasks } from '../statistics/certification.js';
import type { RuleDecision } from './acceptanceRules.js';
import { settledTasks, type RecordedOutcomes } from './recordedOutcomes.js';
import { decisionsInARow, type RuleRow, type RuleTableSettings, type Share } from './ruleTable.js';

/** The whole table as Markdown: the same from the command line and on the page about the truth benchmark. */
export function ruleTableText(rows: readonly RuleRow[]): string {
  const inARow = decisionsInARow();
  const head = [
    'rule',
    'accepts an edit that changes nothing',
    `any of ${inARow} such edits`,
    '+20 found',
    '+40 found',
    '+20, assumed rates',
    '+40, assumed rates',
    ...comparedHead(rows[0]?.compared.length ?? 0),
    'attempts: nothing, +20, +40',
    'the question it answers',
  ];
  return [row(head), row(head.map(() => '---')), ...rows.map((each) => row(cellsOf(each)))].join('\n');
}

/** What was really compared: one edit of a person, or many pairs of arms with the same text. */
function comparedHead(comparisons: number): readonly string[] {
  if (comparisons === 0) return [];
  return [comparisons === 1 ? 'says of your edit' : `accepted of ${comparisons} comparisons as recorded`];
}

export function comparedCell(compared: readonly RuleDecision[]): readonly string[] {
  const [first, ...more] = compared;
  if (first === undefined) return [];
  if (more.length > 0) return [String(compared.filter(({ kind }) => kind === 'accepted').length)];
  return [first.kind === 'open' ? 'undecided' : first.kind];
}

/** What the table was made of, and what it cannot say. */
export function ruleTableNotes(
  outcomes: RecordedOutcomes,
  rows: readonly RuleRow[],
  { seed, resamples }: RuleTableSettings,
  shows: 'intervals' | 'shares' = 'intervals',
): readonly string[] {
  const n = outcomes.scores.length;
  const attempts = outcomes.scores.map((scores) => scores.length);
  const [fewest, most] = [Math.min(...attempts), Math.max(...attempts)];
  const { passed, failed } = settledTasks(outcomes);
  const gains = Math.ceil(resamples / 5);
  return [
    `${counted(n, 'task')}, ${fewest === most ? counted(fewest, 'attempt') : `${fewest} to ${most} attempts`} each; ${passed} always passed, ${failed} always failed.`,
    ...settledNotes(n, passed),
    `${resamples} resamples of an edit that changes nothing, ${gains} of each gain;${shows === 'intervals' ? ' 95 % intervals by Wilson in brackets;' : ''} seeds ${seedsOf(rows)}; assumed rates: Beta(1.2, 1.2), seed ${seed}.`,
    ...(rows.some(({ rule }) => !rule.asksAsWeDo)
      ? ['† answers another question than “is it better, and not by luck, on tasks like these?”: see its last column.']
      : []),
    ...(fewest < 5
      ? [`With ${counted(fewest, 'attempt')} at a task its pass rate is rough: gather five or more.`]
      : []),
  ];
}

/** Where a row of zeros would not say why. */
function settledNotes(n: number, passed: number): readonly string[] {
  return [
    ...(n < minimumHeldOutTasks
      ? [
          `With fewer than ${minimumHeldOutTasks} tasks nothing can be proved: Whetstone makes no attempt, and accepts nothing.`,
        ]
      : []),
    ...(passed === n
      ? [
          'Every task always passed, so no edit can show a gain on them: +20 and +40 are found by no rule. Give harder tasks.',
        ]
      : []),
  ];
}

function counted(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

/** Mean attempts at an edit that changes nothing, gains 20 points and gains 40. */
export function attemptsText({ noEffect, recorded }: RuleRow): string {
  const means = [noEffect, recorded[20], recorded[40]].map(({ attempts }) => attempts.toFixed(0));
  return means.every((mean) => mean === '0') ? 'none made' : means.join(', ');
}

function cellsOf(each: RuleRow): readonly string[] {
  const { rule, noEffect, recorded, assumed } = each;
  const own = rule.id === 'whetstone';
  const cells = [
    rule.name + (rule.asksAsWeDo ? '' : ' †'),
    shareText(noEffect.accepted, 2),
    shareText(each.inARow, 2),
    shareText(recorded[20].accepted, 1),
    shareText(recorded[40].accepted, 1),
    shareText(assumed[20].accepted, 1),
    shareText(assumed[40].accepted, 1),
    ...comparedCell(each.compared),
    attemptsText(each),
  ].map((cell) => (own ? `**${cell}**` : cell));
  return [...cells, rule.asks];
}

function shareText({ share, interval }: Share, digits: number): string {
  const [low, high] = interval.map((bound) => (100 * bound).toFixed(digits));
  return `${(100 * share).toFixed(digits)} % (${low} to ${high})`;
}

function seedsOf(rows: readonly RuleRow[]): string {
  const [first] = rows;
  if (first === undefined) return '';
  return [first.noEffect, first.recorded[20], first.recorded[40]].map(({ seed }) => `(${seed.join(', ')})`).join(', ');
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
