import type { SideResult, TaskComparison } from '../../gate/verdict/verdict.js';
import { percent, percentOn, spentText } from '../../wording/amounts.js';
import { stepWords } from '../../wording/gateWords.js';
import { visibleText } from '../../wording/shownText.js';
import { english } from '../../wording/translate.js';
import { typeGrid, type TypeFigures } from '../../wording/taskWords.js';
import type { TaskPassRate } from './taskFigures.js';
import {
  cutOffStage,
  spentInNoStage,
  totalSpend,
  type EpochSummary,
  type RoleSpend,
  type RunSummary,
  type StepSummary,
} from './runSummary.js';

const mostPlain = 600;

/**
 * Text of others on one line, with everything that Markdown would read as a mark taken as a character, and what nobody
 * would see, or a terminal would obey, written out.
 */
export function plain(text: string): string {
  const line = visibleText(text.replaceAll(/\s+/gu, ' ').trim());
  const cut = line.length <= mostPlain ? line : `${line.slice(0, mostPlain)} …`;
  return cut.replaceAll(/[\\`*_{}[\]<>#|!~&]/gu, (mark) => `\\${mark}`);
}

export function score(value: number | undefined): string {
  return value === undefined ? '–' : percent(value);
}

/** Held-out tasks before and after, what got worse first. */
export function comparisonTable(comparisons: readonly TaskComparison[]): string {
  const rows = [...comparisons]
    .sort((a, b) => rankOf(a) - rankOf(b) || (a.id < b.id ? -1 : 1))
    .map((row) => `| ${plain(row.id)} | ${side(row.before)} | ${side(row.after)} | ${wordFor(row)} |`);
  return ['| held-out task | before | after | |', '|---|---|---|---|', ...rows].join('\n');
}

/** Training and held-out tasks by type: the share that passed, and of how many attempts. */
export function typeTable(figures: readonly TypeFigures[]): string {
  const { head, rows } = typeGrid(figures, english);
  const lines = [head, head.map(() => '---'), ...rows.map((cells) => cells.map(plain))];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const mostTasks = 30; // of hundreds, those that pass least tell most

/** How often each training task passed over the run, the hardest first. */
export function passRateTable(rates: readonly TaskPassRate[]): string {
  const rows = rates
    .slice(0, mostTasks)
    .map(({ id, attempts, passed, rate }) => `| ${plain(id)} | ${passed} of ${attempts} | ${percent(rate)} |`);
  const rest = rates.length - rows.length;
  return [
    ['| training task | passed | pass rate |', '|---|---|---|', ...rows].join('\n'),
    ...(rest === 0 ? [] : [`${rest} more passed as often or more often.`]),
  ].join('\n\n');
}

export function stepTable(steps: readonly StepSummary[]): string {
  const words = stepWords(english);
  const rows = steps.map(({ scoredOn: on, ...each }) => {
    const training = percentOn(each.trainingScore, { tried: on?.training, tasks: on?.trainingTasks }, english);
    const heldOut = (share: number | undefined, tried: number | undefined): string =>
      percentOn(share, { tried, tasks: on?.heldOutTasks }, english);
    const chosen = each.onTraining;
    const onFront = (row: { score: number | undefined; tasks: number } | undefined): string =>
      percentOn(row?.score, { tried: row?.tasks, tasks: on?.trainingTasks }, english);
    const figures =
      chosen === undefined
        ? [heldOut(each.candidateScore, on?.candidate), heldOut(each.bestScore, on?.best)]
        : [onFront(chosen.candidate), onFront(chosen.chosen)];
    return `| ${each.step} | ${each.epoch} | ${words[each.action] ?? each.action} | ${training} | ${figures.join(' | ')} | ${plain(each.reason)} |`;
  });
  const columns = steps.some(({ onTraining }) => onTraining !== undefined)
    ? 'candidate, on training tasks | chosen, on training tasks'
    : 'candidate | best';
  return [`| step | epoch | outcome | training | ${columns} | |`, '|---|---|---|---|---|---|---|', ...rows].join('\n');
}

/** Training tasks under the first and the last skill of an epoch, and what became of the guidance drawn from that. */
export function epochTable(epochs: readonly EpochSummary[]): string {
  const words: Readonly<Record<string, string>> = { ...stepWords(english), no_content: 'no guidance' };
  const rows = epochs.map(({ epoch, improved, regressed, persistentFail, stableSuccess, slowUpdate: update }) => {
    const became = update === undefined ? '–' : (words[update.action] ?? update.action);
    return `| ${epoch} | ${improved} | ${regressed} | ${persistentFail} | ${stableSuccess} | ${became} | ${plain(update?.reason ?? '')} |`;
  });
  return [
    '| epoch | improved | regressed | failed both times | passed both times | slow update | |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/** What each stage took, in the order in which they were first reached, and all together. */
export function stageTable(summary: RunSummary): string {
  const cut = spentInNoStage(summary);
  const stages = [...Object.entries(summary.stages), ...(cut === undefined ? [] : [[cutOffStage, cut] as const])];
  const rows = stages.map(([stage, spend]) => spendRow(stage, spend, spend.ms));
  return [
    '| stage | calls | failed | from stored replies | tokens | USD | seconds |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    spendRow('all', totalSpend(summary), summary.workedMs),
  ].join('\n');
}

function spendRow(name: string, spend: RoleSpend, ms: number): string {
  const usd =
    spend.usd === undefined ? 'unknown' : spentText({ ...spend, usd: spend.usd }, english).replace(' USD', '');
  const tokens = spend.exact ? String(spend.tokens) : `about ${spend.tokens}`;
  return `| ${name} | ${spend.calls} | ${spend.failedCalls} | ${spend.cachedCalls} | ${tokens} | ${usd} | ${(ms / 1000).toFixed(1)} |`;
}

function side({ passes, valid, invalid }: SideResult): string {
  const lost = invalid === 0 ? '' : `, ${invalid} without a result`;
  return valid === 0 ? `–${lost}` : `${passes} of ${valid}${lost}`;
}

function change({ before, after }: TaskComparison): number | undefined {
  return before.score === undefined || after.score === undefined ? undefined : after.score - before.score;
}

function rankOf(row: TaskComparison): number {
  const changed = change(row);
  return changed === undefined ? 3 : changed < 0 ? 0 : changed > 0 ? 1 : 2;
}

function wordFor(row: TaskComparison): string {
  const changed = change(row);
  if (changed === undefined) {
    return row.before.invalid + row.after.invalid > 0 ? 'no valid result' : 'not needed for the decision';
  }
  if (changed === 0) return row.after.passes === row.after.valid ? 'passes' : 'still fails';
  return changed < 0 ? 'worse' : 'better';
}
