import type { Instruction, InstructionKind } from '../instruction.js';
import { numberIn, numberPattern } from '../reading/wording.js';
import { charactersIn, isWithin, reaches } from '../target/measure.js';
import type { LengthUnit } from '../target/plan.js';

/** How one side of the length is said: exactly, by number and unit, or as a wish. */
interface Bound {
  /** Each with the number and the unit as its groups; `add` makes “under 10” a ceiling of 9. */
  readonly patterns: readonly { readonly pattern: RegExp; readonly add: number }[];
  readonly wish: RegExp;
  /** Words beside the wish that turn it round. */
  readonly unless: RegExp;
  readonly exactly: (count: number, unit: LengthUnit) => Instruction;
  readonly vaguely: () => Instruction;
}

function reading({ patterns, wish, unless, exactly, vaguely }: Bound): InstructionKind['read'] {
  return ({ plain }) => {
    if (isAboutPart(plain)) return [];
    for (const { pattern, add } of patterns) {
      const match = pattern.exec(plain);
      if (match !== null) return [exactly(numberIn(match[1] ?? '') + add, unitIn(match[2] ?? ''))];
    }
    return wish.test(plain) && !unless.test(plain) ? [vaguely()] : [];
  };
}

/** A unit of length as a piece of a regular expression without groups. */
const unitPattern = '(?:words?|characters?|chars?|letters|sentences?|lines?|paragraphs?)';

/** The unit that {@link unitPattern} matched. */
function unitIn(word: string): LengthUnit {
  if (word.startsWith('word')) return 'words';
  if (word.startsWith('sentence')) return 'sentences';
  if (word.startsWith('line')) return 'lines';
  if (word.startsWith('paragraph')) return 'paragraphs';
  return 'characters';
}

/** `1 word`, `2 words`. */
function amount(count: number, unit: LengthUnit): string {
  return `${count} ${count === 1 ? unit.slice(0, -1) : unit}`;
}

/** A bound on a part (each bullet, the title) is no bound on the answer, and is not understood. */
function isAboutPart(plain: string): boolean {
  return /\b(?:each|every|per)\s+(?:\w+\s+)?(?:bullets?|items?|sections?|paragraphs?|sentences?|lines?|points?|steps?|rows?|entry|entries)\b|\b(?:title|subject|headline|heading|summary|tl;dr|section|introduction)\b/.test(
    plain,
  );
}

const atMost =
  'at most|no more than|not be (?:longer|more) than|never be (?:longer|more) than|(?:cap|limit|ceiling|budget|maximum|max)(?: length)?:|no \\w+ (?:may|must|should|can|ever) exceeds?|not more than|no longer than|not longer than|up to|within|(?:a )?maximum(?: length)?(?: of| is|:)?|max\\.?|limit(?:ed)?(?: \\w+){0,3} (?:to|of|is)|capped at|cap(?: \\w+){0,3} at|not exceed|never exceed(?:s|ing)?|exceeds? no|not go (?:over|beyond|above)|never go (?:over|beyond|above)|not over|keep(?:s)?(?: \\w+){0,4} to|stay(?:s)?(?: \\w+){0,2} at|does not have more than|do not (?:use|write) more than|never (?:use|write) more than';
const below = '(?<!\\b(?:no|not|never)(?: \\w+)? )(?:fewer than|less than|shorter than|under|below)';
const verbs = 'answer|reply|respond|write|summari[sz]e|explain|say|put it|fit|deliver|finish|answers? (?:is|are)';
const gap = `(?: (?:about|of|the|a|an|exactly|only|${numberPattern} (?:or|to)))*`;

const ceilings: Bound['patterns'] = [
  { pattern: new RegExp(`\\b(?:${atMost})${gap} (${numberPattern}) (${unitPattern})\\b`), add: 0 },
  { pattern: new RegExp(`${below}${gap} (${numberPattern}) (${unitPattern})\\b`), add: -1 },
  {
    pattern: new RegExp(
      `(?<!at least )\\b(${numberPattern})[ -](${unitPattern})(?: or (?:fewer|less|under)|,? (?:at most|max(?:imum)?|tops|limit|cap|ceiling|budget)\\b)`,
    ),
    add: 0,
  },
  {
    pattern: new RegExp(
      `\\b(?:${verbs})(?: \\w+){0,4} (?:in|into|with|using)${gap} (${numberPattern}) (${unitPattern})\\b`,
    ),
    add: 0,
  },
];
const brief =
  /\b(?:be|keep|stay|write|remain|answers?|repl(?:y|ies))\b[^.]*\b(?:brief|briefly|short|concise|concisely|succinct|terse|tersely)\b(?! (?:description|list|sentence|summary))/;
const briefWords = 80;

/** `At most 120 words`: a ceiling in characters, words, sentences, lines or paragraphs. `Be brief` is 80 words, vaguely. */
export const maximumLength: InstructionKind = {
  name: 'maximum length',
  followed: 'The answer stays within the bound, and fills most of it.',
  otherwise: 'It rambles for about 1,700 to 2,600 characters.',
  phrasings: [
    'Keep the answer under 120 words.',
    'Use at most 600 characters.',
    'Never exceed 5 sentences.',
    'The answer has no more than ten lines.',
    'Limit yourself to 90 words.',
    'Reply in 80 words or fewer.',
    'There is a 700-character limit.',
    'Answer in two sentences.',
    'Be brief.',
  ],
  read: reading({
    patterns: ceilings,
    wish: brief,
    unless: /\bnot\b|\bnever\b|\btoo\b/,
    exactly: atMostOf,
    vaguely: briefly,
  }),
};

function atMostOf(count: number, unit: LengthUnit): Instruction {
  return {
    slot: `most ${unit}`,
    sentence: `Keep the answer to at most ${amount(count, unit)}.`,
    opposite: `Write at least ${Math.max(2000, Math.ceil(charactersIn(unit, count)))} words.`,
    length: { most: charactersIn(unit, count) },
    follow: (plan) => ({ ...plan, most: { ...plan.most, [unit]: count } }),
    heldBy: ({ answer }) => isWithin(answer, { [unit]: count }),
  };
}

function briefly(): Instruction {
  return { ...atMostOf(briefWords, 'words'), vague: true, sentence: 'Keep the answer short.' };
}

const atLeast =
  '(?:never|not)(?: \\w+)? (?:fewer|less) than|at least|no fewer than|no less than|not fewer than|not less than|no shorter than|not shorter than|(?:a )?minimum(?: length)?(?: of| is|:)?|or more than|a good';
const above =
  '(?<!no )(?<!not )(?<!not (?:use|write) )(?<!never (?:use|write) )(?<!have )(?<!\\b(?:not|never) be )(?:more than|longer than|upwards of)';
const floors: Bound['patterns'] = [
  { pattern: new RegExp(`\\b(?:${atLeast}) (${numberPattern}) (${unitPattern})\\b`), add: 0 },
  { pattern: new RegExp(`\\b${above} (${numberPattern}) (${unitPattern})\\b`), add: 1 },
  {
    pattern: new RegExp(
      `\\b(${numberPattern})\\+?[ -](${unitPattern})(?: or (?:more|longer)|,? (?:at least|minimum)\\b)`,
    ),
    add: 0,
  },
  { pattern: new RegExp(`(\\d[\\d,]*)\\+ (${unitPattern})\\b`), add: 0 },
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
  read: reading({
    patterns: floors,
    wish: thorough,
    unless: /\b(?:not|never|avoid|no)\b/,
    exactly: atLeastOf,
    vaguely: thoroughly,
  }),
};

function atLeastOf(count: number, unit: LengthUnit): Instruction {
  return {
    slot: `least ${unit}`,
    sentence: `Write at least ${amount(count, unit)}.`,
    opposite: 'Keep the answer to at most 3 words.',
    length: { least: charactersIn(unit, count) },
    follow: (plan) => ({ ...plan, least: { ...plan.least, [unit]: count } }),
    heldBy: ({ answer }) => reaches(answer, { [unit]: count }),
  };
}

function thoroughly(): Instruction {
  return { ...atLeastOf(thoroughWords, 'words'), vague: true, sentence: 'Be thorough and explain everything.' };
}
