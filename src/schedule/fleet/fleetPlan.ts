import { nightWorths, type KnownSkill, type NightWorth } from './nightWorth.js';

/** In calls, tokens and dollars: what a run takes, or what a night may take. What is not said is not counted. */
export interface Amounts {
  readonly calls?: number | undefined;
  readonly tokens?: number | undefined;
  readonly usd?: number | undefined;
}

/** A skill that a night could train. */
export interface FleetSkill extends KnownSkill {
  /** What its run is expected to take. */
  readonly cost: Amounts;
}

/** A skill in its place of the plan. */
export interface WeighedSkill<Skill> {
  readonly skill: Skill;
  readonly worth: NightWorth;
}

/** Which skills a night trains where it has no room for all. */
export interface FleetPlan<Skill> {
  /** In the order in which they are trained: first those that waited longest. */
  readonly chosen: readonly (WeighedSkill<Skill> & { readonly why: 'waited' | 'worth' })[];
  /** The others, the one that comes next first, and about how many nights from now each has its turn. */
  readonly later: readonly (WeighedSkill<Skill> & { readonly inNights: number })[];
}

const roundRobin = 0.1; // of the places: so no skill waits for ever

/**
 * Chooses the skills of a night: a tenth of the places for those that waited longest, the others by expected gain for
 * the money, as many as the budget holds. A run that is expected to take more than all of it counts as taking all.
 * `draw`, from 0 to 1, rounds the tenth of few places up or down, so that it is a tenth over many nights. Undefined where
 * there is room for every skill.
 */
export function planFleet<Skill extends FleetSkill>(
  skills: readonly Skill[],
  budget: Amounts,
  draw: number,
): FleetPlan<Skill> | undefined {
  if (holdsAll(skills, budget)) return undefined;
  const worths = nightWorths(skills);
  const weighed = skills.flatMap((skill, index) => {
    const worth = worths[index];
    return worth === undefined ? [] : [{ skill, worth, rank: worth.gain / shareOf(skill.cost, budget) }];
  });
  const byWorth = weighed.toSorted((a, b) => b.rank - a.rank);
  const byWait = byWorth.toSorted((a, b) => waited(b.skill) - waited(a.skill));
  const places = filled(byWorth, budget).length;
  const waiting = new Set(filled(byWait, budget).slice(0, Math.floor(places * roundRobin + draw)));
  const chosen = new Set(filled([...waiting, ...byWorth.filter((each) => !waiting.has(each))], budget));
  const turns = new Map(byWait.filter((each) => !chosen.has(each)).map((each, index) => [each, index + 1]));
  const later = byWorth.filter((each) => !chosen.has(each));
  return {
    chosen: [...chosen].map((each) => ({ ...bare(each), why: waiting.has(each) ? 'waited' : 'worth' })),
    later: later.map((each, index) => ({
      ...bare(each),
      inNights: nightsUntil({ byWorth: index + 1, byWait: turns.get(each) ?? 1 }, places),
    })),
  };
}

/** When its turn comes, if nothing changes: by what it is worth, or because it has waited longest. */
function nightsUntil(place: { readonly byWorth: number; readonly byWait: number }, places: number): number {
  const [waiting, others] = [places * roundRobin, Math.max(1, places * (1 - roundRobin))];
  return Math.min(Math.ceil(place.byWorth / others), Math.ceil(place.byWait / waiting));
}

/** Whether a run that is expected to take so much has room beside what was taken before. */
export function fits(cost: Amounts, taken: Amounts, budget: Amounts): boolean {
  return units.every((unit) => {
    const [most = Infinity, needed = 0, before = 0] = [budget[unit], cost[unit], taken[unit]];
    return before + Math.min(needed, most) <= most + roundingError;
  });
}

/** Both together, in each of the units that one of them knows. */
export function together(a: Amounts, b: Amounts): Amounts {
  return { calls: added(a.calls, b.calls), tokens: added(a.tokens, b.tokens), usd: added(a.usd, b.usd) };
}

const units = ['calls', 'tokens', 'usd'] as const;
const roundingError = 1e-9; // dollars are added up in fractions

function added(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : a + b;
}

/** As whole costs: one that is larger than the budget is no reason to say that there is room. */
function holdsAll(skills: readonly FleetSkill[], budget: Amounts): boolean {
  const all = skills.reduce<Amounts>((sum, { cost }) => together(sum, cost), {});
  return units.every((unit) => (all[unit] ?? 0) <= (budget[unit] ?? Infinity) + roundingError);
}

/** As many as there is room for, in this order; one that does not fit lets smaller ones pass. */
function filled<Each extends { readonly skill: FleetSkill }>(order: readonly Each[], budget: Amounts): readonly Each[] {
  let taken: Amounts = {};
  return order.filter(({ skill: { cost } }) => {
    if (!fits(cost, taken, budget)) return false;
    taken = together(taken, cost);
    return true;
  });
}

/** How much of the budget a run takes, in the unit that is scarcest for it. */
function shareOf(cost: Amounts, budget: Amounts): number {
  const shares = units.map((unit) => (cost[unit] ?? 0) / (budget[unit] ?? Infinity));
  return Math.max(smallestShare, ...shares.filter((share) => !Number.isNaN(share)));
}

const smallestShare = 1e-6; // what costs nothing is worth a place, not all of them

function waited({ daysSinceTried }: FleetSkill): number {
  return daysSinceTried ?? Number.MAX_VALUE;
}

function bare<Skill>({ skill, worth }: WeighedSkill<Skill>): WeighedSkill<Skill> {
  return { skill, worth };
}
