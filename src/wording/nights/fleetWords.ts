import { usdFigure } from '../../usdFigure.js';
import { count, grouped, percent } from '../amounts.js';
import type { Say } from '../translate.js';

/** What a night has, or a run of it takes. */
interface ToldAmounts {
  readonly calls?: number | undefined;
  readonly tokens?: number | undefined;
  readonly usd?: number | undefined;
}

/** What a night is expected to gain for a skill, and the figures whose product that is. */
interface ToldWorth {
  readonly room: { readonly value: number; readonly isKnown: boolean };
  readonly taken: { readonly value: number; readonly nights: number };
  readonly rested: { readonly value: number; readonly days: number | undefined };
  readonly used: { readonly value: number; readonly uses: number | undefined };
  readonly gain: number;
}

/** That there is no room for all, and how the places are given. */
export function fleetSentence(
  { budget, chosen, skills }: { readonly budget: ToldAmounts; readonly chosen: number; readonly skills: number },
  say: Say,
): string {
  const holds = say(
    'The budget of this night ({0}) holds {1} of {2} skills.',
    amountsText(budget, say),
    chosen,
    skills,
  );
  return `${holds} ${say('One place in ten goes to those that waited longest, the others by expected gain for the cost.')}`;
}

/** Why a skill has to wait. */
export function laterSentence(name: string, say: Say): string {
  return say(
    '{0} waits for a later night: the budget holds no more, and more is expected of others for the cost.',
    name,
  );
}

/** Why a skill has its place, or in how many nights it has its turn. */
export type ToldPlace = 'waited' | 'worth' | 'left over' | number;

/** The place of a skill and what is expected of it, then each figure that goes into that. */
export function placeSentences(place: ToldPlace, worth: ToldWorth, cost: ToldAmounts, say: Say): string {
  const { room, taken, rested, used, gain } = worth;
  const expected = [`+${(100 * gain).toFixed(1)}`, amountsText(cost, say)] as const;
  return [
    placeSentence(place, expected, say),
    room.isKnown
      ? say('Left to gain: {0}.', percent(room.value))
      : say('Left to gain: {0}, the mean of all.', percent(room.value)),
    taken.nights === 0
      ? say('A night takes {0} of that, told from the others.', percent(taken.value))
      : say(
          'A night takes {0} of that, told from {1} of its own runs and the others.',
          percent(taken.value),
          taken.nights,
        ),
    restSentence(rested, say),
    ...(used.uses === undefined
      ? []
      : [say('Used by agents: {0} times, which counts {1}.', grouped(used.uses), percent(used.value))]),
  ].join(' ');
}

function placeSentence(place: ToldPlace, expected: readonly [points: string, cost: string], say: Say): string {
  switch (place) {
    case 'worth':
      return say('Chosen for the expected gain: {0} points for {1}.', ...expected);
    case 'waited':
      return say('Chosen because it waited longest; expected are {0} points for {1}.', ...expected);
    case 'left over':
      return say('Trained with what others left of the budget; expected were {0} points for {1}.', ...expected);
    case 1:
      return say('Its turn comes in the next night; expected are {0} points for {1}.', ...expected);
    default:
      return say('Its turn comes in about {0} nights; expected are {1} points for {2}.', place, ...expected);
  }
}

function restSentence({ days, value }: ToldWorth['rested'], say: Say): string {
  if (days === undefined) return say('Never tried.');
  return Math.round(days) === 1
    ? say('Last tried a day ago, which counts {0}.', percent(value))
    : say('Last tried {0} days ago, which counts {1}.', Math.round(days), percent(value));
}

/** `62 calls, 31,000 tokens, 0.12 USD`: the units that are known. */
function amountsText({ calls, tokens, usd }: ToldAmounts, say: Say): string {
  return [
    ...(calls === undefined ? [] : [count(calls, 'call', say)]),
    ...(tokens === undefined ? [] : [count(tokens, 'token', say)]),
    ...(usd === undefined ? [] : [`${usdFigure(usd)} USD`]),
  ].join(', ');
}
