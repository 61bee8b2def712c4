import { fence } from '../../prompts/fence.js';
import type { TrainingTask } from '../../tasks/task.js';
import {
  bestAttempt,
  hasFailed,
  scoredAttempts,
  worstAttempt,
  type Metric,
  type Rollout,
  type ScoredAttempt,
} from './attempts.js';

/** Enough of an answer to see what is wrong with it; the rest costs tokens and teaches nothing new. */
const mostAnswerCharacters = 1_600;
const mostContractCharacters = 900;
const mostExtrasCharacters = 600;

/** What the optimizer is shown of failed training attempts. Only training tasks fit in: others do not compile. */
export function failureEvidence(rollouts: readonly Rollout<TrainingTask>[], metric: Metric): string {
  return rollouts
    .map((rollout) => {
      const attempt = worstAttempt(rollout, metric);
      return attempt === undefined ? '' : attemptText(rollout.task, attempt, 'Failed attempt');
    })
    .filter((text) => text !== '')
    .join('\n\n');
}

/** What the optimizer is shown of attempts that passed. */
export function successEvidence(rollouts: readonly Rollout<TrainingTask>[], metric: Metric): string {
  return rollouts
    .map((rollout) => {
      const attempt = bestAttempt(rollout, metric);
      return attempt === undefined ? '' : attemptText(rollout.task, attempt, 'Successful attempt');
    })
    .filter((text) => text !== '')
    .join('\n\n');
}

/** A good and a bad attempt at the same task, side by side. */
export function contrastEvidence(rollouts: readonly Rollout<TrainingTask>[], metric: Metric): string {
  return rollouts
    .map((rollout) => {
      const good = bestAttempt(rollout, metric);
      const bad = worstAttempt(rollout, metric);
      if (good === undefined || bad === undefined) return '';
      return [attemptText(rollout.task, good, 'Good attempt'), attemptText(rollout.task, bad, 'Bad attempt')].join(
        '\n\n',
      );
    })
    .filter((text) => text !== '')
    .join('\n\n');
}

/** How often each open criterion failed, most often first, in plain language. */
export function failingCriteria(rollouts: readonly Rollout<TrainingTask>[], metric: Metric): string {
  const counts = new Map<string, number>();
  let failed = 0;
  for (const rollout of rollouts.filter((each) => hasFailed(each, metric))) {
    for (const attempt of scoredAttempts(rollout)) {
      if (attempt.checks.some((check) => !check.pass) || attempt.failure !== undefined) failed++;
      for (const sentence of failedCriteriaOf(attempt)) counts.set(sentence, (counts.get(sentence) ?? 0) + 1);
    }
  }
  const lines = [...counts.entries()]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([sentence, count]) => `- ${count} of ${failed}: ${sentence}`);
  return lines.length === 0 ? 'None is stated openly.' : fence('criteria', lines.join('\n'));
}

/** The form that the tasks themselves demand: an edit must not break it. */
export function outputContract(rollouts: readonly Rollout<TrainingTask>[]): string {
  const contracts = [...new Set(rollouts.map((rollout) => rollout.task.system ?? '').filter((text) => text !== ''))];
  if (contracts.length === 0) return '';
  const shown = contracts.slice(0, 3).map((text) => fence('contract', cut(text, mostContractCharacters)));
  return [
    '# The tasks’ own output contract',
    'No edit may change the format or the language that it asks for, and none may make the agent ask the person back.',
    ...shown,
  ].join('\n\n');
}

/** The open criteria that an attempt failed, and what else went wrong with it. */
export function failedCriteriaOf(attempt: ScoredAttempt): readonly string[] {
  const open = attempt.checks.filter((check) => !check.pass && !check.hidden).map((check) => check.criterion);
  const hidden = attempt.checks.some((check) => !check.pass && check.hidden);
  return [
    ...(attempt.failure === undefined ? [] : [attempt.failure]),
    ...open,
    ...(hidden && open.length === 0 ? ['A criterion that is not stated openly.'] : []),
  ];
}

function attemptText(task: TrainingTask, attempt: ScoredAttempt, title: string): string {
  const failed = failedCriteriaOf(attempt);
  const tools = attempt.toolsCalled.length === 0 ? 'none' : attempt.toolsCalled.join(', ');
  const extras = Object.keys(attempt.extras).length === 0 ? undefined : JSON.stringify(attempt.extras);
  return [
    `## ${title}: task ${task.id}`,
    'The task:',
    fence('task', [task.prompt, task.context ?? ''].filter((part) => part !== '').join('\n\n')),
    'The answer:',
    fence('answer', cut(attempt.answer, mostAnswerCharacters)),
    ...(task.tools.length === 0
      ? []
      : [`Tools offered: ${task.tools.map((tool) => tool.name).join(', ')}. Tools called: ${tools}.`]),
    ...(failed.length === 0
      ? []
      : ['Criteria that failed:', fence('failed', failed.map((each) => `- ${each}`).join('\n'))]),
    ...(extras === undefined
      ? []
      : ['What the environment reported:', fence('report', cut(extras, mostExtrasCharacters))]),
  ].join('\n');
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  return `${text.slice(0, half)}\n[... ${text.length - 2 * half} characters left out ...]\n${text.slice(-half)}`;
}
