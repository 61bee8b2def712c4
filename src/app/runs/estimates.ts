import { type PlannedCalls, type Range, estimate } from '../../models/estimate.js';
import { findPrice, type PriceOverrides, isOnThisMachine } from '../../models/prices.js';
import { countTokens } from '../../skill/document/countTokens.js';
import { criteriaOf } from '../../checks/criteria.js';
import type { ModelRole } from '../../ports/languageModel.js';
import type { Task } from '../../tasks/task.js';
import type { RoleModels } from '../models/runModels.js';
import type { RunContext } from '../../engine/runContext.js';
import type { RunOptions } from '../../engine/runOptions.js';
import type { RoleWork } from '../../engine/journal/pace/roleWork.js';
import { totalSpend, type RunSummary } from '../../engine/journal/runSummary.js';

/** A usual answer, and the most that one may take. */
const answerTokens: Range = { low: 300, high: 1_200 };
const judgementTokens: Range = { low: 80, high: 400 };
/** What our own words around a task take. */
const frameTokens = 60;

interface AttemptInput {
  readonly tasks: readonly Task[];
  /** What the target reads beside the task. */
  readonly text: string;
  readonly judgeRepeats: number;
  readonly models: Pick<RoleModels, 'target' | 'judge'>;
  readonly prices: PriceOverrides | undefined;
}

/** The calls that so many attempts at these tasks make: one to the target each, and the judge's where one grades. */
export function attemptPlans(
  attempts: Range,
  { tasks, text, judgeRepeats, models, prices }: AttemptInput,
): readonly PlannedCalls[] {
  const inputTokens = attemptTokens(tasks, text);
  const judged = shareJudged(tasks) * judgeRepeats;
  const price = findPrice(models.target.identity, prices);
  const target = { calls: attempts, inputTokens, outputTokens: answerTokens, price };
  if (judged === 0) return [target];
  return [
    target,
    {
      calls: { low: Math.ceil(attempts.low * judged), high: Math.ceil(attempts.high * judged) },
      inputTokens: inputTokens + answerTokens.low,
      outputTokens: judgementTokens,
      price: findPrice(models.judge.identity, prices),
    },
  ];
}

/** What an attempt at one of these tasks sends, on average. */
function attemptTokens(tasks: readonly Task[], text: string): number {
  const total = tasks.reduce(
    (sum, task) => sum + countTokens([task.prompt, task.context ?? '', task.system ?? ''].join('\n')),
    0,
  );
  const mean = tasks.length === 0 ? 0 : Math.ceil(total / tasks.length);
  return mean + countTokens(text) + frameTokens;
}

function shareJudged(tasks: readonly Task[]): number {
  const judged = tasks.filter(isJudged);
  return tasks.length === 0 ? 0 : judged.length / tasks.length;
}

/** What decides is what is judged: a task without checks and expectations has its expected output. */
export function isJudged(task: Task): boolean {
  const found = criteriaOf(task);
  return found.kind === 'criteria' && found.criteria.some(({ evaluation }) => evaluation.by === 'judge');
}

/**
 * What a pass takes, told from its texts and tasks alone, with usual answers: the same run says the same everywhere. A
 * task with tools, or a program of its own, may take more calls than that.
 */
export function passCostOf(
  models: Pick<RoleModels, 'target' | 'judge'>,
  { judge }: Pick<RunOptions, 'judge'>,
  prices: PriceOverrides | undefined,
): NonNullable<RunContext['passCost']> {
  return ({ before, after }, tasks) => {
    const once = { low: tasks.length, high: tasks.length };
    const plans = [before, after].flatMap(({ skill, memory = '' }) =>
      attemptPlans(once, { tasks, text: `${skill}\n${memory}`, judgeRepeats: judge.repeats, models, prices }),
    );
    const { calls, usd } = estimate(plans);
    return { calls: calls.low, usd: usd?.low };
  };
}

/** How long a run works for each call it makes, in milliseconds; calls side by side make it less than a call takes. */
export interface Pace {
  readonly msPerCall: Range;
  /** True where earlier runs of this skill on this model tell; a guess otherwise. */
  readonly measured: boolean;
  /** What those runs asked, and how long they worked; undefined where none tells. */
  readonly made?: { readonly roles: RoleWork; readonly ms: number } | undefined;
}

const fewestCalls = 10; // below this the start of a run is most of it
const mostRuns = 5;

/** Earlier runs on the same target know best; without any, what calls of that kind usually take. */
export function paceOf(
  runs: readonly RunSummary[],
  target: string,
  { models, concurrency }: { readonly models: RoleModels; readonly concurrency: number },
): Pace {
  const known = runs
    .filter((run) => run.models?.target === target && totalSpend(run).calls >= fewestCalls && run.workedMs > 0)
    .slice(0, mostRuns);
  const paces = known.map((run) => run.workedMs / totalSpend(run).calls);
  if (known.length > 0)
    return {
      msPerCall: { low: 0.8 * Math.min(...paces), high: 1.5 * Math.max(...paces) },
      measured: true,
      made: { roles: madeIn(known), ms: totalOf(known, ({ workedMs }) => workedMs) },
    };
  return { msPerCall: usualPace(models.target.identity, concurrency), measured: false };
}

function madeIn(runs: readonly RunSummary[]): RoleWork {
  const of = (role: ModelRole): RoleWork[ModelRole] => ({
    calls: totalOf(runs, ({ spend }) => spend[role].calls),
    tokens: totalOf(runs, ({ spend }) => spend[role].tokens),
  });
  return { target: of('target'), optimizer: of('optimizer'), judge: of('judge') };
}

function totalOf(runs: readonly RunSummary[], of: (run: RunSummary) => number): number {
  return runs.reduce((all, run) => all + of(run), 0);
}

/**
 * The tokens that an agent's attempt took in earlier runs of this skill on the same target; undefined where none did. What
 * one takes differs by the hundred between programs and fixtures: no guess is as good.
 */
export function agentTokensOf(runs: readonly RunSummary[], target: string): number | undefined {
  const known = runs
    .flatMap(({ models, agentWork }) => (models?.target === target && agentWork !== undefined ? [agentWork] : []))
    .slice(0, mostRuns);
  const attempts = known.reduce((sum, each) => sum + each.attempts, 0);
  return attempts === 0 ? undefined : known.reduce((sum, each) => sum + each.tokens, 0) / attempts;
}

/** A call takes 1.5 to 20 seconds; a server takes many side by side, a model on this machine few. */
function usualPace({ simulated, endpoint }: RoleModels['target']['identity'], concurrency: number): Range {
  if (simulated) return { low: 1, high: 20 };
  if (isOnThisMachine(endpoint)) return { low: 1_500 / Math.min(4, concurrency), high: 20_000 };
  return { low: 1_500 / concurrency, high: 20_000 / Math.min(8, concurrency) };
}
