import * as vscode from 'vscode';
import type { SkillOverview } from '../../app/results/overview.js';
import { neverAborted } from '../cancellation.js';
import { commandLink } from '../commands/runCommand.js';
import { runRequestFor } from '../run/runRequestFor.js';
import { requestFor, type UseCasesSource } from '../workbench.js';
import { candidateNodes, type CandidatePrices } from './candidateNodes.js';
import type { EditChoices } from '../../review/editChoices.js';
import { proposedNode } from './editNodes.js';
import { gateNode } from './gateNode.js';
import { historyNode } from './historyNodes.js';
import { droppedNodes, leftOutNodes, rejectedNodes } from './notTakenNodes.js';
import type { KnownSkill } from './skillNode.js';
import { begunWords, handedWords, runWord, trainingRuns } from './skillState.js';
import type { AttemptsOf, GateAttemptsOf } from './stepNodes.js';
import { tasksNode } from './taskNodes.js';
import { noChildren, type TreeNode } from './treeNode.js';
import { countDecisions } from '../../wording/decidedEdits.js';
import { judgeSentences, judgeWords } from '../../wording/judge/judgeWords.js';
import { shownModel } from '../../wording/programs/shownModel.js';
import { shortRun } from '../../wording/shortVerdict.js';
import { skillUseSentence, skillUseWords } from '../../wording/programs/skillUse.js';
import { retold, t } from '../../wording/translate.js';

/** What rows beneath a skill need beside what is known of it. */
interface RowParts {
  readonly choices: EditChoices;
  readonly useCases: UseCasesSource;
}

/** The rows beneath a skill: the gate, the edits, the tasks and the history. Loaded when a skill is first opened. */
export function skillRows(
  { skill, overview, trouble, versions = [] }: KnownSkill,
  { choices, useCases }: RowParts,
): readonly TreeNode[] {
  const skillPath = skill.realPath;
  if (overview === undefined) {
    return [
      troubleNode(skillPath, trouble ?? vscode.l10n.t('Nothing is known yet.')),
      ...(versions.length === 0 ? [] : [historyNode(skillPath, versions)]),
    ];
  }
  const { pending, tasks, history, rejected } = overview;
  const prices = pricesOf(skillPath, useCases);
  return [
    ...(overview.handed ?? []).map((handed) => handedNode(skillPath, handed, overview.handed)),
    ...(pending === undefined
      ? lastRunNodes(skillPath, overview)
      : [
          gateNode(skillPath, pending.proposal, {
            isTaken: ['measured', 'unmeasured'].includes(overview.measurement.kind),
            edits: countDecisions(pending.proposal, pending.decisions),
            prices,
            worked: { ids: workedIds(tasks), attemptsOf: gateAttemptsIn(skillPath, useCases) },
          }),
          proposedNode(skillPath, pending, choices),
          ...candidateNodes(skillPath, pending.proposal, prices),
          ...droppedNodes(skillPath, pending),
          ...leftOutNodes(skillPath, pending),
        ]),
    ...skillUseNodes(skillPath, overview),
    ...judgeNodes(skillPath, overview.judge),
    ...rejectedNodes(skillPath, rejected),
    ...(tasks === undefined
      ? [troubleNode(skillPath, overview.trouble ?? vscode.l10n.t('No tasks yet.'))]
      : [tasksNode(skillPath, tasks, attemptsIn(skillPath, useCases))]),
    ...(history.length === 0 ? [] : [historyNode(skillPath, history)]),
  ];
}

/** The tasks that agents work on. */
function workedIds(tasks: SkillOverview['tasks']): ReadonlySet<string> {
  const all = [...(tasks?.heldOut ?? []), ...(tasks?.training ?? [])];
  return new Set(all.filter(({ environment }) => environment === 'agent').map(({ id }) => id));
}

/** Asks no model: what the run behind the proposal kept. */
function gateAttemptsIn(skillPath: string, useCases: UseCasesSource): GateAttemptsOf {
  return async (taskId) => (await useCases()).gateAttempts({ ...requestFor(skillPath), taskId });
}

/** Asks no model: what the last runs kept. */
function attemptsIn(skillPath: string, useCases: UseCasesSource): AttemptsOf {
  return async (task) => (await (await useCases()).showTask({ ...requestFor(skillPath), task })).answers;
}

/** Looked up when the rows are opened. Without a model there is no price: whoever certifies is told what is missing. */
function pricesOf(skillPath: string, useCases: UseCasesSource): CandidatePrices {
  return async () => {
    try {
      return await (await useCases()).candidatePrices(runRequestFor(skillPath), neverAborted());
    } catch {
      return [];
    }
  };
}

/** Why nothing is proposed always has an answer: the last run's own words. */
function lastRunNodes(skillPath: string, overview: SkillOverview): readonly TreeNode[] {
  const [last] = trainingRuns(overview);
  if (last === undefined) return [];
  const reason = shortRun(last);
  return [
    {
      id: `lastrun:${skillPath}`,
      skillPath,
      row: () => ({
        label: vscode.l10n.t('Last run'),
        description: runWord(last),
        icon: 'info',
        contextValue: 'lastRun',
        says: vscode.l10n.t('Last run: {0}', reason === '' ? vscode.l10n.t('it did not end.') : reason),
        tooltip: () => [reason, ...last.notes.map(retold)].join('\n\n'),
      }),
      children: noChildren,
    },
  ];
}

/** Whether agents used the skill that they were offered, in the newest run that tells; nothing where they always did. */
function skillUseNodes(skillPath: string, { runs }: SkillOverview): readonly TreeNode[] {
  const use = runs.find(({ skillUse }) => skillUse !== undefined)?.skillUse;
  const said = skillUseSentence(use, t);
  if (use === undefined || said === undefined) return [];
  return [
    {
      id: `use:${skillPath}`,
      skillPath,
      row: () => ({
        label: use.used === 0 ? vscode.l10n.t('Skill never used') : vscode.l10n.t('Skill not always used'),
        description: skillUseWords(use, t),
        icon: use.used === 0 ? 'warning' : 'info',
        ...(use.used === 0 ? { color: 'queued' as const } : {}),
        contextValue: 'skillUse',
        says: said,
        tooltip: () => said,
      }),
      children: noChildren,
    },
  ];
}

/** How far the judge model agrees with the person's labels: opens the answers on which they disagree. */
function judgeNodes(skillPath: string, judged: SkillOverview['judge']): readonly TreeNode[] {
  if (judged === undefined) return [];
  const isLow = judged.agreement?.standing === 'low';
  const words = judgeWords(judged, t);
  return [
    {
      id: `judge:${skillPath}`,
      skillPath,
      row: () => ({
        label: vscode.l10n.t('Judge'),
        description: words,
        icon: isLow ? 'warning' : 'law',
        ...(isLow ? { color: 'queued' as const } : {}),
        contextValue: 'judge',
        says: vscode.l10n.t('Judge {0}: {1}.', shownModel(judged.judge), words),
        tooltip: () => judgeSentences(judged, t).join('\n\n'),
        command: commandLink('whetstone.showJudge', vscode.l10n.t('Show Judge Agreement'), skillPath),
      }),
      children: noChildren,
    },
  ];
}

/** What waits for answers by hand: opens what says how to give them. */
function handedNode(
  skillPath: string,
  handed: NonNullable<SkillOverview['handed']>[number],
  all: SkillOverview['handed'] = [],
): TreeNode {
  const { folder, index, waiting, answered, refused, run, startedAt } = handed;
  const words = handedWords(waiting);
  const description = all.length > 1 && startedAt !== undefined ? begunWords(words, startedAt) : words;
  return {
    id: `handed:${folder}`,
    skillPath,
    runId: handed.name,
    row: () => ({
      label: vscode.l10n.t('Handoff'),
      description,
      icon: 'mail',
      color: waiting === 0 ? 'passed' : 'queued',
      contextValue: run === undefined ? 'handed' : 'handed.run', // a measurement is made again: there is no run to resume
      says: vscode.l10n.t('Prompts answered by hand: {0} wait, {1} are answered.', waiting, answered),
      tooltip: () => [folder, ...refused.map(({ name }) => refusedWords(name))].join('\n'),
      command: { command: 'vscode.open', title: vscode.l10n.t('Show Prompts'), arguments: [vscode.Uri.file(index)] },
    }),
    children: noChildren,
  };
}

function refusedWords(name: string): string {
  return vscode.l10n.t(
    '{0} cannot be taken: it is empty, a link, a folder, too long, or no text.',
    `${name}.answer.md`,
  );
}

function troubleNode(skillPath: string, words: string): TreeNode {
  return {
    id: `trouble:${skillPath}`,
    skillPath,
    row: () => ({
      label: retold(words),
      icon: 'warning',
      color: 'queued',
      contextValue: 'trouble',
      says: /[.!?]$/.test(words) ? words : `${words}.`,
      tooltip: () => words,
    }),
    children: noChildren,
  };
}
