import type { WorkLimits } from '../ports/agentWork.js';
import type { LanguageModel, ModelRequest, ModelUsage, ToolCall } from '../ports/languageModel.js';
import { remembered } from '../redaction/remembered.js';

/** A fair guess where a backend reports nothing: four characters of Latin text a token, 2.5 of Greek, Cyrillic or Arabic, one of any other script. */
export function guessTokens(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length; at += 1) tokens += weightOf(text.charCodeAt(at));
  return Math.ceil(tokens / wholeToken);
}

const wholeToken = 20;
const latinWeight = 5;
const alphabetWeight = 8; // Greek, Cyrillic, Armenian, Hebrew and Arabic, which tokenizers pack less well

/** In twentieths of a token. Scripts that tokenizers know less of are counted as many, for what is guessed is booked. */
function weightOf(code: number): number {
  if (code < 0x0250) return latinWeight;
  return code < 0x0700 ? alphabetWeight : wholeToken;
}

/** As much of the text, from its start, as {@link guessTokens} calls this many tokens. */
export function withinTokens(text: string, most: number): string {
  let end = 0;
  for (let tokens = 0; end < text.length; end += 1) {
    tokens += weightOf(text.charCodeAt(end));
    if (tokens > most * wholeToken) break;
  }
  return text.slice(0, end);
}

/** How many digits and signs are sent: many tokenizers make a token of each. */
export function signsIn({ messages }: ModelRequest): number {
  return messages.reduce((sum, { content }) => sum + (content.match(/[!-@[-`{-~]/g)?.length ?? 0), 0);
}

/** {@link guessTokens} of everything that is sent. */
export function guessInputTokens(request: ModelRequest): number {
  return sentTexts(request).reduce((sum, text) => sum + guessOnce(text), overhead(request));
}

/** {@link leastTokens} of what is said; how a server words schemas and tools to its model is its own affair. */
export function leastInputTokens({ messages }: ModelRequest): number {
  return messages.reduce((sum, { content }) => sum + leastOnce(content), 0);
}

const guessOnce = countedOnce(guessTokens);
const leastOnce = countedOnce(leastTokens);

/** What is sent is counted at every call, and a run sends the same skill with every task. */
function countedOnce(count: (text: string) => number): (text: string) => number {
  const [texts, shortest, longest] = [32, 500, 100_000];
  const known = remembered(count, texts);
  return (text) => (text.length < shortest || text.length > longest ? count(text) : known(text));
}

/**
 * The fewest tokens that a tokenizer in use makes of a text: one for each word, however short or common, for each three
 * digits, and for each four signs of a script without spaces. Signs between words count for nothing: they may be part of
 * a word's token.
 */
export function leastTokens(text: string): number {
  if (isAscii.test(text)) return leastOfAscii(text);
  let tokens = 0;
  for (const [piece] of text.matchAll(/\p{N}+|[\p{L}\p{M}]+/gu))
    tokens += Math.ceil(piece.length / longestToken(piece));
  return tokens;
}

// oxlint-disable-next-line no-control-regex -- all of ASCII
const isAscii = /^[\0-\x7f]*$/;

/** The same without the tables of Unicode. */
function leastOfAscii(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length;) {
    const start = at;
    while (isLetter(text.charCodeAt(at))) at += 1;
    tokens += Math.ceil((at - start) / longestWord);
    const number = at;
    while (isDigit(text.charCodeAt(at))) at += 1;
    tokens += Math.ceil((at - number) / longestNumber);
    if (at === start) at += 1;
  }
  return tokens;
}

function longestToken(piece: string): number {
  if (/^\p{N}/u.test(piece)) return longestNumber;
  return /[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u2E80-\uD7FF\uF900-\uFAFF]/.test(piece) ? 4 : longestWord;
}

const longestNumber = 3;
const longestWord = 16;

/** The worst case of one call: as long a prompt as it could be, an answer up to its limit, and what the model adds to both. */
export function worstUsage(
  request: ModelRequest,
  { takesMore }: Pick<LanguageModel, 'takesMore'> = {},
  count = mostTokens,
): ModelUsage {
  if (request.work !== undefined) return workWorst(request.work.limits);
  const more = takesMore?.(request) ?? { inputTokens: 0, outputTokens: 0 };
  return {
    inputTokens: mostInputTokens(request, count) + more.inputTokens,
    outputTokens: request.maxOutputTokens + more.outputTokens,
    exact: false,
  };
}

/** Work in a folder has its own limit, of which a quarter is set aside for what is written; it is ended where it takes more. */
export function workWorst({ maxTokens }: WorkLimits): ModelUsage {
  const outputTokens = Math.ceil(maxTokens / 4);
  return { inputTokens: maxTokens - outputTokens, outputTokens, exact: false };
}

/**
 * A ceiling on the tokens of a request: at most two letters of a word a token, and every digit, every sign, every letter
 * of no word and every byte beyond ASCII its own. About twice the truth on prose; only the bytes of
 * the text would be a stricter one, and they would block caps at four times the truth.
 */
export function mostInputTokens(request: ModelRequest, count = mostTokens): number {
  return sentTexts(request).reduce((sum, text) => sum + count(text), overhead(request));
}

/** Counted sign by sign: every request is, and every task before a run. */
export function mostTokens(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    const end = isLetter(code) ? endOfWord(text, at) : isBlank(code) ? endOfBlanks(text, at) : at + 1;
    if (isLetter(code)) tokens += mostOfWord(text, at, end);
    else if (isBlank(code)) tokens += Math.ceil((end - at) / 4);
    else tokens += bytesOf(code, text.charCodeAt(at - 1));
    at = end;
  }
  return tokens;
}

/** A word is small letters, with one capital before them at most, or capitals alone. */
function endOfWord(text: string, start: number): number {
  let end = start + 1;
  const isCapital = isCapitalLetter(text.charCodeAt(start)) && !isSmallLetter(text.charCodeAt(end));
  const belongs = isCapital ? isCapitalLetter : isSmallLetter;
  while (belongs(text.charCodeAt(end))) end += 1;
  return end;
}

function endOfBlanks(text: string, start: number): number {
  let end = start + 1;
  while (isBlank(text.charCodeAt(end))) end += 1;
  return end;
}

/** Half of its letters where it can be spoken: with a vowel, and no five letters in a row without one. */
function mostOfWord(text: string, start: number, end: number): number {
  const letters = end - start;
  let [vowels, silent, longestSilent] = [0, 0, 0];
  for (let at = start; at < end; at += 1) {
    const isVowel = ((vowelBits >> ((text.charCodeAt(at) | 0x20) - 0x61)) & 1) === 1;
    vowels += isVowel ? 1 : 0;
    silent = isVowel ? 0 : silent + 1;
    longestSilent = Math.max(longestSilent, silent);
  }
  return vowels > 0 && longestSilent < 5 ? Math.ceil(letters / 2) : letters;
}

const vowelBits = Array.from('aeiouy').reduce((bits, letter) => bits | (1 << (letter.charCodeAt(0) - 0x61)), 0); // a bit a letter

/** Of one UTF-16 unit, as UTF-8; the second half of a pair has what the first leaves of its four, and a lone half is three. */
function bytesOf(code: number, before: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code >= 0xdc00 && code < 0xe000 && before >= 0xd800 && before < 0xdc00 ? 1 : 3;
}

function isSmallLetter(code: number): boolean {
  return code >= 0x61 && code <= 0x7a;
}

function isCapitalLetter(code: number): boolean {
  return code >= 0x41 && code <= 0x5a;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isLetter(code: number): boolean {
  return isSmallLetter(code) || isCapitalLetter(code);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

function overhead(request: ModelRequest): number {
  const framed = request.messages.length + callsIn(request).length;
  return 16 + 8 * framed + 16 * (request.tools?.length ?? 0); // role markers and templates
}

function callsIn({ messages }: ModelRequest): readonly ToolCall[] {
  return messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
}

/** Whatever goes over the wire is paid for, be it an id. */
function sentTexts(request: ModelRequest): readonly string[] {
  return [
    ...request.messages.map((message) => message.content),
    ...request.messages.map((message) => (message.role === 'tool' ? message.toolCallId : '')),
    ...callsIn(request).map((call) => call.id + call.name + call.arguments),
    ...(request.tools === undefined ? [] : [JSON.stringify(request.tools)]),
    ...(request.replySchema === undefined ? [] : [JSON.stringify(request.replySchema, undefined, 2)]),
  ];
}
