import { followFirstPace } from '../../engine/journal/pace/firstPace.js';
import type { RunEvent } from '../../engine/journal/runEvents.js';
import type { Preflight } from '../../app/runs/preflight.js';
import { paceSentence } from '../../wording/preflight/paidInTime.js';
import { exactText } from '../../wording/shownText.js';

/** What is typed to have the run another way. */
interface TypedParts {
  readonly skill: string;
  /** The options that name its models. */
  readonly models: string;
  /** How a run that was left goes on. */
  readonly resume: string;
  /** Whether the preset `quick` would make it shorter. */
  readonly mayBeQuick: boolean;
}

/**
 * Where time is the price: says after the first calls how long the run takes, how it is left and gone on with, and what
 * would be shorter. Undefined at every other event, and of a run whose price is money.
 */
export function firstPaceText(
  { paidInTime, usual }: Pick<Preflight, 'paidInTime' | 'usual'>,
  typed: TypedParts,
): (event: RunEvent, at: number) => string | undefined {
  if (paidInTime === undefined) return () => undefined;
  const follow = followFirstPace(usual);
  return (event, at) => {
    const told = follow(event, at);
    if (told === undefined) return undefined;
    return [paceSentence(told), ...(told.minutes > shortMinutes ? waysOut(typed) : [])].join('\n');
  };
}

const shortMinutes = 2;

function waysOut({ skill, models, resume, mayBeQuick }: TypedParts): readonly string[] {
  const fewer = `“whetstone tasks disable ${exactText(skill)} <task>” leaves a task out`;
  const quick = `“whetstone optimize ${exactText(skill)} --preset quick${models}” is shorter`;
  return [
    `It can be left with Ctrl+C: ${resume} goes on where it stopped.`,
    mayBeQuick ? `If that is too long: ${quick}, and ${fewer}.` : `If that is too long: ${fewer}.`,
  ];
}
