import * as vscode from 'vscode';
import type { Task } from '../../tasks/task.js';
import type { SkillOverview } from '../../app/results/overview.js';
import { commandLink } from '../commands/runCommand.js';
import { draftsToConfirm, hasOnlyDrafts } from './skillState.js';
import type { Row } from './row.js';
import { attemptNodes, type AttemptsOf } from './stepNodes.js';
import { noChildren, type TreeNode } from './treeNode.js';
import { settledLines, settledTaskSentence } from '../../wording/powerSentence.js';
import { shownLine } from '../../wording/shownText.js';
import { broughtWords, closedSides, type TaskStanding } from '../../wording/taskWords.js';
import { draftLines, draftTags, noticeLines, type ToldDraft } from '../../wording/harvest/draftWords.js';
import { retold, t } from '../../wording/translate.js';

type Tasks = NonNullable<SkillOverview['tasks']>;
type SideName = 'training' | 'heldOut' | 'sealed' | 'drafts' | 'setAside' | 'disabled' | 'broken';

interface TaskRow {
  readonly task: Task;
  /** Where it may go, and why not everywhere. */
  readonly moves?: TaskStanding['moves'] | undefined;
  /** Why the task is where it is, where that needs a word. */
  readonly reason?: string;
  /** Where a draft comes from that no file holds yet. */
  readonly from?: ToldDraft | undefined;
  /** Set where a held-out task came out the same in every known attempt. */
  readonly settled?: SettledTask | undefined;
}

type SettledTask = Readonly<Parameters<typeof settledTaskSentence>[0]> & { readonly always: 'pass' | 'fail' };

/** The tasks by side. The sealed ones are counted and closed: looking at them would teach to the test. */
export function tasksNode(skillPath: string, tasks: Tasks, attemptsOf: AttemptsOf): TreeNode {
  const { training, heldOut, sealed } = tasks;
  return {
    id: `tasks:${skillPath}`,
    skillPath,
    row: () => ({
      label: vscode.l10n.t('Tasks'),
      description: countsOf(tasks),
      icon: 'checklist',
      state: 'collapsed',
      contextValue: 'tasks',
      says:
        broughtAlone(tasks) ??
        vscode.l10n.t(
          '{0} tasks: {1} for training, {2} held out, {3} sealed.',
          training.length + heldOut.length + sealed.length,
          training.length,
          heldOut.length,
          sealed.length,
        ),
    }),
    children: () => Promise.resolve(sides(skillPath, tasks, attemptsOf)),
  };
}

/** What counts, or how much waits where nothing counts yet. */
function countsOf(tasks: Tasks): string {
  const { training, heldOut, sealed, drafts } = tasks;
  if (hasOnlyDrafts(tasks)) return draftsToConfirm(drafts.length);
  const environment = bringerOfAll(tasks);
  if (environment !== undefined) return vscode.l10n.t('brought by “{0}”', shownLine(environment));
  return vscode.l10n.t('{0} training · {1} held-out · {2} sealed', training.length, heldOut.length, sealed.length);
}

/** The environment that brings tasks where the files have none. */
function bringerOfAll({ training, heldOut, sealed, broughtBy: [environment] = [] }: Tasks): string | undefined {
  return training.length + heldOut.length + sealed.length === 0 ? environment : undefined;
}

function broughtAlone(tasks: Tasks): string | undefined {
  const environment = bringerOfAll(tasks);
  return environment === undefined ? undefined : broughtWords(shownLine(environment));
}

function sides(skillPath: string, tasks: Tasks, attemptsOf: AttemptsOf): readonly TreeNode[] {
  const all: readonly (readonly [SideName, string, readonly TaskRow[]])[] = [
    ['training', vscode.l10n.t('Training'), plain(tasks.training)],
    ['heldOut', vscode.l10n.t('Held-out'), withSettled(tasks)],
    ['sealed', vscode.l10n.t('Sealed'), plain(tasks.sealed)],
    ['drafts', vscode.l10n.t('Drafts ({0})', tasks.drafts.length), withSources(tasks)],
    ['setAside', vscode.l10n.t('Set aside'), tasks.setAside],
    ['disabled', vscode.l10n.t('Disabled'), plain(tasks.disabled)],
    ['broken', vscode.l10n.t('With an error'), tasks.broken],
  ];
  const listed = all
    .filter(([, , list]) => list.length > 0)
    .map(([side, label, list]) =>
      side === 'sealed'
        ? sealedNode(skillPath, list)
        : sideNode(skillPath, { side, label, list: withMoves(list, tasks), attemptsOf, ...ofHeldOut(side, tasks) }),
    );
  return [...listed, ...(tasks.broughtBy ?? []).map((environment) => broughtNode(skillPath, environment))];
}

/** Tasks that nobody can look at before a run: nothing is started to draw a tree. */
function broughtNode(skillPath: string, environment: string): TreeNode {
  const label = broughtWords(shownLine(environment));
  return {
    id: `tasks:${skillPath}:brought:${environment}`,
    skillPath,
    row: () => ({ label, icon: 'plug', contextValue: 'tasks.brought', says: label }),
    children: noChildren,
  };
}

function withMoves(list: readonly TaskRow[], { moves }: Tasks): readonly TaskRow[] {
  return list.map((listed) => ({ ...listed, moves: moves.get(listed.task.id) }));
}

/** What is told of the held-out tasks as a whole. */
function ofHeldOut(side: SideName, { settled }: Tasks): Pick<ListedSide, 'settled'> {
  return side === 'heldOut' ? { settled } : {};
}

function withSettled({ heldOut, settled }: Tasks): readonly TaskRow[] {
  const { alwaysPass = [], alwaysFail = [] } = settled ?? {};
  const known = new Map<string, SettledTask>([
    ...alwaysPass.map((task) => [task.id, { ...task, always: 'pass' }] as const),
    ...alwaysFail.map((task) => [task.id, { ...task, always: 'fail' }] as const),
  ]);
  return heldOut.map((task) => ({ task, settled: known.get(task.id) }));
}

function withSources({ drafts, harvested }: Tasks): readonly TaskRow[] {
  return drafts.map((task) => ({ task, from: harvested?.get(task.id) }));
}

function plain(list: readonly Task[]): readonly TaskRow[] {
  return list.map((task) => ({ task }));
}

/** By name, as a person looks for one; the split deals them out in an order that a change of a text may change. */
function inOrder(list: readonly TaskRow[]): readonly TaskRow[] {
  return [...list].sort((a, b) => byName.compare(a.task.id, b.task.id));
}

const byName = new Intl.Collator(undefined, { numeric: true });

interface ListedSide {
  readonly side: SideName;
  readonly label: string;
  readonly list: readonly TaskRow[];
  readonly attemptsOf: AttemptsOf;
  readonly settled?: Tasks['settled'];
}

function sideNode(skillPath: string, { side, label, list, attemptsOf, settled }: ListedSide): TreeNode {
  return {
    id: `tasks:${skillPath}:${side}`,
    skillPath,
    row: () => ({
      label,
      ...(side === 'drafts' ? {} : { description: String(list.length) }),
      icon: 'list-unordered',
      state: 'collapsed',
      contextValue: `tasks.${side}`,
      says: vscode.l10n.t('{0}: {1} tasks.', label, list.length),
    }),
    children: () =>
      Promise.resolve([
        ...settledNodes(skillPath, settled, list.length),
        ...inOrder(list).map((listed) => taskNode(skillPath, side, listed, attemptsOf)),
      ]),
  };
}

/** How many held-out tasks cannot decide, and what can be done about it; what they cost is worked out where somebody looks. */
function settledNodes(skillPath: string, settled: Tasks['settled'], n: number): readonly TreeNode[] {
  const { alwaysPass = [], alwaysFail: [failing, ...others] = [], power } = settled ?? {};
  const tooltip = () => (power === undefined ? '' : settledLines(power(), t).join('\n\n'));
  const row = (kind: 'pass' | 'fail', shown: Pick<Row, 'label' | 'description' | 'icon' | 'command'>): TreeNode => ({
    id: `tasks:${skillPath}:heldOut:always-${kind}`,
    skillPath,
    row: () => ({
      ...shown,
      contextValue: `tasks.always.${kind}`,
      says: `${shown.label}: ${shown.description ?? ''}.`,
      tooltip,
    }),
    children: noChildren,
  });
  const harder = vscode.l10n.t('Draft Harder Tasks');
  const look = vscode.l10n.t('look at their checks');
  return [
    ...(alwaysPass.length === 0
      ? []
      : [
          row('pass', {
            label:
              alwaysPass.length === 1
                ? vscode.l10n.t('1 of {0} always passes', n)
                : vscode.l10n.t('{0} of {1} always pass', alwaysPass.length, n),
            description: harder,
            icon: 'lightbulb',
            command: commandLink('whetstone.draftTasks', harder, skillPath),
          }),
        ]),
    ...(failing === undefined
      ? []
      : [
          row('fail', {
            label:
              others.length === 0
                ? vscode.l10n.t('1 of {0} always fails', n)
                : vscode.l10n.t('{0} of {1} always fail', others.length + 1, n),
            description: look,
            icon: 'warning',
            command: commandLink('whetstone.showTask', look, { skillPath, taskId: failing.id }),
          }),
        ]),
  ];
}

function sealedNode(skillPath: string, list: readonly TaskRow[]): TreeNode {
  return {
    id: `tasks:${skillPath}:sealed`,
    skillPath,
    row: () => ({
      label: vscode.l10n.t('Sealed'),
      description: vscode.l10n.t('{0}, closed', list.length),
      icon: 'lock',
      contextValue: 'tasks.sealed',
      says: vscode.l10n.t('Sealed: {0} tasks that are scored once in the report and not shown.', list.length),
    }),
    children: noChildren,
  };
}

function taskNode(
  skillPath: string,
  side: SideName,
  { task, reason: stored, moves, from, settled }: TaskRow,
  attemptsOf: AttemptsOf,
): TreeNode {
  const isWorked = task.environment === 'agent';
  const id = `tasks:${skillPath}:${side}:${task.id}`;
  const reason = stored === undefined ? settled && alwaysWord(settled) : retold(stored);
  return {
    id,
    skillPath,
    taskId: task.id,
    row: () => ({
      label: task.id,
      description: reason ?? (task.enabled ? shownLine(headOf(side, task), 80) : vscode.l10n.t('disabled')),
      icon: iconOf(task, from),
      ...(isWorked ? { state: 'collapsed' as const } : {}),
      contextValue: from === undefined ? contextOf(side, task) : 'task.waiting', // in no file that could be edited
      command: commandLink('whetstone.showTask', vscode.l10n.t('Show Task'), { skillPath, taskId: task.id }),
      says: vscode.l10n.t(
        'Task {0}, {1}, with {2} checks: {3}.',
        task.id,
        task.enabled ? vscode.l10n.t('enabled') : vscode.l10n.t('disabled'),
        task.checks.length,
        reason ?? shownLine(headOf(side, task), 120),
      ),
      tooltip: () => tooltipOf(task, { moves, from, settled }),
    }),
    children: isWorked ? () => attemptNodes({ id, skillPath, task: task.id }, attemptsOf) : noChildren,
  };
}

/** What is asked; of a draft first what to look at before it is confirmed. */
function headOf(side: SideName, task: Task): string {
  return [...(side === 'drafts' ? draftTags(task, t) : []), task.prompt].join(' · ');
}

function alwaysWord({ always, attempts }: SettledTask): string {
  return always === 'pass'
    ? vscode.l10n.t('always passes, in {0} attempts', attempts)
    : vscode.l10n.t('always fails, in {0} attempts', attempts);
}

/** What is asked, what is expected in words, what it can show, and why the task stays where it is. */
function tooltipOf(task: Task, { moves, from, settled }: Omit<TaskRow, 'task'>): string {
  const { prompt, expectations } = task;
  const expected = expectations.map((line) => `– ${line}`);
  const told = [
    ...(from === undefined ? [] : [[...noticeLines(task, t), ...draftLines(from, t)].join('\n')]),
    ...(settled === undefined ? [] : [settledTaskSentence(settled, settled.always, t)]),
  ];
  return [prompt, expected.join('\n'), ...told, ...(moves === undefined ? [] : closedSides({ moves }))]
    .filter((part) => part !== '')
    .join('\n\n');
}

function iconOf({ enabled }: Task, from: TaskRow['from']): string {
  if (!enabled) return 'circle-slash';
  if (from === undefined) return 'note';
  return from.marks.length > 0 ? 'warning' : 'comment-discussion';
}

/** Which commands fit the row. */
function contextOf(side: SideName, { draft, enabled }: Task): string {
  if (side === 'broken') return 'task.broken';
  if (draft) return 'task.draft';
  return enabled ? 'task.enabled' : 'task.disabled';
}
