import * as vscode from 'vscode';
import type { TaskComparison } from '../../gate/verdict.js';
import type { Proposal } from '../../ports/proposal.js';
import { rowItem, type Row } from './row.js';
import { noChildren, type TreeNode } from './treeNode.js';
import { scoresText, verdictWords } from './verdictWords.js';

/** The gate's answer, and beneath it every held-out task: regressions first, then what was fixed, unchanged folded. */
export function gateNode(skillPath: string, proposal: Proposal): TreeNode {
  const { verdict } = proposal;
  const { word, icon, color } = verdictWords(verdict);
  const id = `gate:${skillPath}`;
  const rule =
    'figures' in verdict && verdict.figures !== undefined ? vscode.l10n.t('rule {0}', verdict.figures.rule) : undefined;
  const scores = scoresText(verdict);
  const simulated = proposal.models.simulated ? vscode.l10n.t('simulated') : undefined;
  return {
    id,
    skillPath,
    item: () =>
      rowItem({
        id,
        label: vscode.l10n.t('Gate: {0}', word),
        description: [scores, rule, simulated].filter((part) => part !== undefined).join(' · '),
        icon,
        color,
        state: 'expanded',
        contextValue: `gate.${verdict.kind}`,
        says: vscode.l10n.t('Gate result: {0}. {1}', word, verdict.reason),
        tooltip: [verdict.reason, ...(verdict.kind === 'inconclusive' ? [verdict.cure] : [])].join('\n\n'),
      }),
    children: () => Promise.resolve(taskGroups(skillPath, proposal)),
  };
}

function taskGroups(skillPath: string, { comparisons }: Proposal): readonly TreeNode[] {
  const worse = comparisons.filter((row) => changeOf(row) === 'worse');
  const better = comparisons.filter((row) => changeOf(row) === 'better');
  const rest = comparisons.filter((row) => changeOf(row) !== 'worse' && changeOf(row) !== 'better');
  const unchanged: TreeNode = {
    id: `gate:${skillPath}:unchanged`,
    skillPath,
    item: () =>
      rowItem({
        id: `gate:${skillPath}:unchanged`,
        label: vscode.l10n.t('{0} unchanged', rest.length),
        icon: 'dash',
        state: 'collapsed',
        contextValue: 'gate.unchanged',
        says: vscode.l10n.t('{0} held-out tasks came out the same before and after.', rest.length),
      }),
    children: () => Promise.resolve(rest.map((row) => comparisonNode(skillPath, row))),
  };
  return [
    ...[...worse, ...better].map((row) => comparisonNode(skillPath, row)),
    ...(rest.length === 0 ? [] : [unchanged]),
  ];
}

type Change = 'worse' | 'better' | 'same' | 'unknown';

function changeOf({ before, after }: TaskComparison): Change {
  if (before.score === undefined || after.score === undefined) return 'unknown';
  if (after.score < before.score) return 'worse';
  return after.score > before.score ? 'better' : 'same';
}

const looks: Readonly<Record<Change, Pick<Row, 'icon' | 'color'>>> = {
  worse: { icon: 'arrow-down', color: 'failed' },
  better: { icon: 'arrow-up', color: 'passed' },
  same: { icon: 'dash', color: 'skipped' },
  unknown: { icon: 'question', color: 'queued' },
};

function comparisonNode(skillPath: string, row: TaskComparison): TreeNode {
  const change = changeOf(row);
  const id = `gate:${skillPath}:task:${row.id}`;
  const counts = `${row.before.passes} of ${row.before.valid} → ${row.after.passes} of ${row.after.valid}`;
  return {
    id,
    skillPath,
    taskId: row.id,
    item: () =>
      rowItem({
        id,
        label: row.id,
        description: change === 'unknown' ? unknownText(row) : counts,
        ...looks[change],
        contextValue: 'gate.task',
        says: vscode.l10n.t(
          'Held-out task {0}: passed {1} of {2} before and {3} of {4} after.',
          row.id,
          row.before.passes,
          row.before.valid,
          row.after.passes,
          row.after.valid,
        ),
        command: {
          command: 'whetstone.showAnswers',
          title: vscode.l10n.t('Show Both Answers'),
          arguments: [{ skillPath, taskId: row.id }],
        },
      }),
    children: noChildren,
  };
}

function unknownText(row: TaskComparison): string {
  return row.before.invalid + row.after.invalid > 0
    ? vscode.l10n.t('no valid result')
    : vscode.l10n.t('not needed for the decision');
}
