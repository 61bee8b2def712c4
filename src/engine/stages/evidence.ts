import { fence } from '../../prompts/renderPrompt.js';
import type { TrainingTask } from '../../tasks/task.js';
import {
  bestAttempt,
  hasFailed,
  scoredAttempts,
  worstAttempt,
  type Metric,
  type Rollout,
  type ScoredAttempt,
  type Attempt,
} from './attempts.js';
import { messageOf } from '../../errors.js';
import type { AttemptResult } from '../../ports/environment.js';
import type { RunContext } from '../runContext.js';

/** Enough of an answer to see what is wrong with it; the rest costs tokens and teaches nothing new. */
const mostAnswerCharacters = 1_600;
const mostContractCharacters = 900;
const mostExtrasCharacters = 600;

type Evidence = (rollouts: readonly Rollout<TrainingTask>[], metric: Metric) => string;

/** What the optimizer is shown of failed training attempts. Only training tasks fit in: others do not compile. */
export const failureEvidence: Evidence = (rollouts, metric) =>
  attemptTexts(rollouts, (rollout) => [['Failed attempt', worstAttempt(rollout, metric)]]);

/** What the optimizer is shown of attempts that passed. */
export const successEvidence: Evidence = (rollouts, metric) =>
  attemptTexts(rollouts, (rollout) => [['Successful attempt', bestAttempt(rollout, metric)]]);

/** A good and a bad attempt at the same task, side by side. */
export const contrastEvidence: Evidence = (rollouts, metric) =>
  attemptTexts(rollouts, (rollout) => [
    ['Good attempt', bestAttempt(rollout, metric)],
    ['Bad attempt', worstAttempt(rollout, metric)],
  ]);

/** The chosen attempts of each task under their titles; a task without a scored attempt is left out. */
function attemptTexts(
  rollouts: readonly Rollout<TrainingTask>[],
  choose: (rollout: Rollout<TrainingTask>) => readonly (readonly [string, ScoredAttempt | undefined])[],
): string {
  return rollouts
    .flatMap((rollout) =>
      choose(rollout).map(([title, attempt]) =>
        attempt === undefined ? '' : attemptText(rollout.task, attempt, title),
      ),
    )
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
      // Two checks of one attempt may say the same: it failed once.
      for (const sentence of new Set(failedCriteriaOf(attempt))) counts.set(sentence, (counts.get(sentence) ?? 0) + 1);
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
function failedCriteriaOf(attempt: ScoredAttempt): readonly string[] {
  // Without an answer no criterion was looked at: to name them would send the optimizer after what is not wrong.
  if (attempt.thoughtOnly === true && attempt.failure !== undefined) return [`${attempt.failure} ${thinkLess}`];
  const open = attempt.checks.filter((check) => !check.pass && !check.hidden).map((check) => check.criterion);
  const hidden = attempt.checks.some((check) => !check.pass && check.hidden);
  return [
    ...(attempt.failure === undefined ? [] : [attempt.failure]),
    ...open,
    ...(hidden && open.length === 0 ? ['A criterion that is not stated openly.'] : []),
  ];
}

const thinkLess = 'Only instructions that make the job take less thinking help here.';

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

/** Long enough for a page of advice; the optimizer is asked about the attempts, not about the environment. */
const mostRemarkCharacters = 4_000;

/** What the environments say about training attempts, as fenced data; empty where none says anything. */
export async function environmentRemarks(
  context: Pick<RunContext, 'hooks' | 'record'>,
  rollouts: readonly Rollout<TrainingTask>[],
  signal: AbortSignal,
): Promise<string> {
  if (context.hooks === undefined) return '';
  const attempts = rollouts.flatMap(({ task, attempts: made }) =>
    made.map((attempt) => ({ task, result: resultOf(attempt) })),
  );
  try {
    const remarks = (await context.hooks.remarks(attempts, signal)).filter((text) => text.trim() !== '');
    if (remarks.length === 0) return '';
    const texts = remarks.map((text) => fence('environment', text.slice(0, mostRemarkCharacters)));
    return ['# What the environment says about these attempts', ...texts].join('\n\n');
  } catch (error) {
    signal.throwIfAborted();
    // A comment that could not be had is no reason to lose the lesson.
    context.record({ kind: 'note', text: `An environment had no word on the attempts: ${messageOf(error)}` });
    return '';
  }
}

function resultOf(attempt: Attempt): AttemptResult {
  if (attempt.kind === 'invalid') return { kind: 'invalid', reason: attempt.reason };
  const { answer, transcript, cached, failure, extras, hard, soft } = attempt;
  return {
    kind: 'answered',
    answer,
    toolsCalled: transcript.flatMap((turn) =>
      turn.kind === 'tool' ? [{ name: turn.name, arguments: turn.arguments }] : [],
    ),
    transcript,
    usage: { inputTokens: 0, outputTokens: attempt.tokens, exact: false },
    cached,
    failure,
    scores: { hard, soft, reason: failure },
    extras,
  };
}
