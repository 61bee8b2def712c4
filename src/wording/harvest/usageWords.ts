import { grouped } from '../amounts.js';
import type { Say } from '../translate.js';

/** How often a skill was used in past sessions, and what it takes. */
export interface UsedSkill {
  readonly fired: number;
  readonly corrected: number;
  readonly tokens: { readonly listed: number; readonly body: number; readonly aMessage: number };
}

/** `used 5 times, corrected 2 times · about 120 tokens a message`. */
export function usageWords(skill: UsedSkill, say: Say): string {
  return [usesWords(skill, say), say('about {0} tokens a message', grouped(skill.tokens.aMessage))].join(' · ');
}

/** The same for a row that has little room: `5× · 2 corrected · 120 tokens`. */
export function usageFigures({ fired, corrected, tokens }: UsedSkill, say: Say): string {
  return [
    fired === 0 ? say('never used') : `${grouped(fired)}×`,
    ...(corrected === 0 ? [] : [say('{0} corrected', grouped(corrected))]),
    say('{0} tokens', grouped(tokens.aMessage)),
  ].join(' · ');
}

function usesWords({ fired, corrected }: UsedSkill, say: Say): string {
  if (fired === 0) return say('never used');
  const used = fired === 1 ? say('used once') : say('used {0} times', grouped(fired));
  if (corrected === 0) return used;
  const wrong = corrected === 1 ? say('corrected once') : say('corrected {0} times', grouped(corrected));
  return `${used}, ${wrong}`;
}

/** What stands beside a skill where one is chosen for training; undefined where nothing speaks for or against it. */
export function trainingDetail(
  { waits, usage }: { readonly waits: boolean; readonly usage: UsedSkill | undefined },
  say: Say,
): string | undefined {
  return waits ? say('a proposal waits: review it before you train again') : trainingReason(usage, say);
}

/** Why a skill is offered before others: `used 6 times, corrected 2 times in your sessions`. */
function trainingReason(skill: UsedSkill | undefined, say: Say): string | undefined {
  if (skill === undefined || skill.corrected === 0) return undefined;
  return say('{0} in your sessions: training it is likely to pay', usesWords(skill, say));
}

/** What the figures mean, for a tooltip. */
export function usageSentences({ fired, corrected, tokens }: UsedSkill, say: Say): readonly string[] {
  const cost = say(
    'Agents are told its name and description with every message, about {0} tokens; its text, about {1}, each time it is used.',
    grouped(tokens.listed),
    grouped(tokens.body),
  );
  if (fired === 0) return [say('No session that was read used this skill.'), cost];
  return corrected === 0
    ? [cost]
    : [say('After some of its answers you said that something was wrong: train it first.'), cost];
}
