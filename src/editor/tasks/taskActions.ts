import * as vscode from 'vscode';
import type { SkillOverview } from '../../app/results/overview.js';
import type { TaskStanding } from '../../wording/taskWords.js';
import type { TaskChoice } from '../commands/commands.js';
import { commandLink, type CommandLink } from '../commands/runCommand.js';

type Tasks = NonNullable<SkillOverview['tasks']>;

/** Where every task of a skill stands, by id. */
export function standingsOf(tasks: Tasks): ReadonlyMap<string, TaskStanding> {
  const listed: readonly (readonly [TaskStanding['state'], string, string | undefined])[] = [
    ...[...tasks.training, ...tasks.heldOut, ...tasks.sealed].map(({ id }) => ['confirmed', id, undefined] as const),
    ...tasks.drafts.map(({ id }) => ['draft', id, undefined] as const),
    ...tasks.disabled.map(({ id }) => ['disabled', id, undefined] as const),
    ...tasks.setAside.map(({ task, reason }) => ['set-aside', task.id, reason] as const),
    ...tasks.broken.map(({ task, reason }) => ['broken', task.id, reason] as const),
  ];
  return new Map(
    listed.map(([state, id, reason]) => [id, { state, reason, moves: tasks.moves.get(id) ?? nowhere }] as const),
  );
}

const nowhere: TaskStanding['moves'] = { side: undefined, together: [], to: [] };

/** The buttons that can do something for a task as it stands, the next step first. */
export function taskActions(
  choice: TaskChoice,
  { state, moves, fromSession }: TaskStanding & { readonly fromSession?: unknown },
): readonly CommandLink[] {
  if (!vscode.workspace.isTrusted) return [];
  const isKept = fromSession === undefined; // a draft out of a session is in no file before it is confirmed
  const canMove = moves.to.some(({ refused }) => refused === undefined);
  return [
    ...(state === 'draft' ? [commandLink('whetstone.confirmTask', vscode.l10n.t('Confirm'), choice)] : []),
    ...(state === 'disabled' ? [commandLink('whetstone.enableTask', vscode.l10n.t('Enable'), choice)] : []),
    ...(state === 'broken' || !isKept
      ? []
      : [commandLink('whetstone.tryTask', vscode.l10n.t('Compare With and Without Skill'), choice)]),
    ...(canMove ? [commandLink('whetstone.moveTask', vscode.l10n.t('Move to…'), choice)] : []),
    ...(state === 'confirmed' || state === 'set-aside'
      ? [commandLink('whetstone.disableTask', vscode.l10n.t('Disable'), choice)]
      : []),
    commandLink('whetstone.deleteTask', vscode.l10n.t('Delete'), choice),
  ];
}
