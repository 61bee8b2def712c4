import { askingAhead, onceEach } from '../../engine/askAhead.js';
import { keptWork, type KeptWork } from '../../engine/work/keptWork.js';
import { meanOf, scoredAttempts, type Rollout } from '../../engine/stages/attempts.js';
import { rollOut } from '../../engine/stages/rollOut.js';
import { UserError } from '../../errors.js';
import type { Redactor } from '../../redaction/redactor.js';
import type { SidedTask, Task, Side } from '../../tasks/task.js';
import type { OpenSkill } from '../openSkill.js';
import { failRun, withSkillRun, type SkillRun } from './skillRun.js';
import type { RunStart } from './runStart.js';
import { nothingToAttempt, type SkillTasks } from '../tasks/skillTasks.js';
import type { RunSummary } from '../../engine/journal/runSummary.js';
import type { TaskProblem } from '../../tasks/taskProblem.js';

/** One task of an evaluation. */
export interface EvaluatedTask {
  readonly id: string;
  /** `none` for what counts for nothing: a draft, a disabled task, one that was set aside, one that is broken. */
  readonly split: Side | 'none';
  readonly hard: number | undefined;
  readonly soft: number | undefined;
  readonly checks: readonly EvaluatedCheck[];
  /** Why there is no score, where there is none. */
  readonly invalid: string | undefined;
  readonly answer: string | undefined;
  /** Where an agent worked on it: what it did, one after the other, and what it changed. */
  readonly work?: KeptWork | undefined;
}

interface EvaluatedCheck {
  readonly name: string;
  /** What it asks, in words. */
  readonly criterion: string;
  readonly pass: boolean;
  readonly reason: string;
  /** Set where something else failed the attempt before anything was checked. */
  readonly notRun?: true;
  /** Set where there was nothing to ask about: it counts for nothing. */
  readonly notAsked?: true;
}

/** How a skill scored, task by task. */
export interface EvaluationResult {
  readonly skillName: string;
  readonly model: string;
  readonly simulated: boolean;
  readonly tasks: readonly EvaluatedTask[];
  readonly totals: Readonly<
    Record<
      Side | 'all',
      {
        readonly hard: number | undefined;
        readonly soft: number | undefined;
        readonly n: number;
        readonly invalid: number;
      }
    >
  >;
  /** How many attempts came to an answer, and how many of those answers were stored on this machine before. */
  readonly answers: { readonly all: number; readonly stored: number };
  /** The same without the skill, where it was asked for. */
  readonly baseline:
    | Omit<EvaluationResult, 'baseline' | 'summary' | 'notScored' | 'sealedLeftOut' | 'problems'>
    | undefined;
  /** Tasks that are there and were left out, each with the reason. */
  readonly notScored: readonly { readonly id: string; readonly reason: string }[];
  /** Sealed tasks that nobody asked for. */
  readonly sealedLeftOut: number;
  readonly problems: readonly TaskProblem[];
  readonly summary: RunSummary;
}

type Scores = Pick<EvaluationResult, 'tasks' | 'totals' | 'answers'>;
type Total = EvaluationResult['totals']['all'];

/** What an evaluation is about. */
export interface EvaluationWish {
  /** The same without the skill as well. */
  readonly withoutSkill: boolean;
  /** These tasks alone, whatever side they are on. */
  readonly only?: readonly string[] | undefined;
  /** Sealed tasks too, where none is named: they are kept for the final exam. */
  readonly sealed?: boolean;
  /** Asks the models anew, whatever answers are stored. */
  readonly fresh?: boolean;
}

/** Scores every task once under the skill, and once without it where that is asked. Proposes nothing. */
export async function evaluate(
  start: RunStart,
  wanted: EvaluationWish,
  signal: AbortSignal,
): Promise<EvaluationResult> {
  const { chosen, broken, tried } = chooseTasks(start.skill, start.tasks, wanted);
  const sealedLeftOut = chosen.some(isSealed) || wanted.only !== undefined ? 0 : start.tasks.result.split.sealed.length;
  const { fresh = false } = wanted;
  return withSkillRun(
    { ...start, purpose: 'evaluate', fresh, attempted: chosen, tasks: { ...start.tasks, tried } },
    signal,
    async (run) => {
      try {
        const asked = { chosen, broken, withoutSkill: wanted.withoutSkill };
        const scores = await scoresOf(run, asked, start.skill.text);
        const silent = (await run.context.silence?.(1, run.signal)) !== undefined;
        const without = wanted.withoutSkill && !silent ? await scoresOf(run, asked, undefined) : undefined;
        const about = { skillName: start.skill.name, model: run.names.target, simulated: run.names.simulated };
        const summary = await run.journal.end({ kind: 'run-ended', outcome: 'nothing', reason: 'Evaluated.' });
        return {
          ...about,
          ...scores,
          baseline: without === undefined ? undefined : { ...about, ...without },
          notScored: wanted.only === undefined ? notScored(start.tasks) : [],
          sealedLeftOut,
          problems: start.tasks.read.problems,
          summary,
        };
      } catch (error) {
        return failRun(run, error);
      }
    },
  );
}

function isSealed(task: Task | SidedTask): boolean {
  return sideOf(task) === 'sealed';
}

/** What an evaluation attempts. */
export interface TaskChoice {
  readonly chosen: readonly (Task | SidedTask)[];
  /** Those that cannot be attempted: listed with the reason, never a zero. */
  readonly broken: SkillTasks['read']['broken'];
  readonly tried: readonly Task[];
}

/** Every task that counts; or those named, drafts and disabled ones among them, for a person may want to try one first. */
export function chooseTasks(
  skill: Pick<OpenSkill, 'name' | 'places'>,
  tasks: SkillTasks,
  { only, sealed = false }: Pick<EvaluationWish, 'only' | 'sealed'>,
): TaskChoice {
  const { read, result } = tasks;
  const sided = [...result.split.training, ...result.split.heldOut, ...result.split.sealed];
  if (only === undefined) {
    if (sided.length + read.broken.length === 0) throw nothingToAttempt(skill, tasks);
    return { chosen: sealed ? sided : sided.filter((task) => !isSealed(task)), broken: read.broken, tried: [] };
  }
  const known = [...read.tasks, ...read.broken.map(({ task }) => task)].map((task) => task.id);
  const unknown = only.find((id) => !known.includes(id));
  if (unknown !== undefined) {
    throw new UserError('usage', `${skill.name} has no task “${unknown}”.`, `Its tasks are: ${known.join(', ')}.`);
  }
  const chosen = sided.filter((task) => only.includes(task.id));
  const tried = read.tasks.filter((task) => only.includes(task.id) && !chosen.some(({ id }) => id === task.id));
  const broken = read.broken.filter(({ task }) => only.includes(task.id));
  return { chosen: [...chosen, ...tried], broken, tried };
}

function notScored({ read, result }: SkillTasks): EvaluationResult['notScored'] {
  return [
    ...read.tasks.filter((task) => task.draft).map(({ id }) => ({ id, reason: 'a draft that nobody confirmed' })),
    ...read.tasks.filter((task) => !task.enabled && !task.draft).map(({ id }) => ({ id, reason: 'disabled' })),
    ...result.split.setAside.map(({ task, reason }) => ({ id: task.id, reason: `set aside: ${reason}` })),
  ];
}

async function scoresOf(
  run: SkillRun,
  { chosen, broken, withoutSkill }: Pick<TaskChoice, 'chosen' | 'broken'> & Pick<EvaluationWish, 'withoutSkill'>,
  skill: string | undefined,
): Promise<Scores> {
  run.context.record({ kind: 'stage', stage: 'baseline', step: 0, planned: chosen.length });
  const family = `evaluation:${run.context.options.train.seed}`;
  const plan = { stage: 'baseline' as const, step: 0, skill, memory: undefined, attempts: [1], family, alone: true };
  const likely = () => (withoutSkill ? onceEach(chosen, { ...plan, skill: undefined }) : []);
  const rollouts = await askingAhead(
    run.context,
    () => rollOut(run.context, chosen, plan, run.signal),
    likely,
    run.signal,
  );
  const on = (side: string): Total => total(rollouts.filter(({ task }) => sideOf(task) === side));
  const all = total(rollouts);
  const scored = rollouts.flatMap(scoredAttempts);
  return {
    answers: { all: scored.length, stored: scored.filter(({ cached }) => cached).length },
    tasks: [
      ...rollouts.map((rollout) => evaluated(rollout, run.redactor)),
      ...broken.map(({ task, reason }) => ({ ...unscored(task), invalid: reason })),
    ],
    totals: {
      all: { ...all, n: all.n + broken.length, invalid: all.invalid + broken.length },
      training: on('training'),
      heldOut: on('heldOut'),
      sealed: on('sealed'),
    },
  };
}

function total(rollouts: readonly Rollout<Task>[]): Total {
  return {
    hard: meanOf(rollouts, { metric: 'hard', mixedWeight: 0 }),
    soft: meanOf(rollouts, { metric: 'soft', mixedWeight: 0 }),
    n: rollouts.length,
    invalid: rollouts.filter((rollout) => scoredAttempts(rollout).length === 0).length,
  };
}

/** What others said of it is shown as it is stored: without secrets. */
function evaluated({ task, attempts }: Rollout<Task>, redactor: Redactor): EvaluatedTask {
  const [attempt] = attempts;
  const clean = (text: string): string => redactor.redact(text).text;
  if (attempt?.kind !== 'scored')
    return { ...unscored(task), invalid: clean(attempt?.reason ?? 'It was not attempted.') };
  const { hard, soft, answer, diff, events = [] } = attempt;
  const checks = attempt.checks.map(({ name, criterion, pass, reason, notRun, notAsked }) => ({
    name,
    criterion,
    pass,
    reason: clean(reason),
    ...(notRun === true ? { notRun } : {}),
    ...(notAsked === true ? { notAsked } : {}),
  }));
  const work = diff === undefined ? {} : { work: keptWork({ events, diff }, clean) };
  return { id: task.id, split: sideOf(task), hard, soft, checks, invalid: undefined, answer, ...work };
}

function unscored(task: Task): Omit<EvaluatedTask, 'invalid'> {
  return { id: task.id, split: sideOf(task), hard: undefined, soft: undefined, checks: [], answer: undefined };
}

function sideOf(task: Task | SidedTask): EvaluatedTask['split'] {
  return 'side' in task ? task.side : 'none';
}
