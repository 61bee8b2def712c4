import assert from 'node:assert/strict';
import { planFleet, type FleetPlan, type FleetSkill } from '../../../../src/schedule/fleet/fleetPlan.js';
import { aFleet, draws, mean, multipleCorrelation, signalsOf, type SimulatedSkill } from '../../../builders/aFleet.js';
import { few, inFull, isFull } from '../../../builders/few.js';

describe('the plan of a fleet', () => {
  it('is none where there is room for all, and where nothing is capped', () => {
    const skills = [aSkill('a'), aSkill('b')];
    assert.equal(planFleet(skills, { calls: 2 }, 0), undefined);
    assert.equal(planFleet(skills, {}, 0), undefined);
    assert.deepEqual(names(planFleet(skills, { calls: 1 }, 0)), ['a']);
  });

  const rows: readonly (readonly [what: string, better: Partial<FleetSkill>, worse: Partial<FleetSkill>])[] = [
    ['has more to gain', { room: 0.6 }, { room: 0.3 }],
    ['gained more before', { past: [{ room: 0.5, gain: 0.3 }] }, { past: [{ room: 0.5, gain: 0 }] }],
    ['was tried longer ago', { daysSinceTried: 20 }, { daysSinceTried: 1 }],
    ['was never tried', { daysSinceTried: undefined }, { daysSinceTried: 20 }],
    ['is used more', { uses: 30 }, { uses: 1 }],
    ['costs less', { cost: { calls: 5 } }, { cost: { calls: 9 } }],
  ];
  for (const [what, better, worse] of rows)
    it(`takes the skill that ${what} first`, () => {
      const skills = [aSkill('worse', worse), aSkill('better', better)];
      const budget = { calls: what === 'costs less' ? 9 : 1 };
      assert.deepEqual(names(planFleet(skills, budget, 0)), ['better']);
    });

  it('believes one lucky night less than many good ones, and an unknown skill to be a usual one', () => {
    const lucky = aSkill('lucky', { past: [{ room: 0.5, gain: 0.4 }], daysSinceTried: 30 });
    const steady = aSkill('steady', {
      past: Array.from({ length: 8 }, () => ({ room: 0.5, gain: 0.35 })),
      daysSinceTried: 30,
    });
    const unknown = aSkill('unknown', { room: undefined, daysSinceTried: 30 });
    const plan = planFleet([unknown, lucky, steady], { calls: 1 }, 0);
    assert.deepEqual(
      [...names(plan), ...(plan?.later ?? []).map(({ skill }) => skill.name)],
      ['steady', 'lucky', 'unknown'],
    );
  });

  it('gives a tenth of the places to those that waited longest, whatever they are worth', () => {
    const poor = { room: 0.01, past: Array.from({ length: 9 }, () => ({ room: 0.01, gain: 0 })) };
    const skills = Array.from({ length: 100 }, (_, index) =>
      aSkill(`s${index}`, index < 5 ? { ...poor, daysSinceTried: 90 - index } : { room: 0.9, daysSinceTried: 30 }),
    );
    const plan = planFleet(skills, { calls: 20 }, 0);
    assert.deepEqual(names(plan).slice(0, 2), ['s0', 's1']);
    assert.deepEqual(plan?.chosen.map(({ why }) => why).slice(0, 3), ['waited', 'waited', 'worth']);
    assert.equal(plan?.chosen.length, 20);
    assert.equal(plan?.later.length, 80);
  });

  it('rounds the tenth of few places by the draw: over many nights it is a tenth', () => {
    const skills = Array.from({ length: 12 }, (_, index) => aSkill(`s${index}`, { daysSinceTried: 12 - index }));
    const draw = draws(1);
    const waited = Array.from({ length: 300 }, () => {
      const plan = planFleet(skills, { calls: 4 }, draw());
      return plan?.chosen.filter(({ why }) => why === 'waited').length ?? 0;
    });
    assert.ok(Math.abs(mean(waited) - 0.4) < 0.08, String(mean(waited)));
  });

  it('lets a run that is larger than the budget have all of it, and smaller ones pass one that does not fit', () => {
    const large = aSkill('large', { room: 1, cost: { calls: 100 }, uses: 100 });
    assert.deepEqual(names(planFleet([large], { calls: 10 }, 0)), ['large']);
    const small = ['a', 'b', 'c'].map((name) => aSkill(name, { cost: { calls: 4 } }));
    const next = aSkill('next', { cost: { calls: 5 }, room: 0.45 });
    assert.deepEqual(names(planFleet([large, ...small, next], { calls: 13 }, 0)), ['a', 'b', 'c']);
  });

  it('holds the budget in each unit', () => {
    const skills = Array.from({ length: 10 }, (_, index) =>
      aSkill(`s${index}`, { cost: { calls: 1 + index, tokens: 1000, usd: 0.1 } }),
    );
    const plan = planFleet(skills, { calls: 30, tokens: 6000, usd: 0.4 }, 0.5);
    assert.equal(plan?.chosen.length, 4);
  });

  it('says of each that is left when about it has its turn, and none never', () => {
    const skills = Array.from({ length: 50 }, (_, index) => aSkill(`s${index}`, { room: 0.01 * (1 + index) }));
    const { later = [] } = planFleet(skills, { calls: 10 }, 0) ?? {};
    assert.deepEqual([later[0]?.inNights, later[8]?.inNights, later[9]?.inNights], [1, 1, 2]);
    assert.ok(later.every(({ inNights }) => inNights >= 1 && inNights <= 50));
  });
});

describe('a night over 200 skills under a budget for 40, whose gains the planner does not know', () => {
  const seeds = Array.from({ length: isFull ? 500 : 10 }, (_, index) => index + 1);
  const rows = [
    { correlation: 0.8, least: 0.8, cost: equal },
    { correlation: 0.6, least: 0.65, cost: equal },
    { correlation: 0.8, least: 0.8, cost: unequal },
    { correlation: 0.6, least: 0.65, cost: unequal },
  ];
  for (const { correlation, least, cost } of few(rows, 2))
    it(`gains at least ${least * 100} % of the best choice where what it sees correlates ${correlation} with the gain, runs cost ${cost === equal ? 'alike' : 'what they cost'}`, () => {
      const nights = seeds.map((seed) => oneNight(aFleet({ skills: 200, seed, correlation, cost }), seed));
      const shares = nights.map(({ share }) => share).toSorted((a, b) => a - b);
      const at = (part: number): number => shares[Math.floor(part * (shares.length - 1))] ?? 0;
      const seen = mean(nights.map((night) => night.correlation));
      const chance = mean(nights.map((night) => night.chance));
      process.stdout.write(
        `      correlation ${seen.toFixed(3)}: ${percent(mean(shares))} of the best choice’s gain (5 % to 95 % of ${seeds.length} seeds: ${percent(at(0.05))} to ${percent(at(0.95))}); chance ${percent(chance)}\n`,
      );
      assert.ok(Math.abs(seen - correlation) < 0.015, `planted ${correlation}, found ${seen}`);
      assert.ok(mean(shares) >= least, percent(mean(shares)));
      assert.ok(chance < mean(shares) - 0.15);
    });

  const twentyNights = (count: number): void => {
    const last = seeds.slice(0, count).map((seed) => nightsUntilAllTried(200, { budget: 40, seed }));
    process.stdout.write(
      `      all 200 tried after ${mean(last).toFixed(1)} nights (${Math.min(...last)} to ${Math.max(...last)}, ${count} seeds)\n`,
    );
    assert.ok(Math.max(...last) <= 20, String(Math.max(...last)));
  };
  it('has tried every skill after 20 nights', () => twentyNights(3));
  inFull('has tried every skill after 20 nights, whatever the seed', () => twentyNights(200));
});

function equal(): number {
  return 1;
}

function unequal(draw: () => number): number {
  return 0.25 + 1.5 * draw();
}

function percent(part: number): string {
  return `${(100 * part).toFixed(1)} %`;
}

/** The best choice is that of whoever knows the gains: what gains most for its cost, as far as the budget goes. */
function oneNight(
  skills: readonly SimulatedSkill[],
  seed: number,
): { readonly share: number; readonly chance: number; readonly correlation: number } {
  const budget = { calls: 40 };
  const plan = planFleet(skills, budget, draws(seed + 5000)());
  const chosen = plan?.chosen.map(({ skill }) => skill) ?? [];
  assert.ok(costOf(chosen) <= 40 + 1e-9);
  const best = packed(skills.toSorted((a, b) => b.gain / (b.cost.calls ?? 1) - a.gain / (a.cost.calls ?? 1)));
  const draw = draws(seed + 9000);
  const order = skills.map((skill) => ({ skill, at: draw() })).toSorted((a, b) => a.at - b.at);
  const chance = packed(order.map(({ skill }) => skill));
  const correlation = multipleCorrelation(
    signalsOf(skills),
    skills.map(({ gain }) => gain),
  );
  return { share: gainOf(chosen) / gainOf(best), chance: gainOf(chance) / gainOf(best), correlation };
}

function packed(order: readonly SimulatedSkill[]): readonly SimulatedSkill[] {
  let taken = 0;
  return order.filter(({ cost: { calls = 1 } }) => {
    if (taken + calls > 40) return false;
    taken += calls;
    return true;
  });
}

function gainOf(skills: readonly SimulatedSkill[]): number {
  return skills.reduce((sum, { gain }) => sum + gain, 0);
}

function costOf(skills: readonly SimulatedSkill[]): number {
  return skills.reduce((sum, { cost: { calls = 0 } }) => sum + calls, 0);
}

/** Each night takes the gain out of the room of what it tried; what was not tried waits a day longer. */
function nightsUntilAllTried(
  count: number,
  { budget, seed }: { readonly budget: number; readonly seed: number },
): number {
  let skills = aFleet({ skills: count, seed, correlation: 0.8 });
  const untried = new Set(skills.map(({ name }) => name));
  const draw = draws(seed + 5000);
  for (let night = 1; night <= 60; night++) {
    const plan = planFleet(skills, { calls: budget }, draw());
    const tried = new Set((plan?.chosen ?? []).map(({ skill }) => skill.name));
    for (const name of tried) untried.delete(name);
    if (untried.size === 0) return night;
    skills = skills.map((skill) => {
      if (!tried.has(skill.name))
        return { ...skill, daysSinceTried: skill.daysSinceTried === undefined ? undefined : skill.daysSinceTried + 1 };
      const { room = 0.5, gain, past } = skill;
      const gained = Math.min(room, gain);
      return { ...skill, room: room - gained, past: [...past, { room, gain: gained }], daysSinceTried: 1 };
    });
  }
  return Infinity;
}

function aSkill(name: string, more: Partial<FleetSkill> = {}): FleetSkill & { readonly name: string } {
  return { name, room: 0.5, past: [], daysSinceTried: 10, uses: undefined, cost: { calls: 1 }, ...more };
}

function names(plan: FleetPlan<FleetSkill & { readonly name: string }> | undefined): readonly string[] {
  return plan?.chosen.map(({ skill }) => skill.name) ?? [];
}
