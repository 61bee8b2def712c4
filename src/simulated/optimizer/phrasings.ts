import { chanceOf } from '../chance.js';
import { type Instruction, isSame } from '../instruction.js';
import { readInstructions } from '../reading/readInstructions.js';
import type { SkillVoice } from './skillVoice.js';

/**
 * An instruction as the skill itself would say it. Only what reads back as that instruction and nothing else is said, so
 * that the target understands it; where no phrasing does, the canonical sentence stands.
 */
export function inVoice(instruction: Instruction, voice: SkillVoice): string {
  return waysToSay(instruction, voice).find((way) => saysOnly(way, instruction)) ?? instruction.sentence;
}

/** The same as a point of the skill's own lists. */
export function asListItem(instruction: Instruction, voice: SkillVoice): string {
  const sentence = inVoice(instruction, voice);
  const bare = sentence.replace(/\.$/, '');
  return `${voice.marker} ${voice.fullStops || !saysOnly(bare, instruction) ? sentence : bare}`;
}

function saysOnly(sentence: string, instruction: Instruction): boolean {
  const read = readInstructions(sentence);
  return (
    read.length === 1 && read.every((each) => each.condition === undefined && isSame(each.instruction, instruction))
  );
}

/** A kind of instruction by its canonical sentence, and how people say it. `$1` is what it is about. */
interface Phrasing {
  readonly canonical: RegExp;
  readonly imperative: readonly string[];
  readonly descriptive: readonly string[];
}

const phrasings: readonly Phrasing[] = [
  {
    canonical: /^Always use the words? (“[\p{L}\p{N}'’-]+(?: [\p{L}\p{N}'’-]+){0,2} ?”)\.$/u,
    imperative: ['Mention $1 by name, so that nobody has to ask.', 'Mention $1 outright; people look for it.'],
    descriptive: ['Every {product} mentions $1 by name.'],
  },
  {
    canonical: /^Always use the words? (“.+”)\.$/,
    imperative: ['Say $1 in so many words.'],
    descriptive: ['$1 is mentioned in so many words.'],
  },
  {
    canonical: /^Do not use the words? (“.+”)\.$/,
    imperative: ['Leave out $1; it tells the reader nothing.', 'Avoid $1 and say what you mean.'],
    descriptive: ['The {product} never uses $1.'],
  },
  {
    canonical: /^Include a line that starts with (“.+:”)\.$/,
    imperative: [
      'Give $1 a line of its own, so that it is found at a glance.',
      'Put $1 on a line of its own, where nobody overlooks it.',
    ],
    descriptive: ['Every {product} carries $1 on a line of its own.'],
  },
  {
    canonical: /^Include a line that starts with (“.+:”) followed by one of (.+)\.$/,
    imperative: ['Give $1 a line of its own, either $2.'],
    descriptive: ['Every {product} carries $1 on a line of its own, either $2.'],
  },
  {
    canonical: /^End with a line that starts with (“.+:”)\.$/,
    imperative: ['Close the {product} with a line for $1.'],
    descriptive: ['Every {product} ends with a line for $1.'],
  },
  {
    canonical: /^End with a line that starts with (“.+:”) followed by one of (.+)\.$/,
    imperative: ['Close the {product} with a line for $1, either $2.'],
    descriptive: ['Every {product} ends with a line for $1, either $2.'],
  },
  {
    canonical: /^End with a line that reads (“.+”)\.$/,
    imperative: ['Close the {product} with $1.'],
    descriptive: ['Every {product} ends with $1.'],
  },
  {
    canonical: /^Start with a line that starts with (“.+:”) followed by one of (.+)\.$/,
    imperative: ['Open with a line for $1, either $2.'],
    descriptive: ['The answer opens with a line for $1, either $2.'],
  },
  {
    canonical: /^Start with a line that starts with (“.+:”)\.$/,
    imperative: ['Open with a line for $1.'],
    descriptive: ['The answer opens with a line for $1.'],
  },
  {
    canonical: /^Include a section headed (“.+”)\.$/,
    imperative: ['Give $1 a section of its own.', 'Add $1 as a section of its own, so that it is not overlooked.'],
    descriptive: ['Every {product} has $1 as a section of its own.'],
  },
  {
    canonical: /^Keep the answer to at most (.+)\.$/,
    imperative: ['Keep the {product} to at most $1, and let what matters most come first.'],
    descriptive: ['The {product} has at most $1.'],
  },
  {
    canonical: /^Keep the answer to at most (.+)\.$/,
    imperative: ['Keep the whole text to at most $1, and let what matters most come first.'],
    descriptive: ['The whole text has at most $1.'],
  },
  {
    canonical: /^Write at least (.+)\.$/,
    imperative: ['Take the room that it needs, and write at least $1.'],
    descriptive: ['The {product} has at least $1.'],
  },
  {
    canonical: /^Call the tool “(?:search|query)[_-]?([A-Za-z][\w-]*)” before answering\.$/,
    imperative: ['Search the {thing} with `{tool}` before you answer.'],
    descriptive: ['`{tool}` is called for the {thing} before answering.'],
  },
  {
    canonical: /^Call the tool “(?:get|find|fetch|read|load|lookup|look_up)[_-]?([A-Za-z][\w-]*)” before answering\.$/,
    imperative: ['Look up the {thing} with `{tool}` before you answer.'],
    descriptive: ['`{tool}` is called for the {thing} before answering.'],
  },
  {
    canonical: /^Call the tool “(.+)” before answering\.$/,
    imperative: ['Call `{tool}` before you answer.'],
    descriptive: ['`{tool}` is called before answering.'],
  },
];

/** Every way that fits in the mood of the skill, those of the closest kind first. */
function waysToSay({ sentence, slot }: Instruction, voice: SkillVoice): readonly string[] {
  return phrasings.flatMap((phrasing) => {
    const match = phrasing.canonical.exec(sentence);
    if (match === null) return [];
    const [, first = '', second = ''] = match;
    const ways = phrasing[voice.mood];
    // By the slot alone: two replies must say the same thing in the same words.
    return chanceOf(slot)
      .shuffle('ways', ways)
      .map((way) => filledIn(way, { first, second, tool: toolIn(sentence), product: voice.product }));
  });
}

function filledIn(
  way: string,
  { first, second, tool, product }: Readonly<Record<'first' | 'second' | 'tool' | 'product', string>>,
): string {
  const words: Readonly<Record<string, string>> = {
    $1: first,
    $2: second,
    '{tool}': tool,
    '{thing}': spelledOut(first),
    '{product}': product,
  };
  return way.replaceAll(/\$[12]|\{\w+\}/g, (slot) => words[slot] ?? slot);
}

function toolIn(canonical: string): string {
  return /“(.+)”/.exec(canonical)?.[1] ?? '';
}

/** `help_center` and `helpCenter` are a help center. */
function spelledOut(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
    .toLowerCase();
}
