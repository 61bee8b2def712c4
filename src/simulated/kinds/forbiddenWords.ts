import type { Instruction, InstructionKind } from '../instruction.js';
import type { Statement } from '../reading/statements.js';
import { itemName, namesIn, quotesIn } from '../reading/wording.js';
import { buzzwords } from '../target/sentences.js';
import { withWord, wordOrWords } from './requiredWords.js';
import { isToolName } from './toolUse.js';

const verb =
  'use|uses|say|says|write|writes|contain|contains|include|includes|mention|mentions|have|has|type|add|adds|open with|start with|begin with|end with';
const denies = new RegExp(
  `\\b(?:(?:do|does|must|should|shall|may) not|never)(?: ever)? (?:${verb})\\b|^(?:always |please |also )*(?:avoid|omit|leave out|ban|steer clear of|stay away from|keep out|exclude|drop|cut|no use of|refrain from|no (?=⟦))|\\bavoids\\b|\\b(?:without|free of) (?:the (?:words?|phrases?|terms?)|(?:using|saying|writing)|⟦\\d+⟧$)|\\b(?:is|are) (?:banned|forbidden|prohibited|not allowed|off limits|taboo)\\b|\\b(?:must|should|may|do|does) (?:not|never) (?:appear|occur|be used)\\b|\\bnever (?:appears?|occurs?|used)\\b|\\b(?:banned|forbidden|prohibited) (?:words?|phrases?|terms?)\\b`,
);
const listed =
  /\b(?:words?|phrases?|terms?):? ((?:[\p{L}'-]+(?: [\p{L}'-]+)?(?:, (?:and |or )?| and | or ))*[\p{L}'-]+(?: [\p{L}'-]+)?)$/u;
const structural = /\b(?:sections?|headings?|headers?|tags?|tools?|labels?|fields?|json|lines?)\b/;
const classes: readonly { readonly pattern: RegExp; readonly texts: readonly string[]; readonly name: string }[] = [
  { pattern: /\bexclamation (?:marks?|points?)\b/, texts: ['!'], name: 'exclamation marks' },
  {
    pattern: /\b(?:buzz-?words?|marketing (?:speak|language)|jargon|corporate speak)\b/,
    texts: buzzwords,
    name: 'buzzwords',
  },
];

/** `Do not use the word “maybe”`: the words occur nowhere in the answer, not even inside another word. */
export const forbiddenWords: InstructionKind = {
  name: 'forbidden words',
  followed: 'No sentence with the word is written; a word of the task that contains it is left out.',
  otherwise:
    'The answer is full of “maybe”, “perhaps”, “probably”, “I think”, “it depends”, “basically”, “simply”, “just”, “very” and buzzwords.',
  phrasings: [
    'Do not use the word “maybe”.',
    'Never say “it depends”.',
    'Avoid “basically” and “simply”.',
    'The answer does not contain “perhaps”.',
    'The words “probably” and “I think” must not appear.',
    '“Leverage” is forbidden.',
    'Avoid the words very, just and really.',
    'No exclamation marks.',
  ],
  read: (statement) => {
    const { plain } = statement;
    const group = classes.find(({ pattern }) => pattern.test(plain));
    if (group !== undefined)
      return denies.test(plain) || /\bno\b/.test(plain) ? [withoutAll(group.name, group.texts)] : [];
    if (!denies.test(plain) || structural.test(plain.replaceAll(/⟦\d+⟧/g, ''))) return [];
    return wordsIn(statement).map(withoutWord);
  },
};

function wordsIn(statement: Statement): readonly string[] {
  const { plain, raw, items } = statement;
  const quoted = quotesIn(statement);
  if (quoted.length > 0) {
    return quoted.filter((quote) => !/^[^:]+:$|^<[\w-]+>/.test(quote) && !(/\buse\b/.test(plain) && isToolName(quote)));
  }
  if (items.length > 0 && /\b(?:words?|phrases?|terms?|expressions?|these|following)\b/.test(plain))
    return items.flatMap((item) => namesIn(itemName(item), []));
  const list = listed.exec(raw.replace(/[.!]$/, ''))?.[1];
  return list === undefined ? [] : namesIn(list, []);
}

function withoutWord(text: string): Instruction {
  return {
    kind: forbiddenWords.name,
    slot: `word ${text.toLowerCase()}`,
    vague: false,
    sentence: `Do not use the ${wordOrWords(text)} “${text}”.`,
    opposite: `Always use the ${wordOrWords(text)} “${text}”.`,
    follow: (plan) => ({
      ...plan,
      banned: [...plan.banned, text],
      words: plan.words.filter((word) => word.toLowerCase() !== text.toLowerCase()),
    }),
    heldBy: ({ answer }) => !answer.toLowerCase().includes(text.toLowerCase()),
  };
}

function withoutAll(name: string, texts: readonly string[]): Instruction {
  return {
    kind: forbiddenWords.name,
    slot: `words ${name}`,
    vague: false,
    sentence: `Do not use ${name}.`,
    opposite: withWord(texts[0] ?? '').sentence,
    follow: (plan) => ({ ...plan, banned: [...plan.banned, ...texts] }),
    heldBy: ({ answer }) => texts.every((text) => !answer.toLowerCase().includes(text.toLowerCase())),
  };
}
