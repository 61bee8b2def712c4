import { mostPasses } from '../../../engine/certify/certify.js';
import { scoresSealed } from '../../../engine/certify/sealed.js';
import type { RunOptions } from '../../../engine/runOptions.js';
import { leastCalls } from '../../../models/batch/gatheredCalls.js';
import type { SplitTasks, Task } from '../../../tasks/task.js';
import { batchLines, takesNoBatches } from '../../../wording/nights/batchLines.js';
import { shownName, type RoleModels } from '../../models/runModels.js';
import { isJudged } from '../estimates.js';
import { usualPasses, type ConsolidationSize } from './runBound.js';

/** How many batches a night sends one after the other, and which part of its attempts goes that way. */
export interface BatchRounds {
  readonly usual: number;
  readonly most: number;
  /** Of the attempts that a night usually makes, 0..1. */
  readonly share: number;
}

/** Attempts that are asked for together, and how often that happens. */
interface Round {
  readonly calls: number;
  readonly usual: number;
  readonly most: number;
}

/**
 * The rounds of a night: its baseline, the training tasks, a candidate against the held-out tasks, what edits are worth,
 * passes under both texts, and sealed tasks. Where a judge grades, its questions are a batch of their own.
 */
export function batchRoundsOf(
  { train, gate }: RunOptions,
  { training, heldOut, sealed }: SplitTasks,
  { stages, moreTraining }: Pick<ConsolidationSize, 'stages' | 'moreTraining'>,
): BatchRounds {
  const gated = gate.rule === 'off' ? 0 : 1;
  const passes = { confident: Math.max(...Object.values(mostPasses)), strict: 1, off: 0 }[gate.rule];
  const worths = gate.attribution ? { usual: 1, most: mostWorths } : { usual: 0, most: gated * mostWorths };
  const rounds = [
    roundOf(heldOut, 1, { usual: gated, most: gated }),
    roundOf(training, train.attempts, { usual: stages, most: stages }, moreTraining.high),
    roundOf(heldOut, 1, { usual: gated * stages, most: gated * stages }),
    roundOf(training, 1, { usual: worths.usual * stages, most: worths.most * stages }),
    roundOf(heldOut, 2, { usual: Math.min(usualPasses, passes), most: mostCertifications * passes }),
    roundOf(sealed, 2, scoresSealed(gate) ? once : never),
  ].flat();
  const sent = rounds.filter(({ calls }) => calls >= leastCalls);
  return {
    usual: sent.reduce((sum, { usual }) => sum + usual, 0),
    most: sent.reduce((sum, { most }) => sum + most, 0),
    share: usuallyAsked(rounds) === 0 ? 0 : usuallyAsked(sent) / usuallyAsked(rounds),
  };
}

function usuallyAsked(rounds: readonly Round[]): number {
  return rounds.reduce((sum, { calls, usual }) => sum + calls * usual, 0);
}

const mostCertifications = 2; // a part of the candidate in its turn, where the whole was rejected
const mostWorths = 3; // blocks of variants
const once = { usual: 1, most: 1 };
const never = { usual: 0, most: 0 };

/** With tools every turn would be a batch: such tasks are asked one by one, and so are those that start programs. */
function roundOf(tasks: readonly Task[], each: number, often: Omit<Round, 'calls'>, more = 0): readonly Round[] {
  const asked = tasks.filter(({ environment, checks }) => {
    return environment === 'chat' && !checks.some(({ check }) => check === 'command');
  });
  const others = tasks.length - asked.length;
  return [
    { calls: (asked.length + more) * each, ...often },
    { calls: asked.filter(isJudged).length * each, ...often },
    ...Array.from({ length: others * each }, () => ({ calls: 1, ...often })),
  ];
}

/** How long the batches of a night may be waited for, one after the other. */
export interface BatchTime {
  readonly hours: number;
  readonly nights: number;
}

/** Of one run: a night lasts as long as its minutes are capped at, or until the next. Undefined where none is sent. */
export function batchTimeOf(
  { nightly, caps }: RunOptions,
  { most }: BatchRounds,
  { target }: RoleModels,
): BatchTime | undefined {
  if (most === 0 || target.batches === undefined) return undefined;
  const hours = most * nightly.batchWait;
  return { hours, nights: nightsFor(hours, caps.minutes === undefined ? dayHours : caps.minutes / 60) };
}

/** Of runs that are made one after the other: the minutes of each are its own, and a night of all has the day. */
export function batchTimeOfAll(runs: readonly BatchTime[]): BatchTime {
  const hours = runs.reduce((sum, run) => sum + run.hours, 0);
  return { hours, nights: Math.max(nightsFor(hours, dayHours), ...runs.map(({ nights }) => nights)) };
}

const dayHours = 24;

function nightsFor(hours: number, nightHours: number): number {
  return Math.max(1, Math.ceil(hours / nightHours));
}

/** How many batches a night sends, in words, and how long that may take; missing where it sends none. */
export interface ToldBatches {
  readonly batches?: readonly string[] | undefined;
  readonly batchTime?: BatchTime | undefined;
}

export function toldBatches(options: RunOptions, rounds: BatchRounds, models: RoleModels): ToldBatches {
  return { batches: batchNotes(options, rounds, models), batchTime: batchTimeOf(options, rounds, models) };
}

/** What a person is told of a night with batches. */
export function batchNotes(options: RunOptions, rounds: BatchRounds, models: RoleModels): readonly string[] {
  const { usual, most } = rounds;
  const without = new Set(Object.values(models).filter(({ batches }) => batches === undefined));
  const notes = [...without].map((model) => takesNoBatches(shownName(model)));
  if (models.target.batches === undefined) return notes;
  const { nights = 1 } = batchTimeOf(options, rounds, models) ?? {};
  const hours = options.nightly.batchWait;
  return [...batchLines({ usual, most, hours, nights, least: leastCalls }), ...notes];
}
