import type { Tone } from '../session.js';
import { eastern } from './eastern.js';
import { ofRules, quotedWords, ruleSentences, wishesForm } from './formWish.js';
import { western } from './western.js';

/** What a part of a sentence says of the answer before it; weak words count where no strong one stands beside them. */
export type Sign = 'good' | 'bad' | 'rather-good' | 'rather-bad' | undefined;

/**
 * What a person's next message says of the answer before it, in English, Chinese, Japanese, German, French or Spanish.
 * One that only asks for another form of that answer says that it was not right. Undefined where it says nothing about it: most messages are requests, and words such as "wrong" or "undo" stand in those
 * as well. So only the beginning is read, part by part, and a part counts where it speaks of the answer.
 */
export function toneOf(message: string): Tone | undefined {
  const parts = partsOf(message);
  const signs = new Set(parts.map(signOf));
  if (signs.has('good') && signs.has('bad')) return 'mixed';
  if (signs.has('good')) return wishesMore(message) ? 'mixed' : 'positive';
  if (signs.has('bad')) return 'negative';
  if (signs.has('rather-good') !== signs.has('rather-bad')) return signs.has('rather-good') ? 'positive' : 'negative';
  return asksForm(message) ? 'negative' : undefined;
}

/** “Perfect, but mention the removed interface too.” */
function wishesMore(message: string): boolean {
  const wish = /[,;.!]?\s(?:but|aber|mais|pero)\s(.{1,160})$/isu.exec(message.trim())?.[1];
  return wish !== undefined && asksForm(wish);
}

/** A few words in quotes, or a link, may be what the answer is to say: “end with a line that starts with “Upgrade:””. */
function asksForm(message: string): boolean {
  const plain = message.trim().slice(0, mostRead).replaceAll(/[’]/gu, "'");
  const told = plain.replaceAll(links, quotedWords).replaceAll(quoted, quotedWords).replaceAll(ruleSentences, ofRules);
  const parts = partsOf(told);
  return message.trim().length <= longestWish && isPlain(told) && parts.length < mostParts && wishesForm(parts);
}

const links = /\bhttps?:\/\/[^\s"“”<>()]{1,200}[^\s"“”<>().,;:!?]/gu;
const quoted = /„[^„“”\n]{1,40}[“”]|“[^“”\n]{1,40}”|"[^"\n]{1,40}"|«[^«»\n]{1,40}»|「[^「」\n]{1,40}」/gu;

/** One that asks nothing, and shows nothing of its own: what is quoted or pasted may be what is worked on. */
function isPlain(message: string): boolean {
  return !/[?？`"“”„«»\n/\\<>{}@#]/u.test(message.trim());
}

const longestWish = 160; // characters

function signOf(part: string): Sign {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(part) ? eastern(part) : western(part);
}

const mostRead = 240;
const mostParts = 6;

/** Parts between marks and words that set against each other, without questions, in small letters. */
function partsOf(message: string): readonly string[] {
  const start = message.trimStart().slice(0, mostRead).toLowerCase().replaceAll('’', "'");
  return [...start.matchAll(/([^.!?,;:。！？，；、\n…—]+)([.!?,;:。！？，；、\n…—]*)/gu)]
    .filter(([, , mark = '']) => !/[?？]/u.test(mark))
    .flatMap(([, words = '']) => words.split(between))
    .map((part) => part.trim().replaceAll(/\s+/gu, ' '))
    .filter((part) => part !== '')
    .slice(0, mostParts);
}

const between =
  /\s(?:but|and|because|though|although|aber|und|weil|mais|et|car|parce que|pero|y|porque)\s|但是|但|可是|不过|けど|が、/u;
