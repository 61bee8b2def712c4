import type { Range } from '../../../models/estimate.js';
import { containedPrograms } from '../../environments/containedPrograms.js';
import { startSources } from '../../environments/environmentsFor.js';
import { placeNotes } from '../../environments/placedPrograms.js';
import { neededPrograms } from '../../environments/programsAtStart.js';
import { refuseUnplayed } from '../../environments/unplayedTasks.js';
import { refuseAgentTasks, targetOf } from '../../models/agentTasks.js';
import type { RoleModels } from '../../models/runModels.js';
import { statedPrices } from '../../models/serverCosts.js';
import { chooseTasks, type EvaluationWish } from '../evaluate.js';
import type { RunStart } from '../runStart.js';
import { knownOfAttempts } from './agentBound.js';
import { boundOfAttempts, programsOf } from './attemptBound.js';
import { sizeOf, underCaps } from './runSize.js';
import { toldSizeOf, type ToldSize } from './toldSize.js';

/** What an evaluation takes, on which models, and what holds it. */
export interface EvaluationSize extends ToldSize {
  /** Of all tasks, and without the skill where that is asked. */
  readonly attempts: number;
  /** True where the simulated model attempts and judges: nothing can cost, and nothing leaves the machine. */
  readonly allSimulated?: boolean;
  /** Which programs run on workers, and why not the others. */
  readonly placed?: readonly string[];
}

/** Every task once, and once more without the skill where that is asked. */
export async function evaluationSizeOf(
  { world, skill, tasks, options, ownCaps = {} }: RunStart,
  wanted: EvaluationWish,
  models: RoleModels,
): Promise<EvaluationSize> {
  const { chosen } = chooseTasks(skill, tasks, wanted);
  refuseAgentTasks(chosen, targetOf(models.target), skill.places.skillPath);
  refuseUnplayed({ attempted: chosen }, models.target);
  const known = await knownOfAttempts(skill, chosen, models);
  const input = { text: skill.text, folder: skill.folder, programs: programsOf(tasks), options, models, ...known };
  const often = wanted.withoutSkill ? 2 : 1;
  const bound = await boundOfAttempts(input, chosen, often);
  const whole = sizeOf(bound, models, await statedPrices(world));
  const told = await toldSizeOf({ world, skill, options, ownCaps }, models, { whole });
  const allSimulated = [models.target, models.judge].every(({ identity }) => identity.simulated);
  const use = { declared: tasks.read.environments, tasks: chosen, target: models.target };
  const needed = neededPrograms(use, startSources(skill, containedPrograms(world, skill)));
  const placed = await placeNotes(world, needed, new AbortController().signal);
  return { ...told, attempts: often * chosen.length, allSimulated, placed };
}

/** Several evaluations one after the other. The caps of a day and a month hold all of them together. */
export function sumOfSizes(first: EvaluationSize, others: readonly EvaluationSize[]): EvaluationSize {
  const sum = others.reduce(joined, first);
  const { day, month } = first.holds;
  const { repeatsHeld, ...held } = underCaps(sum, { run: {}, day, month });
  return { ...sum, ...held, repeatsHeld: repeatsHeld || sum.repeatsHeld };
}

function joined(sum: EvaluationSize, each: EvaluationSize): EvaluationSize {
  return {
    ...sum,
    models: { ...sum.models, simulated: sum.models.simulated && each.models.simulated },
    allSimulated: sum.allSimulated === true && each.allSimulated === true,
    repeatsHeld: sum.repeatsHeld && each.repeatsHeld,
    callCap: added(sum.callCap, each.callCap),
    paidInTime: sum.paidInTime && each.paidInTime,
    attempts: sum.attempts + each.attempts,
    calls: both(sum.calls, each.calls),
    tokens: both(sum.tokens, each.tokens),
    usd: sum.usd === undefined || each.usd === undefined ? undefined : both(sum.usd, each.usd),
    minutes: { ...both(sum.minutes, each.minutes), measured: sum.minutes.measured && each.minutes.measured },
    usual: {
      calls: sum.usual.calls + each.usual.calls,
      tokens: sum.usual.tokens + each.usual.tokens,
      usd: added(sum.usual.usd, each.usual.usd),
      minutes: sum.usual.minutes + each.usual.minutes,
    },
  };
}

/** Unknown where one of them is. */
function added(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? undefined : left + right;
}

function both(left: Range, right: Range): Range {
  return { low: left.low + right.low, high: left.high + right.high };
}
