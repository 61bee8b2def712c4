import type { Instruction, InstructionKind } from '../instruction.js';
import { languages, languageOf } from '../target/phrasebook.js';

const names = languages.map((language) => language.name);
const asks = new RegExp(
  `^(?:always |only )*(?:use|speak|write) (${names.join('|')})\\b|\\b(?:answers?|repl(?:y|ies)|respond(?:s)?|responses?|write|written|writes|speak|output|use|stay|is|are|text|everything|translate[sd]?|language|draft)\\b[^.]*?\\b(?:(?:in|into|to|as)(?: the)?|language:?|language (?:of (?:the|your|every) \\w+ )?(?:is|must be|should be)) (${names.join('|')})\\b`,
  'i',
);
const named = new RegExp(`\\blanguage\\b[^.]*\\b(?:is|must be|should be):? (${names.join('|')})\\b`, 'i');
const denied = /\b(?:not|never|avoid|no)\b/;

/** `Answer in German`: the sentences are of that language; headings, labels and quoted words stay as they were asked for. */
export const language: InstructionKind = {
  name: 'language',
  followed: `The sentences are ${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}.`,
  otherwise: 'The answer is English.',
  phrasings: [
    'Answer in German.',
    'Write everything in French.',
    'Reply only in Spanish.',
    'The answer is in Italian.',
    'Use Portuguese.',
    'Respond to the reader in Dutch.',
    'All responses are written in Japanese.',
  ],
  read: ({ plain }) => {
    const match = asks.exec(plain) ?? named.exec(plain);
    const name = match?.[1] ?? match?.[2];
    if (name === undefined || denied.test(plain)) return [];
    return [inLanguage(name.charAt(0).toUpperCase() + name.slice(1).toLowerCase())];
  },
};

function inLanguage(name: string): Instruction {
  return {
    slot: 'language',
    sentence: `Answer in ${name}.`,
    opposite: name === 'English' ? 'Answer in German.' : 'Answer in English.',
    follow: (plan) => ({ ...plan, language: name }),
    heldBy: ({ answer }) => languageOf(answer) === name,
  };
}
