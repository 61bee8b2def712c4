import type { Instruction, InstructionKind } from '../instruction.js';
import { numberIn, numberPattern } from '../reading/wording.js';
import { charactersIn, reaches } from '../target/measure.js';
import type { LengthUnit } from '../target/plan.js';
import { amount, isAboutPart, unitIn, unitPattern } from './lengthUnit.js';

const atLeast =
  '(?:never|not)(?: \\w+)? (?:fewer|less) than|at least|no fewer than|no less than|not fewer than|not less than|no shorter than|not shorter than|(?:a )?minimum(?: length)?(?: of| is|:)?|or more than|a good';
const above =
  '(?<!no )(?<!not )(?<!not (?:use|write) )(?<!never (?:use|write) )(?<!have )(?<!\\b(?:not|never) be )(?:more than|longer than|upwards of)';
const patterns: readonly { readonly pattern: RegExp; readonly more: number }[] = [
  { pattern: new RegExp(`\\b(?:${atLeast}) (${numberPattern}) (${unitPattern})\\b`), more: 0 },
  { pattern: new RegExp(`\\b${above} (${numberPattern}) (${unitPattern})\\b`), more: 1 },
  {
    pattern: new RegExp(
      `\\b(${numberPattern})\\+?[ -](${unitPattern})(?: or (?:more|longer)|,? (?:at least|minimum)\\b)`,
    ),
    more: 0,
  },
  { pattern: new RegExp(`(\\d[\\d,]*)\\+ (${unitPattern})\\b`), more: 0 },
];
const thorough =
  /\b(?:be|stay|remain) (?:as )?(?:very )?(?:thorough|comprehensive|exhaustive|detailed|verbose|expansive)\b|\b(?:explain|cover|describe|include|mention) everything\b|\bin(?:to)? (?:great|full|exhaustive|as much|plenty of|rich) (?:detail|depth)\b|\b(?:as much|plenty of|lots of|every) (?:detail|context|background)\b|\b(?:comprehensive|exhaustive|thorough|detailed|long|lengthy) (?:answers?|repl(?:y|ies)|responses?|explanations?)\b|\bleave nothing out\b|\bexplain (?:your|the|all) (?:full )?(?:reasoning|background|thinking)\b|\belaborate on\b/;
const thoroughWords = 400;

/** `At least 200 characters`: a floor. `Be thorough` is 400 words, vaguely, so that it loses against any exact ceiling. */
export const minimumLength: InstructionKind = {
  name: 'minimum length',
  followed: 'The answer goes on until the bound is reached.',
  otherwise: 'It is as long as it happens to be.',
  phrasings: [
    'Write at least 900 words.',
    'The answer has a minimum of 4000 characters.',
    'Use no fewer than 700 words.',
    'Answers are 5000 characters or more.',
    'Write more than 800 words.',
    'There is an 800-word minimum.',
    'Be thorough and explain everything.',
  ],
  read: ({ plain }) => {
    if (isAboutPart(plain)) return [];
    for (const { pattern, more } of patterns) {
      const match = pattern.exec(plain);
      if (match !== null) return [atLeastOf(numberIn(match[1] ?? '') + more, unitIn(match[2] ?? ''))];
    }
    return thorough.test(plain) && !/\b(?:not|never|avoid|no)\b/.test(plain) ? [thoroughly()] : [];
  },
};

function atLeastOf(count: number, unit: LengthUnit): Instruction {
  return {
    kind: minimumLength.name,
    slot: `least ${unit}`,
    vague: false,
    sentence: `Write at least ${amount(count, unit)}.`,
    opposite: 'Keep the answer to at most 3 words.',
    length: { least: charactersIn(unit, count) },
    follow: (plan) => ({ ...plan, least: { ...plan.least, [unit]: count } }),
    heldBy: ({ answer }) => reaches(answer, { [unit]: count }),
  };
}

function thoroughly(): Instruction {
  const exact = atLeastOf(thoroughWords, 'words');
  return { ...exact, vague: true, sentence: 'Be thorough and explain everything.' };
}
