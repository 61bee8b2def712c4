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
} from './attempts.js';
import { shortened, type Clean } from './shortened.js';
import { trajectoriesOf, type ShownAttempt } from './trajectory.js';
import { withholding } from './withheld.js';

/** Enough of an answer to see what is wrong with it; the rest costs tokens and teaches nothing new. */
export const mostAnswerCharacters = 1_600;
const mostContractCharacters = 900;
const mostExtrasCharacters = 600;
const mostDiffCharacters = 2_400;
const mostReasonCharacters = 600;

/** How much of the attempts is shown beside their answers, and what takes secrets out of it. */
interface Showing {
  /** The most tokens of all trajectories together; 0 where none is shown. */
  readonly trajectoryTokens: number;
  readonly redact?: Clean | undefined;
}

const asItIs: Clean = (text) => text;
const answersAlone: Showing = { trajectoryTokens: 0 };

type Evidence = (rollouts: readonly Rollout<TrainingTask>[], metric: Metric, showing?: Showing) => string;

/** What the optimizer is shown of failed training attempts. Only training tasks fit in: others do not compile. */
export const failureEvidence: Evidence = (rollouts, metric, showing) =>
  attemptTexts(rollouts, (rollout) => [['Failed attempt', worstAttempt(rollout, metric)]], showing);

/** What the optimizer is shown of attempts that passed. */
export const successEvidence: Evidence = (rollouts, metric, showing) =>
  attemptTexts(rollouts, (rollout) => [['Successful attempt', bestAttempt(rollout, metric)]], showing);

/** A good and a bad attempt at the same task, side by side. */
export const contrastEvidence: Evidence = (rollouts, metric, showing) =>
  attemptTexts(
    rollouts,
    (rollout) => [
      ['Good attempt', bestAttempt(rollout, metric)],
      ['Bad attempt', worstAttempt(rollout, metric)],
    ],
    showing,
  );

/** The chosen attempts of each task under their titles; a task without a scored attempt is left out. */
function attemptTexts(
  rollouts: readonly Rollout<TrainingTask>[],
  choose: (rollout: Rollout<TrainingTask>) => readonly (readonly [string, ScoredAttempt | undefined])[],
  { trajectoryTokens, redact }: Showing = answersAlone,
): string {
  const shown = rollouts.flatMap((rollout) =>
    choose(rollout).flatMap(([title, attempt]) => {
      if (attempt === undefined) return [];
      return [{ title, task: rollout.task, attempt, clean: cleanFor(rollout.task, attempt, redact) }];
    }),
  );
  const trajectories = trajectoriesOf(shown, trajectoryTokens);
  return shown.map((each) => attemptText(each, trajectories.get(each.attempt))).join('\n\n');
}

/** Of what others said about an attempt: no secret, and nothing that tells the answer. */
function cleanFor(task: TrainingTask, { answer }: ScoredAttempt, redact: Clean = asItIs): Clean {
  const withheld = withholding(task, answer);
  return (text) => withheld(redact(text));
}

/** How often each open criterion failed, most often first, in plain language. */
export function failingCriteria(
  rollouts: readonly Rollout<TrainingTask>[],
  metric: Metric,
  redact: Clean = asItIs,
): string {
  const counts = new Map<string, number>();
  let failed = 0;
  for (const rollout of rollouts.filter((each) => hasFailed(each, metric))) {
    for (const attempt of scoredAttempts(rollout)) {
      if (attempt.checks.some((check) => !check.pass) || attempt.failure !== undefined) failed++;
      const clean = cleanFor(rollout.task, attempt, redact);
      // Two checks of one attempt may say the same: it failed once.
      for (const sentence of new Set(failedCriteriaOf(attempt, clean)))
        counts.set(sentence, (counts.get(sentence) ?? 0) + 1);
    }
  }
  const lines = [...counts.entries()]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([sentence, count]) => `- ${count} of ${failed}: ${sentence}`);
  return lines.length === 0 ? 'None is stated openly.' : fence('criteria', lines.join('\n'));
}

/** The form that the tasks themselves demand: an edit must not break it. */
export function outputContract(rollouts: readonly Rollout<TrainingTask>[], redact: Clean = asItIs): string {
  const contracts = [...new Set(rollouts.map((rollout) => rollout.task.system ?? '').filter((text) => text !== ''))];
  if (contracts.length === 0) return '';
  const shown = contracts.slice(0, 3).map((text) => fence('contract', shortened(text, mostContractCharacters, redact)));
  return [
    '# The tasks’ own output contract',
    'No edit may change the format or the language that it asks for, and none may make the agent ask the person back.',
    ...shown,
  ].join('\n\n');
}

/** The open criteria that an attempt failed, and what else went wrong with it. */
function failedCriteriaOf(attempt: ScoredAttempt, clean: Clean): readonly string[] {
  // Without an answer no criterion was looked at: to name them would send the optimizer after what is not wrong.
  if (attempt.thoughtOnly === true && attempt.failure !== undefined) return [`${attempt.failure} ${thinkLess}`];
  const open = attempt.checks.filter((check) => !check.pass && !check.hidden).map((check) => check.criterion);
  const hidden = attempt.checks.some((check) => !check.pass && check.hidden);
  return [
    ...(attempt.failure === undefined ? [] : [shortened(attempt.failure, mostReasonCharacters, clean)]),
    ...open,
    ...(hidden && open.length === 0 ? ['A criterion that is not stated openly.'] : []),
  ];
}

const thinkLess = 'Only instructions that make the job take less thinking help here.';

/** Whose reasons say more than their criterion does: a judge, a program, and a schema that is not shown. */
const saysMore = new Set(['rubric', 'expectation', 'expected_output', 'command', 'json_schema']);

/** What a judge, a program or a schema said about each open criterion that failed. */
function reasonsOf({ checks, failure }: ScoredAttempt, clean: Clean): readonly string[] {
  return checks
    .filter(({ name, pass, hidden, reason }) => !pass && !hidden && saysMore.has(name) && reason !== '')
    .filter(({ reason }) => reason !== failure)
    .map(({ reason }) => shortened(reason, mostReasonCharacters, clean));
}

interface TitledAttempt extends ShownAttempt {
  readonly title: string;
}

function attemptText({ title, task, attempt, clean }: TitledAttempt, trajectory: string | undefined): string {
  const failed = failedCriteriaOf(attempt, clean);
  const reasons = reasonsOf(attempt, clean);
  const tools = attempt.toolsCalled.length === 0 ? 'none' : attempt.toolsCalled.join(', ');
  const diff = attempt.diff === '' ? '(nothing)' : attempt.diff;
  const extras = Object.keys(attempt.extras).length === 0 ? undefined : JSON.stringify(attempt.extras);
  return [
    `## ${title}: task ${task.id}`,
    'The task:',
    fence('task', [task.prompt, task.context ?? ''].filter((text) => text !== '').join('\n\n')),
    ...part('What happened before the answer, turn by turn:', 'trajectory', trajectory),
    'The answer:',
    fence('answer', shortened(attempt.answer, mostAnswerCharacters, clean)),
    ...part('What it changed in its folder:', 'diff', diff && shortened(diff, mostDiffCharacters, clean)),
    ...(task.tools.length === 0
      ? []
      : [`Tools offered: ${task.tools.map((tool) => tool.name).join(', ')}. Tools called: ${tools}.`]),
    ...part('Criteria that failed:', 'failed', listed(failed)),
    ...part('What was said about that:', 'said', listed(reasons)),
    ...part('What the environment reported:', 'report', extras && shortened(extras, mostExtrasCharacters, clean)),
  ].join('\n');
}

/** A fence under its lead; neither where there is nothing to say. */
function part(lead: string, label: string, text: string | undefined): readonly string[] {
  return text === undefined || text === '' ? [] : [lead, fence(label, text)];
}

function listed(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}
