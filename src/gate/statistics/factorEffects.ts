import { meanOf } from './interval.js';

/** One attempt at one training task under one variant. */
interface Observation {
  readonly task: number;
  /** For each factor whether the variant carried it. */
  readonly carried: readonly boolean[];
  readonly score: number;
}

/** What was tried with and without each factor. */
export interface FactorObservations {
  readonly factors: number;
  readonly observations: readonly Observation[];
}

/** What each factor adds, compared within each task. */
export function effectsIn(
  { factors }: FactorObservations,
  byTask: readonly (readonly Observation[])[],
): readonly number[] {
  return Array.from({ length: factors }, (_, factor) => effectOf(byTask, factor));
}

/** The variance of one attempt. Where too few attempts a task are left to tell, the tasks are taken to be alike. */
export function noiseOf(observed: FactorObservations, byTask: readonly (readonly Observation[])[]) {
  const { factors } = observed;
  const telling = byTask.filter((observations) => observations.length > factors + 1);
  const degrees = telling.reduce((sum, observations) => sum + observations.length - factors - 1, 0);
  if (degrees === 0) return alikeNoise(observed, byTask);
  const squares = telling.reduce((sum, each) => sum + residualSquares([each], effectsIn(observed, [each])), 0);
  return { variance: squares / degrees, degrees };
}

/**
 * The variance of one attempt by the scores that fall where factors are added. Factors that need each other are noise to a
 * sum of single effects, and none to this; harm is some to both. Between two attempts that differ by chance alone half of
 * the differences are falls: their squares make up the variance.
 */
export function fallingNoise(byTask: readonly (readonly Observation[])[]): number {
  let [pairs, squares] = [1, 1 / 2]; // that none was seen does not say that there is none
  for (const observations of byTask)
    for (const few of observations)
      for (const many of observations) {
        if (!isAddedTo(few, many)) continue;
        pairs += 1;
        squares += Math.max(0, few.score - many.score) ** 2;
      }
  return squares / pairs;
}

/** Whether the second carries everything that the first does, and more. */
function isAddedTo(few: Observation, many: Observation): boolean {
  const added = many.carried.filter((has, factor) => has && few.carried[factor] !== true).length;
  return added > 0 && few.carried.every((has, factor) => !has || many.carried[factor] === true);
}

function alikeNoise(observed: FactorObservations, byTask: readonly (readonly Observation[])[]) {
  const degrees = Math.max(1, observed.observations.length - byTask.length - observed.factors);
  return { variance: residualSquares(byTask, effectsIn(observed, byTask)) / degrees, degrees };
}

export function groupByTask(observed: FactorObservations): readonly (readonly Observation[])[] {
  const groups = new Map<number, Observation[]>();
  for (const observation of observed.observations) {
    const group = groups.get(observation.task);
    if (group === undefined) groups.set(observation.task, [observation]);
    else group.push(observation);
  }
  return [...groups.values()];
}

function effectOf(byTask: readonly (readonly Observation[])[], factor: number): number {
  return meanOf(differencesOf(byTask, factor));
}

/** Compared within each task first, so that a lost attempt at a hard task favours nobody. */
export function differencesOf(byTask: readonly (readonly Observation[])[], factor: number): readonly number[] {
  return byTask.flatMap((observations) => {
    const carried = observations.filter((observation) => observation.carried[factor] === true);
    const others = observations.filter((observation) => observation.carried[factor] !== true);
    if (carried.length === 0 || others.length === 0) return [];
    return [meanOf(carried.map(scoreOf)) - meanOf(others.map(scoreOf))];
  });
}

function residualSquares(byTask: readonly (readonly Observation[])[], effects: readonly number[]): number {
  let squares = 0;
  for (const observations of byTask) {
    const level = meanOf(observations.map((observation) => observation.score - expectedShift(observation, effects)));
    for (const observation of observations) {
      squares += (observation.score - level - expectedShift(observation, effects)) ** 2;
    }
  }
  return squares;
}

function expectedShift(observation: Observation, effects: readonly number[]): number {
  return effects.reduce((sum, effect, factor) => sum + (observation.carried[factor] === true ? effect : 0), 0);
}

export function scoreOf(observation: Observation): number {
  return observation.score;
}
