/** What a night that came to its end found for a skill; scores from 0 to 1. */
export interface PastNight {
  /** What was left to gain when it began; undefined where nothing was measured. */
  readonly room: number | undefined;
  /** What it proved, none where nothing was. */
  readonly gain: number;
}

/** What is known of a skill before a night: nothing of what the night would gain. */
export interface KnownSkill {
  /** What is left to gain: 1 less the held-out score last seen. Undefined where nothing was measured. */
  readonly room: number | undefined;
  readonly past: readonly PastNight[];
  /** Since a run was last begun for it; undefined where none ever was. */
  readonly daysSinceTried: number | undefined;
  /** How often agents used it, where the person lets that be counted. */
  readonly uses: number | undefined;
}

/** What a night is expected to gain for a skill, and the four figures whose product that is. */
export interface NightWorth {
  /** What is left to gain; `isKnown` is false where the fleet's mean stands in for it. */
  readonly room: { readonly value: number; readonly isKnown: boolean };
  /** The part of it that a night takes, held towards the fleet's where few nights are known. */
  readonly taken: { readonly value: number; readonly nights: number };
  /** How much there is to find again since the last try, from 0 to 1. */
  readonly rested: { readonly value: number; readonly days: number | undefined };
  /** How much a gain counts: 1 for a skill that is used as often as others, or of which that is not known. */
  readonly used: { readonly value: number; readonly uses: number | undefined };
  readonly gain: number;
}

const guessedRoom = 0.5; // where no skill of the fleet was ever measured
const guessedTaken = 0.2; // a night's part of what is left, before the fleet has shown its own
const guessCounts = 5; // nights: so many of the fleet weigh as much as that guess
const fleetCounts = 2; // nights: so many of a skill's own weigh as much as the fleet's mean
const halfRestedDays = 7; // the same night again finds little; after a week half of what it might
const mostUsed = 2; // one skill that is used all day does not take every night

/**
 * What a night is expected to gain for each skill: room × part taken × rest since the last try × use. Each of them is held
 * to the fleet's mean as far as little is known: one lucky night makes no favourite, and a skill that nobody tried is
 * taken for a usual one.
 */
export function nightWorths(skills: readonly KnownSkill[]): readonly NightWorth[] {
  const meanRoom = meanOf(skills.map(({ room }) => room)) ?? guessedRoom;
  const meanUses = meanOf(skills.map(({ uses }) => uses)) ?? 0;
  const sums = takenIn(
    skills.flatMap(({ past }) => past),
    meanRoom,
  );
  const usual = heldTo(guessedTaken, guessCounts * guessedRoom, sums);
  return skills.map((skill) => {
    const room = { value: skill.room ?? meanRoom, isKnown: skill.room !== undefined };
    const taken = {
      value: heldTo(usual, fleetCounts * meanRoom, takenIn(skill.past, meanRoom)),
      nights: skill.past.length,
    };
    const rested = { value: restOf(skill.daysSinceTried), days: skill.daysSinceTried };
    const used = { value: useOf(skill.uses, meanUses), uses: skill.uses };
    return { room, taken, rested, used, gain: room.value * taken.value * rested.value * used.value };
  });
}

interface TakenSums {
  readonly gain: number;
  readonly room: number;
}

function takenIn(past: readonly PastNight[], meanRoom: number): TakenSums {
  return {
    gain: past.reduce((sum, { gain }) => sum + gain, 0),
    room: past.reduce((sum, { room = meanRoom }) => sum + room, 0),
  };
}

/** What was gained of what there was to gain, with the prior as if it had been seen on so much room. */
function heldTo(prior: number, priorRoom: number, { gain, room }: TakenSums): number {
  return priorRoom + room === 0 ? prior : (prior * priorRoom + gain) / (priorRoom + room);
}

function restOf(days: number | undefined): number {
  return days === undefined ? 1 : 1 - 2 ** (-Math.max(0, days) / halfRestedDays);
}

/** Half for a skill that nobody uses, 1 at the mean, and no more than double. */
function useOf(uses: number | undefined, mean: number): number {
  return uses === undefined || mean === 0 ? 1 : Math.min(mostUsed, (uses + mean) / (2 * mean));
}

function meanOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0) / known.length;
}
