import { type Instruction, type InstructionKind, contraryOf } from '../instruction.js';
import type { Statement } from '../reading/statements.js';
import { denies, quotesIn, contentWords, overlap, itemName, namesIn } from '../reading/wording.js';
import { isAtEnd, isAtStart } from './fixedLines.js';
import { isToolName } from './toolUse.js';
import { buzzwords } from '../target/sentences.js';

const imperative =
  /^(?:always |please |also |then |do |you must |you should |be sure to |make sure to |remember to )*(?:mention|include|contain|use|say|name|cite|quote|state|write|refer to|work in|bring up|repeat|add|spell out)\b/;
const subject =
  /^(?:the|every|each|all|your|an?) (?:\w+ ){0,2}?(?:answers?|repl(?:y|ies)|responses?|outputs?|summar(?:y|ies)|reviews?|reports?|texts?|it) (?:must |should |always |has to |needs? to )*(?:mentions?|includes?|contains?|uses?|names?|cites?|quotes?|states?|refers? to)\b/;
const appears =
  /⟦\d+⟧(?: and ⟦\d+⟧)* (?:must |should |always |has to |have to )*(?:appears?|occurs?|is mentioned|are mentioned|is used|are used|be mentioned|be used)\b/;
const topicVerb =
  /^(?:always |please |also |the (?:answer|reply|response) (?:must |should )?|make sure to |it )?(?:mentions?|explains?|describes?|covers?|discuss(?:es)?|address(?:es)?|identif(?:y|ies)|points? out) (?:that )?((?=[\p{L}\p{N}'-] ?[\p{L}\p{N}'-])[\p{L}\p{N}'-]+(?: [\p{L}\p{N}'-]+){0,11} ?)[.!]?$/u;
const structural =
  /\b(?:sections?|headings?|headers?|tags?|tools?|call|calls|keys?|json|order|before|after|start|begin|lines?|labels?|language)\b/;

/** `Mention “rollback”`: the words occur, letter by letter; `Explain how the cache is cleared`: its topic is covered. */
export const requiredWords: InstructionKind = {
  name: 'required words',
  followed: 'A sentence holds the words; a topic without quotation marks is taken up with its own words.',
  otherwise: 'The words occur only where the task itself has them.',
  phrasings: [
    'Mention “rollback plan”.',
    'Include the phrase “subject to review”.',
    'Always use the term “blast radius”.',
    'The answer contains “breaking change”.',
    'Make sure “error budget” appears in the answer.',
    'Refer to “the style guide”.',
    'Explain how the old data is migrated.',
  ],
  read: (statement) => {
    const { plain } = statement;
    if (denies(plain) || isAtEnd(plain) || isAtStart(plain)) return [];
    const words = wordsIn(statement);
    return words.length > 0 ? words.map(withWord) : topicIn(plain).map(withTopic);
  },
};

function topicIn(plain: string): readonly string[] {
  const topic = plain.includes('⟦') ? '' : (topicVerb.exec(plain)?.[1] ?? '').trim();
  return structural.test(topic) || contentWords(topic).length < 2 ? [] : [topic];
}

function wordsIn(statement: Statement): readonly string[] {
  const bare = statement.plain.replaceAll(/⟦\d+⟧/g, '');
  const asks = imperative.test(bare) || subject.test(bare) || appears.test(statement.plain);
  if (!asks || structural.test(bare)) return [];
  const called = /\buses?\b/.test(bare);
  return quotesIn(statement).filter(
    (quote) =>
      !(called && isToolName(quote)) && !/^\p{L}[^:]{0,40}:(?:$|\s*[<[{]|.*\|)|^<[\w-]+>|^#{1,6} /u.test(quote),
  );
}

/** `word` or `words`, as the text is one or several. */
function wordOrWords(text: string): string {
  return text.includes(' ') ? 'words' : 'word';
}

/** Also what a ban is the contrary of. */
function withWord(text: string): Instruction {
  return {
    slot: `word ${text.toLowerCase()}`,
    sentence: `Always use the ${wordOrWords(text)} “${text}”.`,
    opposite: `Do not use the ${wordOrWords(text)} “${text}”.`,
    follow: (plan) => ({
      ...plan,
      words: [...plan.words, text],
      banned: plan.banned.filter((word) => word.toLowerCase() !== text.toLowerCase()),
    }),
    heldBy: ({ answer }) => answer.toLowerCase().includes(text.toLowerCase()),
  };
}

const topicShare = 0.6; // a topic counts as covered when this share of its words occurs

function withTopic(topic: string): Instruction {
  return {
    slot: `topic ${topic}`,
    vague: true,
    sentence: `Explain ${topic}.`,
    opposite: 'Keep the answer to at most 3 words.',
    follow: (plan) => ({ ...plan, topics: [...plan.topics, topic] }),
    heldBy: ({ answer }) => overlap(topic, answer) >= topicShare,
  };
}

const verb =
  'use|uses|say|says|write|writes|contain|contains|include|includes|mention|mentions|have|has|type|add|adds|open with|start with|begin with|end with';
const forbids = new RegExp(
  `\\b(?:(?:do|does|must|should|shall|may) not|never)(?: ever)? (?:${verb})\\b|^(?:always |please |also )*(?:avoid|omit|leave out|ban|steer clear of|stay away from|keep out|exclude|drop|cut|no use of|refrain from|no (?=⟦))|\\bavoids\\b|\\b(?:without|free of) (?:the (?:words?|phrases?|terms?)|(?:using|saying|writing)|⟦\\d+⟧$)|\\b(?:is|are) (?:banned|forbidden|prohibited|not allowed|off limits|taboo)\\b|\\b(?:must|should|may|do|does) (?:not|never) (?:appear|occur|be used)\\b|\\bnever (?:appears?|occurs?|used)\\b|\\b(?:banned|forbidden|prohibited) (?:words?|phrases?|terms?)\\b`,
);
const listed =
  /\b(?:words?|phrases?|terms?):? ((?:[\p{L}'-]+(?: [\p{L}'-]+)?(?:, (?:and |or )?| and | or ))*[\p{L}'-]+(?: [\p{L}'-]+)?)$/u;
const form = /\b(?:sections?|headings?|headers?|tags?|tools?|labels?|fields?|json|lines?)\b/;
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
      return forbids.test(plain) || /\bno\b/.test(plain) ? [withoutAll(group.name, group.texts)] : [];
    if (!forbids.test(plain) || form.test(plain.replaceAll(/⟦\d+⟧/g, ''))) return [];
    return bannedIn(statement).map(withoutWord);
  },
};

function bannedIn(statement: Statement): readonly string[] {
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
  return contraryOf(withWord(text), (plan) => ({
    ...plan,
    banned: [...plan.banned, text],
    words: plan.words.filter((word) => word.toLowerCase() !== text.toLowerCase()),
  }));
}

function withoutAll(name: string, texts: readonly string[]): Instruction {
  return {
    slot: `words ${name}`,
    sentence: `Do not use ${name}.`,
    opposite: withWord(texts[0] ?? '').sentence,
    follow: (plan) => ({ ...plan, banned: [...plan.banned, ...texts] }),
    heldBy: ({ answer }) => texts.every((text) => !answer.toLowerCase().includes(text.toLowerCase())),
  };
}
