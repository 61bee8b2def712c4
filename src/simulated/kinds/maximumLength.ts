import type { Instruction, InstructionKind } from '../instruction.js';
import { numberIn, numberPattern } from '../reading/wording.js';
import { charactersIn, isWithin } from '../target/measure.js';
import type { LengthUnit } from '../target/plan.js';
import { amount, isAboutPart, unitIn, unitPattern } from './lengthUnit.js';

const atMost =
  'at most|no more than|not be (?:longer|more) than|never be (?:longer|more) than|(?:cap|limit|ceiling|budget|maximum|max)(?: length)?:|no \\w+ (?:may|must|should|can|ever) exceeds?|not more than|no longer than|not longer than|up to|within|(?:a )?maximum(?: length)?(?: of| is|:)?|max\\.?|limit(?:ed)?(?: \\w+){0,3} (?:to|of|is)|capped at|cap(?: \\w+){0,3} at|not exceed|never exceed(?:s|ing)?|exceeds? no|not go (?:over|beyond|above)|never go (?:over|beyond|above)|not over|keep(?:s)?(?: \\w+){0,4} to|stay(?:s)?(?: \\w+){0,2} at|does not have more than|do not (?:use|write) more than|never (?:use|write) more than';
const below = '(?<!\\b(?:no|not|never)(?: \\w+)? )(?:fewer than|less than|shorter than|under|below)';
const verbs = 'answer|reply|respond|write|summari[sz]e|explain|say|put it|fit|deliver|finish|answers? (?:is|are)';
const gap = `(?: (?:about|of|the|a|an|exactly|only|${numberPattern} (?:or|to)))*`;

const patterns: readonly { readonly pattern: RegExp; readonly less: number }[] = [
  { pattern: new RegExp(`\\b(?:${atMost})${gap} (${numberPattern}) (${unitPattern})\\b`), less: 0 },
  { pattern: new RegExp(`${below}${gap} (${numberPattern}) (${unitPattern})\\b`), less: 1 },
  {
    pattern: new RegExp(
      `(?<!at least )\\b(${numberPattern})[ -](${unitPattern})(?: or (?:fewer|less|under)|,? (?:at most|max(?:imum)?|tops|limit|cap|ceiling|budget)\\b)`,
    ),
    less: 0,
  },
  {
    pattern: new RegExp(
      `\\b(?:${verbs})(?: \\w+){0,4} (?:in|into|with|using)${gap} (${numberPattern}) (${unitPattern})\\b`,
    ),
    less: 0,
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
  read: ({ plain }) => {
    if (isAboutPart(plain)) return [];
    for (const { pattern, less } of patterns) {
      const match = pattern.exec(plain);
      if (match !== null) return [atMostOf(numberIn(match[1] ?? '') - less, unitIn(match[2] ?? ''))];
    }
    return brief.test(plain) && !/\bnot\b|\bnever\b|\btoo\b/.test(plain) ? [briefly()] : [];
  },
};

function atMostOf(count: number, unit: LengthUnit): Instruction {
  return {
    kind: maximumLength.name,
    slot: `most ${unit}`,
    vague: false,
    sentence: `Keep the answer to at most ${amount(count, unit)}.`,
    opposite: `Write at least ${Math.max(2000, Math.ceil(charactersIn(unit, count)))} words.`,
    length: { most: charactersIn(unit, count) },
    follow: (plan) => ({ ...plan, most: { ...plan.most, [unit]: count } }),
    heldBy: ({ answer }) => isWithin(answer, { [unit]: count }),
  };
}

function briefly(): Instruction {
  const exact = atMostOf(briefWords, 'words');
  return { ...exact, vague: true, sentence: 'Keep the answer short.' };
}
