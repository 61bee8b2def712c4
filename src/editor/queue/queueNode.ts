import * as vscode from 'vscode';
import { cureIn, messageOf } from '../../errors.js';
import type { FailedJob, LaneState, QueueState, WorkerState } from '../../ports/queueState.js';
import { ownCure } from '../../wording/ownCure.js';
import { retold } from '../../wording/translate.js';
import { commandLink } from '../commands/runCommand.js';
import { noChildren, type TreeNode } from '../tree/treeNode.js';

/** What is known of the queue. */
export type SeenQueue =
  | { readonly kind: 'looking' }
  | { readonly kind: 'seen'; readonly state: QueueState }
  | { readonly kind: 'trouble'; readonly error: unknown };

/** The queue as a row above the runs: who works, what waits, and what failed where and why. */
export function queueNode(seen: SeenQueue): TreeNode {
  switch (seen.kind) {
    case 'looking':
      return plainNode(vscode.l10n.t('looking'), vscode.l10n.t('The queue is being looked at.'), 'sync~spin');
    case 'trouble':
      return troubleNode(seen.error);
    case 'seen':
      return stateNode(seen.state);
  }
}

function plainNode(description: string, says: string, icon: string): TreeNode {
  const row = { label: vscode.l10n.t('Queue'), description, icon, contextValue: 'queue', says } as const;
  return { id: 'queue', row: () => row, children: noChildren };
}

/** What keeps the window from the queue, with what mends it. */
function troubleNode(error: unknown): TreeNode {
  const words = [messageOf(error), ownCure(cureIn(error), 'editor')].filter((part) => part !== '').map(retold);
  const plain = plainNode(vscode.l10n.t('not reached'), words.join(' '), 'warning');
  return {
    ...plain,
    row: () => ({
      ...plain.row(),
      color: 'errored',
      contextValue: 'queue.trouble',
      tooltip: () => words.join('\n\n'),
      command: commandLink('whetstone.showQueue', vscode.l10n.t('Show Queue')),
    }),
  };
}

function stateNode(state: QueueState): TreeNode {
  const { workers, lanes, failures, otherSecret = 0, otherClock = 0 } = state;
  const sum = (of: 'waiting' | 'active' | 'failed' | 'answeredLastMinute'): number =>
    lanes.reduce((total, lane) => total + lane[of], 0);
  const figures = [
    workerCount(workers.length),
    ...(otherSecret > 0 ? [vscode.l10n.t('{0} with another secret', otherSecret)] : []),
    ...(otherClock > 0 ? [vscode.l10n.t('{0} whose clock is behind', otherClock)] : []),
    ...(sum('waiting') > 0 ? [vscode.l10n.t('{0} waiting', sum('waiting'))] : []),
    ...(sum('active') > 0 ? [vscode.l10n.t('{0} under way', sum('active'))] : []),
    ...(failures.length > 0 ? [vscode.l10n.t('{0} failed', failures.length)] : []),
    ...(sum('answeredLastMinute') > 0 ? [vscode.l10n.t('{0} a minute', sum('answeredLastMinute'))] : []),
  ].join(' · ');
  const beneath = [
    ...workers.map(workerNode),
    ...lanes.map(laneNode),
    ...workers.flatMap(refusedNodes),
    ...failures.toReversed().map(failureNode),
  ];
  return {
    id: 'queue',
    row: () => ({
      label: vscode.l10n.t('Queue'),
      description: figures,
      icon: workers.length === 0 ? 'warning' : 'server-process',
      color: workers.length === 0 ? 'queued' : undefined,
      state: beneath.length === 0 ? 'leaf' : 'collapsed',
      contextValue: 'queue',
      says: vscode.l10n.t('Attempts and judgements are made on a queue: {0}.', figures),
    }),
    children: () => Promise.resolve(beneath),
  };
}

function workerCount(count: number): string {
  if (count === 0) return vscode.l10n.t('no worker');
  return count === 1 ? vscode.l10n.t('1 worker') : vscode.l10n.t('{0} workers', count);
}

function workerNode({ name, startedAt, concurrency, lanes }: WorkerState): TreeNode {
  const sum = (of: 'active' | 'answered' | 'failed'): number => lanes.reduce((total, lane) => total + lane[of], 0);
  const since = new Date(startedAt).toLocaleString(vscode.env.language);
  const failed = sum('failed');
  const figures = [
    vscode.l10n.t('{0} under way', sum('active')),
    vscode.l10n.t('{0} answered', sum('answered')),
    ...(failed > 0 ? [vscode.l10n.t('{0} failed', failed)] : []),
  ].join(' · ');
  const served = lanes.map(({ role, environment, model, server }) => {
    return `${role} (${environment}): ${model}${server === undefined ? '' : ` (${server})`}`;
  });
  return {
    id: `queue:worker:${name}:${startedAt}`,
    row: () => ({
      label: name,
      description: figures,
      icon: 'vm-active',
      contextValue: 'queue.worker',
      says: vscode.l10n.t('The worker {0}: {1}.', name, figures),
      tooltip: () => [vscode.l10n.t('At work since {0}, {1} at a time.', since, concurrency), ...served].join('\n\n'),
    }),
    children: noChildren,
  };
}

function laneNode({ role, environment, model: name, server, ...lane }: LaneState): TreeNode {
  const model = server === undefined ? name : `${name} (${server})`; // the same name is another model elsewhere
  const figures = [
    workerCount(lane.workers),
    vscode.l10n.t('{0} waiting', lane.waiting),
    vscode.l10n.t('{0} under way', lane.active),
    ...(lane.failed > 0 ? [vscode.l10n.t('{0} failed', lane.failed)] : []),
    vscode.l10n.t('{0} a minute', lane.answeredLastMinute),
  ].join(' · ');
  const isUnserved = lane.workers === 0;
  return {
    id: `queue:lane:${role}:${environment}:${model}`,
    row: () => ({
      label: `${model} · ${roleWord(role)}${environment === 'chat' ? '' : ` · ${environment}`}`,
      description: figures,
      icon: isUnserved ? 'warning' : 'arrow-swap',
      color: isUnserved ? 'queued' : undefined,
      contextValue: 'queue.lane',
      says: vscode.l10n.t('Calls to {0} as {1}: {2}.', model, roleWord(role), figures),
    }),
    children: noChildren,
  };
}

function roleWord(role: string): string {
  return role === 'judge' ? vscode.l10n.t('judge') : vscode.l10n.t('target');
}

function refusedNodes({ name, refused }: WorkerState): readonly TreeNode[] {
  return Object.entries(refused).map(([why, times]) => ({
    id: `queue:refused:${name}:${why}`,
    row: () => ({
      label: name,
      description: vscode.l10n.t('refused {0} as “{1}”', times, why),
      icon: 'shield',
      color: 'errored',
      contextValue: 'queue.refused',
      says: vscode.l10n.t('The worker {0} refused {1} jobs as “{2}”.', name, times, why),
    }),
    children: noChildren,
  }));
}

function failureNode({ at, job, worker, model, why }: FailedJob): TreeNode {
  const when = new Date(at).toLocaleTimeString(vscode.env.language);
  const reason = retold(why);
  return {
    id: `queue:failed:${job}`,
    row: () => ({
      label: worker,
      description: `${reason} · ${when}`,
      icon: 'error',
      color: 'errored',
      contextValue: 'queue.failed',
      says: vscode.l10n.t('A call to {0} failed on the worker {1} at {2}: {3}', model, worker, when, reason),
      tooltip: () => [reason, model, new Date(at).toLocaleString(vscode.env.language)].join('\n\n'),
    }),
    children: noChildren,
  };
}
