import type { Failure } from './reflectionPrompt.js';

/** Why an edit is proposed: how many attempts failed, and what was wrong with them. */
export function rationaleOf({ count, criterion }: Failure): string {
  return `${count} ${count === 1 ? 'attempt' : 'attempts'} failed: ${whatWasWrong(criterion)}`;
}

const turned: readonly { readonly met: RegExp; readonly missed: string }[] = [
  { met: /^The answer has at most (.+)$/, missed: 'the answer was longer than $1' },
  { met: /^The answer has at least (.+)$/, missed: 'the answer was shorter than $1' },
  { met: /^The answer contains (.+)$/, missed: 'the answer did not contain $1' },
  { met: /^The answer does not contain (.+)$/, missed: 'the answer contained $1' },
  { met: /^The answer ends with (.+)$/, missed: 'the answer did not end with $1' },
  { met: /^The answer (?:starts|begins) with (.+)$/, missed: 'the answer did not start with $1' },
  { met: /^The answer is not (.+)$/, missed: 'the answer was $1' },
  { met: /^The answer is (.+)$/, missed: 'the answer was not $1' },
  { met: /^The tool (“[^”]+”) is called (.+)$/, missed: 'the tool $1 was not called $2' },
  { met: /^The tool (“[^”]+”) is not called(.*)$/, missed: 'the tool $1 was called$2' },
];

/** A criterion turned into what failed it; a wording that is not known is quoted as it is. */
function whatWasWrong(criterion: string): string {
  const known = turned.find(({ met }) => met.test(criterion));
  return known === undefined ? `this did not hold: ${criterion}` : criterion.replace(known.met, known.missed);
}
