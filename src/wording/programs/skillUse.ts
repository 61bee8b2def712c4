import { count } from '../amounts.js';
import type { Say } from '../translate.js';

/** In how many attempts an agent used a skill that it was offered; counted from the attempts. */
export interface SkillUse {
  readonly used: number;
  readonly of: number;
}

/** Whether the skill was used at all; undefined where it always was, or nothing is known. */
export function skillUseSentence(use: SkillUse | undefined, say: Say): string | undefined {
  if (use === undefined || use.used === use.of) return undefined;
  if (use.used > 0)
    return say(
      'The skill was used in {0} of {1}: in the others the agent decided otherwise, by its description alone.',
      use.used,
      count(use.of, 'attempt', say),
    );
  return say(
    'The skill was never used, in none of {0}: an agent decides by its description whether it uses it. Say there what the skill is for and when to use it; no rule in its text can change that.',
    count(use.of, 'attempt', say),
  );
}

/** The same in a few words. */
export function skillUseWords({ used, of }: SkillUse, say: Say): string {
  return say('used in {0} of {1}', used, count(of, 'attempt', say));
}
