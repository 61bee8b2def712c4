import { criteriaOf } from '../../checks/criteria.js';
import { stepsPerEpoch } from '../../engine/stepPlans.js';
import type { RunOptions } from '../../engine/runOptions.js';
import { isHandoff } from '../../models/handoff/handoffModel.js';
import type { SplitTasks, Task } from '../../tasks/task.js';
import type { RoleModels } from '../models/runModels.js';
import type { AskedOfRoles, CallBound } from '../runs/bound/callBound.js';

/**
 * Usual where the person says nothing else, and somebody answers by hand: everything that is learned is learned in one
 * step, from one look at all failures, so that a run is a handful of rounds. A search for the edits that help would be
 * several more.
 */
export const handoffDefaults: Readonly<Record<string, unknown>> = {
  train: { epochs: 1, batchSize: 10_000 },
  reflect: { minibatchSize: 1000, failureOnly: true },
  gate: { attribution: false, attributionCalls: 1 },
  slowUpdate: { on: false },
  metaSkill: { on: false },
};

/** How often somebody is asked, and how many prompts they get, of a run that is answered by hand. */
export interface HandoffSize {
  readonly rounds: Amount;
  readonly prompts: Amount;
  /** Whether every role is answered so: then no server is asked, and nothing costs money. */
  readonly wholly: boolean;
}

interface Amount {
  readonly usual: number;
  readonly most: number;
}

/** Undefined where nobody answers by hand. A reply that cannot be read, and each turn of a program, is one round more. */
export function handoffSizeOf(
  options: RunOptions,
  tasks: SplitTasks,
  models: RoleModels,
  bound: CallBound,
): HandoffSize | undefined {
  const hand = byHand(models);
  if (!hand.target && !hand.optimizer && !hand.judge) return undefined;
  const judges = hand.judge && [...tasks.training, ...tasks.heldOut, ...tasks.sealed].some(asksJudge);
  const attempts = (hand.target ? 1 : 0) + (judges ? 1 : 0);
  const questions = hand.optimizer ? questionsOf(options, tasks.training.length) : { usual: 0, most: 0 };
  const prompts = (asked: AskedOfRoles): number =>
    Math.ceil(
      (['target', 'optimizer', 'judge'] as const).reduce((sum, role) => sum + (hand[role] ? asked[role].calls : 0), 0),
    );
  return {
    rounds: roundsOf(options, tasks, { attempts, questions }),
    prompts: { usual: prompts(bound.usual), most: prompts(bound.most) },
    wholly: hand.target && hand.optimizer && hand.judge,
  };
}

function byHand({ target, optimizer, judge }: RoleModels) {
  return {
    target: isHandoff(target.identity),
    optimizer: isHandoff(optimizer.identity),
    judge: isHandoff(judge.identity),
  };
}

function asksJudge(task: Task): boolean {
  const found = criteriaOf(task);
  return found.kind === 'criteria' && found.criteria.some(({ evaluation }) => evaluation.by === 'judge');
}

interface RoundsOfParts {
  /** Of attempts that are asked for together: their answers, then what the judge says of them. */
  readonly attempts: number;
  /** Of what one step asks the optimizer, one question after the other. */
  readonly questions: Amount;
}

function roundsOf(options: RunOptions, tasks: SplitTasks, { attempts, questions }: RoundsOfParts): Amount {
  const { train, gate } = options;
  const steps = stepsPerEpoch(tasks.training.length, train).steps * train.epochs;
  const gated = gate.rule === 'off' || tasks.heldOut.length === 0 ? 0 : attempts;
  const ends = Math.max(0, train.epochs - 1) * endOfEpoch(options, attempts, gated);
  const usualSteps = Math.min(steps, options.stop.patience);
  const certified = gate.rule === 'confident' && gated > 0 ? { usual: attempts, most: mostRounds * attempts } : never;
  const single = gate.attribution ? 2 * attempts : 0;
  const afterwards = gate.attribution || gate.attributionCalls === 1 ? 0 : 2 * attempts + certified.most;
  return {
    // The attempts of the first step are asked for with the baseline.
    usual: usualSteps * (attempts + questions.usual + gated) + single + certified.usual,
    most: steps * (attempts + questions.most + gated) + ends + single + certified.most + afterwards,
  };
}

const never: Amount = { usual: 0, most: 0 };

/** A certification ends after pass 2, 4, 8 or 16 at the latest. */
const mostRounds = 4;

function endOfEpoch({ slowUpdate, metaSkill }: RunOptions, attempts: number, gated: number): number {
  const compared = slowUpdate.on || metaSkill.on ? attempts : 0;
  return compared + (slowUpdate.on ? 1 + gated : 0) + (metaSkill.on ? 1 : 0);
}

/** Reflection, merges level by level, the number of edits, their ranks, and what becomes of them. */
function questionsOf({ train, reflect, merge, edits }: RunOptions, training: number): Amount {
  const batch = Math.min(training, train.batchSize * train.accumulation);
  const analysts = Math.ceil(batch / reflect.minibatchSize);
  const levels = analysts <= 1 ? 0 : Math.ceil(Math.log(analysts) / Math.log(merge.batchSize));
  const merges = levels + (reflect.failureOnly ? 0 : 1);
  const contrast = train.attempts > 1 && reflect.contrastTasks > 0 ? 1 : 0;
  const ranked = merges > 0 ? 1 : 0;
  const counted = edits.control === 'autonomous' ? 1 : 0;
  const rewritten = edits.mode === 'rewrite_from_suggestions' ? 1 : 0;
  const reminded = reflect.skillAware ? 1 : 0;
  return {
    usual: 1 + merges + counted + rewritten,
    most: 1 + contrast + merges + ranked + counted + rewritten + reminded,
  };
}
