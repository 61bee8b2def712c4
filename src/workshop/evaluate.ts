import { meanOf, scoredAttempts, type Rollout } from '../engine/attempts.js';
import { rollOut } from '../engine/rollOut.js';
import { messageOf } from '../errors.js';
import type { Side, SidedTask, SplitTasks } from '../tasks/task.js';
import { withSkillRun, type RunStart, type SkillRun } from './skillRun.js';
import type { EvaluatedTask, EvaluationResult } from './workshop.js';

type Scores = Pick<EvaluationResult, 'tasks' | 'totals'>;

/** Scores every task once under the skill, and once without it where that is asked. Proposes nothing. */
export function evaluate(
  start: RunStart,
  wanted: { readonly withoutSkill: boolean; readonly only: readonly string[] | undefined },
  signal: AbortSignal,
): Promise<EvaluationResult> {
  return withSkillRun(start, signal, async (run) => {
    try {
      const tasks = chosen(start.tasks.result.split, wanted.only);
      const scores = await scoresOf(run, tasks, start.skill.text);
      const without = wanted.withoutSkill ? await scoresOf(run, tasks, undefined) : undefined;
      const about = { skillName: start.skill.name, model: run.names.target, simulated: run.names.simulated };
      const summary = await run.journal.end({ kind: 'run-ended', outcome: 'nothing', reason: 'Evaluated.' });
      return { ...about, ...scores, baseline: without === undefined ? undefined : { ...about, ...without }, summary };
    } catch (error) {
      await run.journal.end({
        kind: 'run-ended',
        outcome: run.signal.aborted ? 'cancelled' : 'failed',
        reason: messageOf(error),
      });
      throw error;
    }
  });
}

function chosen(split: SplitTasks, only: readonly string[] | undefined): readonly SidedTask[] {
  const all = [...split.training, ...split.heldOut, ...split.sealed];
  return only === undefined ? all : all.filter((task) => only.includes(task.id));
}

async function scoresOf(run: SkillRun, tasks: readonly SidedTask[], skill: string | undefined): Promise<Scores> {
  run.context.record({ kind: 'stage', stage: 'baseline', step: 0, planned: tasks.length });
  const family = `evaluation:${run.context.options.train.seed}`;
  const plan = { stage: 'baseline' as const, step: 0, skill, memory: undefined, attempts: [1], family };
  const rollouts = await rollOut(run.context, tasks, plan, run.signal);
  const onSide = (side: Side): readonly Rollout<SidedTask>[] => rollouts.filter(({ task }) => task.side === side);
  return {
    tasks: rollouts.map(evaluated),
    totals: {
      all: total(rollouts),
      training: total(onSide('training')),
      heldOut: total(onSide('heldOut')),
      sealed: total(onSide('sealed')),
    },
  };
}

function total(rollouts: readonly Rollout<SidedTask>[]): EvaluationResult['totals']['all'] {
  return {
    hard: meanOf(rollouts, { metric: 'hard', mixedWeight: 0 }),
    soft: meanOf(rollouts, { metric: 'soft', mixedWeight: 0 }),
    n: rollouts.length,
    invalid: rollouts.filter((rollout) => scoredAttempts(rollout).length === 0).length,
  };
}

function evaluated({ task, attempts }: Rollout<SidedTask>): EvaluatedTask {
  const [attempt] = attempts;
  const scored = attempt?.kind === 'scored' ? attempt : undefined;
  return {
    id: task.id,
    split: task.side,
    hard: scored?.hard,
    soft: scored?.soft,
    checks: scored?.checks.map(({ name, pass, reason }) => ({ name, pass, reason })) ?? [],
    invalid: attempt?.kind === 'invalid' ? attempt.reason : undefined,
    answer: scored?.answer,
  };
}
