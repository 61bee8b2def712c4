import type { PackageFiles } from '../../skill/package/packageFile.js';
import type { AnsweredAttempt } from '../../checks/check.js';
import type { CheckResult } from '../../checks/judgement.js';
import type { Task } from '../../tasks/task.js';
import { sha256 } from '../../hash.js';
import { concurrently, type Spare } from '../concurrently.js';
import { refuseSilence } from './silence.js';
import { figuresOf, type Attempt, type Rollout, type ScoredAttempt } from './attempts.js';
import { requestFor, withBatches } from './attemptRequests.js';
import { keepAttempt, keptOf } from './attemptTexts.js';
import { storedText, type Candidate, type DocumentSlot } from '../candidate.js';
import type { RunContext } from '../runContext.js';
import type { AttemptEvent, AttemptOutcome } from '../journal/attemptEvent.js';
import type { Stage } from '../journal/runEvents.js';

/** Under what the tasks are attempted, and as which samples. */
export interface RollOutPlan {
  readonly stage: Stage;
  readonly step: number;
  readonly skill: string | undefined;
  readonly memory: string | undefined;
  /** Files of the package that are not as the run found them. */
  readonly files?: PackageFiles;
  /** The numbers of the attempts to make; the same number in the same family is the same sample. */
  readonly attempts: readonly number[];
  readonly family: string;
  /** True where no other text is measured beside it: what thinking left no room for an answer is no result then. */
  readonly alone?: boolean;
  /** For the places that the tasks leave idle. */
  readonly spare?: Spare | undefined;
  /** Attempts that were begun before. */
  readonly begun?: { take(task: Task, number: number): Promise<Attempt> | undefined } | undefined;
}

/** The step that training tasks are attempted for, and the text that they are attempted under. */
export interface TrainingStep {
  readonly step: number;
  readonly epoch: number;
  readonly slot: DocumentSlot;
  readonly current: Candidate;
}

/** How the training tasks of a step are attempted. */
export function trainingPlan(context: RunContext, { step, epoch, slot, current }: TrainingStep): RollOutPlan {
  const { attempts, seed } = context.options.train;
  return {
    stage: 'rollout',
    step,
    ...slot(current),
    attempts: Array.from({ length: attempts }, (_, index) => index + 1),
    family: `training:${seed}:${epoch}`,
  };
}

/** Attempts every task under one skill, within the run's concurrency, and scores what came back. */
export async function rollOut<T extends Task>(
  context: RunContext,
  tasks: readonly T[],
  plan: RollOutPlan,
  signal: AbortSignal,
): Promise<readonly Rollout<T>[]> {
  const jobs = tasks.flatMap((task) => plan.attempts.map((number) => ({ task, number })));
  const within = withBatches(context, jobs, plan);
  const work = async ({ task, number }: (typeof jobs)[number]) => ({
    task,
    attempt: await (plan.begun?.take(task, number) ?? attemptOnce(within, { task, number }, plan, signal)),
  });
  const done = await concurrently(jobs, context.options.concurrency, work, plan.spare);
  // Without a baseline nothing more is spent anyway, and whoever asked for one says why there is none.
  if (plan.stage !== 'baseline') await refuseSilence(context, 'attempts', signal);
  return tasks.map((task) => ({
    task,
    attempts: done.filter((each) => each.task === task).map((each) => each.attempt),
  }));
}

/** One attempt at one task, scored and written down. */
export async function attemptOnce(
  context: RunContext,
  { task, number }: { readonly task: Task; readonly number: number },
  plan: Omit<RollOutPlan, 'attempts'>,
  signal: AbortSignal,
): Promise<Attempt> {
  signal.throwIfAborted();
  const started = context.clock.now();
  const result = await context.attempt(requestFor(context, task, number, plan), signal);
  const latencyMs = context.clock.now() - started;
  const invalid = (reason: string): Attempt =>
    writeDown(context, task, plan, { kind: 'invalid', number, reason, latencyMs });
  if (result.kind === 'invalid') return invalid(result.reason);
  if (result.thoughtOnly === true) noteThinking(context, result.failure);
  if (result.thoughtOnly === true && plan.alone === true) return invalid(thoughtOnly);
  const judgement = await context.judge(task, result, { attempt: number, family: plan.family }, signal);
  if (judgement.kind === 'invalid') return invalid(judgement.reason);
  const scored: Attempt = {
    kind: 'scored',
    number,
    ...scoresOf(judgement),
    checks: judgement.checks,
    answer: result.answer,
    answerHash: await context.texts.put(result.answer),
    ...(await keepAttempt(context, { task, stage: plan.stage, checks: judgement.checks, result })),
    toolsCalled: result.toolsCalled.map((call) => call.name),
    transcript: result.transcript,
    failure: result.failure ?? (judgement.hard === 1 ? undefined : result.scores?.reason),
    ...noAnswerOf(result),
    extras: result.extras,
    ...leftOf(result, task, plan),
    ...figuresOf(result.usage),
    latencyMs,
    cached: result.cached,
  };
  return writeDown(context, task, plan, scored);
}

/** Why an attempt came to no answer, where that may be the model's doing and not the skill's. */
function noAnswerOf({
  thoughtOnly: isThought,
  endless,
}: AnsweredAttempt): Pick<ScoredAttempt, 'thoughtOnly' | 'endless'> {
  return { ...(isThought === true ? { thoughtOnly: true } : {}), ...(endless === true ? { endless: true } : {}) };
}

/** What an agent left, where one worked on the task. */
function leftOf(
  { work }: Pick<AnsweredAttempt, 'work'>,
  { agent }: Task,
  { skill }: Pick<RollOutPlan, 'skill'>,
): Pick<ScoredAttempt, 'diff' | 'events' | 'usedSkill'> {
  if (work === undefined) return {};
  const decided = skill !== undefined && agent?.mode !== 'forced';
  return { diff: work.diff, events: work.events, ...(decided ? { usedSkill: work.usedSkill } : {}) };
}

function scoresOf({
  hard,
  soft,
  givenHard,
}: Pick<ScoredAttempt, 'hard' | 'soft' | 'givenHard'>): Pick<ScoredAttempt, 'hard' | 'soft' | 'givenHard'> {
  return { hard, soft, ...(givenHard === undefined ? {} : { givenHard }) };
}

const thoughtOnly = 'No answer: thinking used the room. Raise answers.target, or let the model think less.';

const noted = new WeakSet<RunContext['texts']>();

/** Once a run: that attempts failed for want of room is nothing that the answers show. */
function noteThinking({ texts, record }: RunContext, failure = ''): void {
  if (noted.has(texts)) return;
  noted.add(texts);
  record({ kind: 'note', text: `${failure} Raise answers.target, or let the model think less.` });
}

function writeDown(context: RunContext, task: Task, plan: Omit<RollOutPlan, 'attempts'>, attempt: Attempt): Attempt {
  const scored = attempt.kind === 'scored';
  context.record({
    kind: 'attempt',
    stage: plan.stage,
    step: plan.step,
    skillHash: sha256(storedText({ ...plan, skill: plan.skill ?? '' })),
    memoryHash: plan.memory === undefined ? undefined : sha256(plan.memory),
    taskId: task.id,
    attempt: attempt.number,
    outcome: outcomeOf(attempt),
    answerHash: scored ? attempt.answerHash : undefined,
    tokens: scored ? attempt.tokens : 0,
    latencyMs: attempt.latencyMs,
    cached: scored && attempt.cached,
    ...gradesOf(scored ? attempt.checks : []),
    ...(scored ? keptOf(attempt) : {}),
  });
  return attempt;
}

/** How the checks came out, and what a judge model was asked for that. */
function gradesOf(checks: readonly CheckResult[]): Pick<AttemptEvent, 'checks' | 'judgePrompt'> {
  const judgePrompt = checks.find(({ asked }) => asked !== undefined)?.asked?.prompt;
  return {
    checks: checks.map(({ name, pass, asked, notAsked }) => ({
      check: name,
      pass,
      ...(asked === undefined ? {} : { asked: asked.criterion }),
      ...(notAsked === undefined ? {} : { notAsked }),
    })),
    ...(judgePrompt === undefined ? {} : { judgePrompt }),
  };
}

function outcomeOf(attempt: Attempt): AttemptOutcome {
  if (attempt.kind === 'invalid') return { kind: 'invalid', reason: attempt.reason };
  return { kind: 'scored', ...scoresOf(attempt) };
}
