import { z } from 'zod';
import { acceptanceRules, type NextPass } from '../../../src/gate/rules/acceptanceRules.js';
import { seeded, type Random } from '../../../src/gate/rules/random.js';
import { parseOutcomes } from '../../../src/gate/rules/recordedOutcomes.js';
import type { RuleTableSettings } from '../../../src/gate/rules/ruleTable.js';
import { shareInterval } from '../../../src/gate/statistics/interval.js';

const shown = ['higher-1', 'higher-5', 'whetstone'];

/**
 * What becomes of the figures where attempts of one arm have more in common than those of several (an hour, a server):
 * for every task each side first draws an arm, then attempts of that arm alone. A sentence for the page.
 */
export function keptTogether(recorded: unknown, { seed, resamples }: RuleTableSettings): string {
  const arms = armsOf(recorded).map((arm) => parseOutcomes(arm)[0]?.scores ?? []);
  const draws = Math.ceil(resamples / 5);
  const figures = acceptanceRules
    .filter(({ id }) => shown.includes(id))
    .map(({ name, decide }) => {
      const random = seeded(seed, arms.length);
      let hits = 0;
      for (let draw = 0; draw < draws; draw++) {
        if (decide(passesByArm(arms, random), 1).kind === 'accepted') hits += 1;
      }
      const [low = 0, high = 1] = shareInterval(hits, draws) ?? [];
      return `${name} ${percent(hits / draws)} % (${percent(low)} to ${percent(high)})`;
    });
  return `Where each side draws one of the ${arms.length} arms for every task, and attempts of that arm alone, an edit that changes nothing is accepted so often: ${figures.join('; ')} (${draws} resamples, seed (${seed}, ${arms.length})).`;
}

const Recorded = z.looseObject({ sets: z.array(z.looseObject({ sameText: z.array(z.string()) })) });

/** The same outcomes with one arm each. */
function armsOf(recorded: unknown): readonly unknown[] {
  const { sets, ...rest } = Recorded.parse(recorded);
  const [set] = sets;
  return (set?.sameText ?? []).map((arm) => ({ ...rest, sets: [{ ...set, sameText: [arm] }] }));
}

function passesByArm(arms: readonly (readonly (readonly number[])[])[], random: Random): NextPass {
  const one = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];
  const sides = (arms[0] ?? []).map((_, task) => ({ before: one(arms)?.[task] ?? [], after: one(arms)?.[task] ?? [] }));
  return () => sides.map(({ before, after }, task) => ({ task, before: one(before) ?? 0, after: one(after) ?? 0 }));
}

function percent(share: number): string {
  return (100 * share).toFixed(2);
}
