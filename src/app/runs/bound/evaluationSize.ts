import type { Range } from '../../../models/estimate.js';
import { earlierRuns } from '../../models/modelNotes.js';
import { modelNames, type RoleModels } from '../../models/runModels.js';
import { statedPrices } from '../../models/serverCosts.js';
import { paceOf } from '../estimates.js';
import { chooseTasks, type EvaluationWish } from '../evaluate.js';
import type { Preflight } from '../preflight.js';
import type { RunStart } from '../runStart.js';
import { boundOfAttempts, programsOf } from './attemptBound.js';
import { capsOf, sizeOf, timed, underCaps, type HeldSize } from './runSize.js';

/** What an evaluation takes, on which models, and what holds it. */
export interface EvaluationSize extends HeldSize, Pick<Preflight, 'skillName' | 'models' | 'holds'> {
  /** Of all tasks, and without the skill where that is asked. */
  readonly attempts: number;
}

/** Every task once, and once more without the skill where that is asked. */
export async function evaluationSizeOf(
  { world, skill, tasks, options }: RunStart,
  wanted: EvaluationWish,
  models: RoleModels,
): Promise<EvaluationSize> {
  const { chosen } = chooseTasks(skill, tasks, wanted);
  const input = { text: skill.text, folder: skill.folder, programs: programsOf(tasks), options, models };
  const often = wanted.withoutSkill ? 2 : 1;
  const bound = await boundOfAttempts(input, chosen, often);
  const names = modelNames(models);
  const pace = paceOf(await earlierRuns(skill), names.target, { models, concurrency: options.concurrency });
  const holds = capsOf({ world, options });
  const size = underCaps(timed(sizeOf(bound, models, await statedPrices(world)), pace), holds);
  return { ...size, skillName: skill.name, models: names, holds, attempts: often * chosen.length };
}

/** Several evaluations one after the other. */
export function sumOfSizes(first: EvaluationSize, others: readonly EvaluationSize[]): EvaluationSize {
  return others.reduce(
    (sum, each) => ({
      ...sum,
      repeatsHeld: sum.repeatsHeld && each.repeatsHeld,
      attempts: sum.attempts + each.attempts,
      calls: both(sum.calls, each.calls),
      tokens: both(sum.tokens, each.tokens),
      usd: sum.usd === undefined || each.usd === undefined ? undefined : both(sum.usd, each.usd),
      minutes: { ...both(sum.minutes, each.minutes), measured: sum.minutes.measured && each.minutes.measured },
      usual: {
        calls: sum.usual.calls + each.usual.calls,
        tokens: sum.usual.tokens + each.usual.tokens,
        usd: sum.usual.usd === undefined || each.usual.usd === undefined ? undefined : sum.usual.usd + each.usual.usd,
        minutes: sum.usual.minutes + each.usual.minutes,
      },
    }),
    first,
  );
}

function both(left: Range, right: Range): Range {
  return { low: left.low + right.low, high: left.high + right.high };
}
