import * as vscode from 'vscode';
import { commandLink } from '../commands/runCommand.js';
import type { GateFigures, TaskComparison } from '../../gate/verdict/verdict.js';
import { shortVerdict } from '../../wording/shortVerdict.js';
import { t } from '../../wording/translate.js';
import { count, scoredPercents } from '../../wording/amounts.js';
import { rejectedPart, sentenceWith, type DecidedEdits } from '../../wording/decidedEdits.js';
import { figureLines, retoldReport, verdictReport } from '../../wording/verdictReport.js';
import type { Proposal } from '../../ports/proposal.js';
import { certifyNodes, type CandidatePrices } from './candidateNodes.js';
import { gateFacts } from './gateFacts.js';
import type { Row } from './row.js';
import { gateAttemptNodes, type GateAttemptsOf } from './stepNodes.js';
import { noChildren, type TreeNode } from './treeNode.js';
import { changeOf, changeWord, sideTexts, type Change } from '../../wording/gateWords.js';
import { verdictWords } from './verdictWords.js';

/** The gate's answer; beneath it what else there is to know about it, then every held-out task: regressions first, then what was fixed, unchanged folded. */
export function gateNode(skillPath: string, proposal: Proposal, part: GateParts): TreeNode {
  const { verdict } = proposal;
  const { word, icon, color } = verdictWords(verdict);
  return {
    id: `gate:${skillPath}`,
    skillPath,
    row: () => ({
      label: vscode.l10n.t('Gate: {0}', word),
      description: descriptionOf(proposal, part),
      icon,
      color,
      state: 'expanded',
      contextValue: `gate.${verdict.kind}`,
      says: vscode.l10n.t(
        'Gate result: {0}. {1}',
        word,
        sentenceWith(shortVerdict(verdict), rejectedIn(proposal, part)),
      ),
      tooltip: () => tooltipOf(proposal),
    }),
    children: async () => [
      ...(await certifyNodes(skillPath, proposal, part.prices)),
      ...gateFacts(skillPath, proposal),
      ...taskRows(skillPath, proposal, part.worked),
    ],
  };
}

/** The sentence, then the same numbers that report, terminal and JSON give. */
function tooltipOf({ verdict, sealed, models }: Proposal): string {
  const report = retoldReport(verdictReport(verdict, sealed, models));
  return [
    report.reason,
    ...(report.cure === null ? [] : [vscode.l10n.t('What would settle it: {0}', report.cure)]),
    ...figureLines(report, t),
    ...report.warnings.map((warning) => vscode.l10n.t('Warning: {0}', warning)),
  ].join('\n\n');
}

/** What the person made of the proposal so far. */
interface DecidedPart {
  readonly isTaken: boolean;
  readonly edits: DecidedEdits;
}

interface GateParts extends DecidedPart {
  readonly prices: CandidatePrices;
  readonly worked: WorkedTasks;
}

/** Which tasks agents work on, and what is kept of the attempts at them. */
interface WorkedTasks {
  readonly ids: ReadonlySet<string>;
  readonly attemptsOf: GateAttemptsOf;
}

/** While only part of the proposal is in the file, the skill's row speaks of that part, and this one of all of it. */
function descriptionOf(proposal: Proposal, part: DecidedPart): string {
  const { verdict, models } = proposal;
  const figures = 'figures' in verdict ? verdict.figures : undefined;
  return [
    part.isTaken ? vscode.l10n.t('all {0} edits together', part.edits.all) : rejectedIn(proposal, part),
    figures === undefined ? undefined : scoredPercents(figures, t),
    figures === undefined
      ? undefined
      : vscode.l10n.t('{0} better, {1} worse', figures.fixed.length, figures.regressed.length),
    figures === undefined ? undefined : attemptedText(figures),
    models.simulated ? vscode.l10n.t('simulated') : undefined,
  ]
    .filter((each) => each !== undefined)
    .join(' · ');
}

/** Tasks that were not needed stand behind no score. */
function attemptedText({ n, notNeeded = 0, rule }: GateFigures): string {
  if (notNeeded === 0) return vscode.l10n.t('{0} held-out tasks, rule {1}', n, rule);
  return vscode.l10n.t('{0} of {1} held-out tasks attempted, rule {2}', n - notNeeded, n, rule);
}

function rejectedIn({ verdict }: Proposal, { isTaken, edits }: DecidedPart): string | undefined {
  return isTaken || !('figures' in verdict) ? undefined : rejectedPart(edits);
}

function taskRows(skillPath: string, { comparisons }: Proposal, worked: WorkedTasks): readonly TreeNode[] {
  const of = (...wanted: readonly Change[]): readonly TaskComparison[] =>
    comparisons.filter((row) => wanted.includes(changeOf(row)));
  const rest = of('same', 'unknown');
  const shown = [...of('worse'), ...of('better')].map((row) => comparisonNode(skillPath, row, worked));
  return rest.length === 0 ? shown : [...shown, unchangedNode(skillPath, rest, worked)];
}

function unchangedNode(skillPath: string, rest: readonly TaskComparison[], worked: WorkedTasks): TreeNode {
  return {
    id: `gate:${skillPath}:unchanged`,
    skillPath,
    row: () => ({
      label: vscode.l10n.t('{0} unchanged', rest.length),
      icon: 'dash',
      state: 'collapsed',
      contextValue: 'gate.unchanged',
      says: vscode.l10n.t('{0} came out the same before and after.', count(rest.length, 'held-out task', t)),
    }),
    children: () => Promise.resolve(rest.map((row) => comparisonNode(skillPath, row, worked))),
  };
}

const looks: Readonly<Record<Change, Pick<Row, 'icon' | 'color'>>> = {
  worse: { icon: 'arrow-down', color: 'failed' },
  better: { icon: 'arrow-up', color: 'passed' },
  same: { icon: 'dash', color: 'skipped' },
  unknown: { icon: 'question', color: 'queued' },
};

/** A task that agents work on opens to its attempts: what they did and changed is what was compared. */
function comparisonNode(skillPath: string, task: TaskComparison, { ids, attemptsOf }: WorkedTasks): TreeNode {
  const change = changeOf(task);
  const { id, before, after } = task;
  const row = { id: `gate:${skillPath}:task:${id}`, skillPath, task: id };
  const isWorked = ids.has(id);
  return {
    id: row.id,
    skillPath,
    taskId: id,
    row: () => ({
      label: id,
      description: change === 'unknown' ? changeWord(task, t) : `${counts(task)} · ${changeWord(task, t)}`,
      ...looks[change],
      ...(isWorked ? { state: 'collapsed' as const } : {}),
      contextValue: 'gate.task',
      says: vscode.l10n.t(
        'Held-out task {0}, {1}: passed {2} of {3} before and {4} of {5} after.',
        id,
        changeWord(task, t),
        before.passes,
        before.valid,
        after.passes,
        after.valid,
      ),
      command: commandLink('whetstone.showAnswers', vscode.l10n.t('Show Both Answers'), { skillPath, taskId: id }),
    }),
    children: isWorked ? () => gateAttemptNodes(row, attemptsOf) : noChildren,
  };
}

/** Passes of attempts, before and after. Short and first: a narrow view shows little more than the label. */
function counts(task: TaskComparison): string {
  return sideTexts(task, (passes, valid) => `${passes}/${valid}`).join(' → ');
}
