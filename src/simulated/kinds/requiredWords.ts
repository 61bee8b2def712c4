import type { Instruction, InstructionKind } from '../instruction.js';
import type { Statement } from '../reading/statements.js';
import { denies, quotesIn } from '../reading/wording.js';
import { contentWords, overlap } from '../reading/contentWords.js';
import { isAtEnd } from './closingLine.js';
import { isAtStart } from './openingLine.js';
import { isToolName } from './toolUse.js';

const imperative =
  /^(?:always |please |also |then |do |you must |you should |be sure to |make sure to |remember to )*(?:mention|include|contain|use|say|name|cite|quote|state|write|refer to|work in|bring up|repeat|add|spell out)\b/;
const subject =
  /^(?:the|every|each|all|your|an?) (?:\w+ ){0,2}?(?:answers?|repl(?:y|ies)|responses?|outputs?|summar(?:y|ies)|reviews?|reports?|texts?|it) (?:must |should |always |has to |needs? to )*(?:mentions?|includes?|contains?|uses?|names?|cites?|quotes?|states?|refers? to)\b/;
const appears =
  /⟦\d+⟧(?: and ⟦\d+⟧)* (?:must |should |always |has to |have to )*(?:appears?|occurs?|is mentioned|are mentioned|is used|are used|be mentioned|be used)\b/;
const topicVerb =
  /^(?:always |please |also |the (?:answer|reply|response) (?:must |should )?|make sure to |it )?(?:mentions?|explains?|describes?|covers?|discuss(?:es)?|address(?:es)?|identif(?:y|ies)|points? out) (?:that )?((?:[\p{L}\p{N}'-]+ ?){2,12})[.!]?$/u;
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
export function wordOrWords(text: string): string {
  return text.includes(' ') ? 'words' : 'word';
}

/** Also what a ban is the contrary of. */
export function withWord(text: string): Instruction {
  return {
    kind: requiredWords.name,
    slot: `word ${text.toLowerCase()}`,
    vague: false,
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
    kind: requiredWords.name,
    slot: `topic ${topic}`,
    vague: true,
    sentence: `Explain ${topic}.`,
    opposite: 'Keep the answer to at most 3 words.',
    follow: (plan) => ({ ...plan, topics: [...plan.topics, topic] }),
    heldBy: ({ answer }) => overlap(topic, answer) >= topicShare,
  };
}
