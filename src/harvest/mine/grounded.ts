import { tokensOf } from '../../tasks/split/similarity.js';
import type { CheckSpec } from '../../tasks/task.js';
import type { Session } from '../session.js';
import { marksOf } from './instructions.js';
import { contentOf, type CountedRequest } from './intents.js';
import { minedTask, type MinedTask } from './minedTask.js';
import { ownWords } from './ownWords.js';

/** A task as a model proposes it. */
export interface ProposedTask {
  /** The number of the request that it was made of, as the model was shown it. */
  readonly request: number;
  readonly prompt: string;
  readonly expectations: readonly string[];
  readonly checks: readonly CheckSpec[];
}

/** Why nothing is taken of a proposed task. */
export type WhyRefused = 'no-such-request' | 'not-asked' | 'nothing-to-fail';

export type Grounded =
  | { readonly kind: 'task'; readonly task: MinedTask; readonly dropped: number }
  | { readonly kind: 'refused'; readonly why: WhyRefused };

/**
 * Takes of what a model proposes only what stands on the words of the person: a prompt that they did not ask, a criterion
 * that they did not state and a check of another kind are refused, whoever told the model to write them. The answers of
 * agents are no ground, nor is a message that carries instructions, not even for itself; and what the person quotes of
 * somebody may be in a prompt, but no criterion stands on it.
 */
export function groundTask(
  proposed: ProposedTask,
  requests: readonly CountedRequest[],
  session: Pick<Session, 'exchanges'>,
): Grounded {
  const request = requests[proposed.request - 1];
  if (request === undefined) return { kind: 'refused', why: 'no-such-request' };
  const said = session.exchanges.filter(({ by }) => by !== 'program').map(({ asked }) => asked);
  const clean = said.filter((words) => marksOf(words).length === 0);
  if (!isAsked(proposed.prompt, request.asked, clean)) return { kind: 'refused', why: 'not-asked' };
  const ground = groundOf(clean.map(ownWords));
  const expectations = proposed.expectations.filter((each) => isStated(each, ground)).map(trimmed);
  const checks = proposed.checks.filter((check) => isLawful(check, ground));
  if (expectations.length + checks.length === 0) return { kind: 'refused', why: 'nothing-to-fail' };
  const dropped = proposed.expectations.length + proposed.checks.length - expectations.length - checks.length;
  // Who was spoken to by one of the texts may have been led by it in what it wrote of the others.
  const beside = session.exchanges.flatMap(({ asked, answer }) => [...marksOf(asked), ...marksOf(answer)]);
  const task = minedTask({ prompt: proposed.prompt.trim(), expectations, checks, request }, beside);
  return { kind: 'task', task, dropped };
}

const asked = 0.8; // of the words of a prompt
const stated = 0.5; // of the words of a criterion: it is in the miner's own sentence
const fewestWords = 2;
const longestSentence = 500;

/**
 * Most of its words are the person's, and enough of them are of the very request. One that carries instructions is a
 * prompt whole or not at all: a part of it may be what only the instructions say.
 */
function isAsked(prompt: string, request: string, others: readonly string[]): boolean {
  const words = contentOf(prompt);
  if (words.size < fewestWords || marksOf(request).length > 0) return prompt.trim() === request.trim();
  const own = contentOf(request);
  const all = new Set([...own, ...others.flatMap((text) => [...contentOf(text)])]);
  return shareIn(words, all) >= asked && shareIn(words, own) >= stated;
}

interface Ground {
  /** The texts, as they were written. */
  readonly texts: readonly string[];
  readonly words: ReadonlySet<string>;
  /** Every text as its words in their order, to find phrases in. */
  readonly phrases: readonly string[];
}

function groundOf(texts: readonly string[]): Ground {
  return {
    texts,
    words: new Set(texts.flatMap((text) => [...contentOf(text)])),
    phrases: texts.map(phraseOf),
  };
}

function phraseOf(text: string): string {
  return ` ${tokensOf(text).join(' ')} `;
}

function isStated(sentence: string, ground: Ground): boolean {
  if (sentence.trim() === '' || sentence.length > longestSentence || marksOf(sentence).length > 0) return false;
  const words = new Set([...contentOf(sentence)].filter((word) => !ofCriteria.has(word)));
  return (
    words.size > 0 &&
    shareIn(words, ground.words) >= stated &&
    quotedIn(sentence).every((text) => isSaid(text, ground)) &&
    isOfPlainSigns(sentence, ground) &&
    isSaidAsWell(sentence, ground)
  );
}

/** Letters, numbers that were said and the signs of a sentence; any other sign, seen or not, only where it was written. */
function isOfPlainSigns(sentence: string, { texts, words }: Ground): boolean {
  const others = sentence.match(
    /[^\p{L}\p{M}\p{N} .,:;!?'"“”‘’„«»()\-–—…、。，：；？！「」『』%]|\p{Default_Ignorable_Code_Point}/gu,
  );
  const numbers = sentence.match(/\p{N}+/gu) ?? [];
  return (
    (others ?? []).every((sign) => texts.some((text) => text.includes(sign))) &&
    numbers.every((number) => words.has(number) || texts.some((text) => text.includes(number)))
  );
}

/** A wish is not turned into its contrary: who says “no” in a criterion repeats somebody who wanted something gone. */
function isSaidAsWell(sentence: string, { texts }: Ground): boolean {
  return !negation.test(sentence) || texts.some((text) => negation.test(text) || removal.test(text));
}

const negation =
  /\b(?:no|not|never|without|none|nor|nicht|kein\w*|ohne|nie|ne|pas|sans|jamais|sin|nunca|ni)\b|n['’]t\b|[不没沒無无]|ない|ません|なし/iu;
const removal =
  /\b(?:leave|left|drop|remove|avoid|omit|skip|stop|delete|cut|weglassen|entfern\w*|vermeide\w*|supprime\w*|évite\w*|enlève\w*|quita\w*|evita\w*|elimina\w*)\b|[去删刪避]|削除|やめ/iu;

/** What a criterion quotes word for word was said word for word. */
function quotedIn(sentence: string): readonly string[] {
  return [...sentence.matchAll(/[“"「『]([^”"」』\n]{2,200})[”"」』]/gu)].map(([, text = '']) => text);
}

function isSaid(text: string, { phrases }: Ground): boolean {
  const phrase = phraseOf(text);
  return phrase.trim() !== '' && phrases.some((said) => said.includes(phrase));
}

/** How criteria are put, whatever they are about. */
const ofCriteria = new Set(
  'answer reply response text output mention include contain name say state list begin start end give keep stay only every each must never always first last least most about exactly'.split(
    ' ',
  ),
);

function shareIn(words: ReadonlySet<string>, ground: ReadonlySet<string>): number {
  return words.size === 0 ? 0 : [...words].filter((word) => ground.has(word)).length / words.size;
}

/**
 * The kinds of checks that a miner may propose, each with what of it the person must have said. None of them runs a
 * program, and none is an expression.
 */
const lawful: Readonly<Record<string, (given: CheckSpec['arguments'], ground: Ground) => boolean>> = {
  contains: ({ text }, ground) => isSaidText(text, ground),
  not_contains: ({ text }, ground) => isSaidText(text, ground),
  section_present: ({ heading }, ground) => isSaidText(heading, ground),
  section_contains: ({ heading, text }, ground) => isSaidText(heading, ground) && isSaidText(text, ground),
  max_chars: ({ limit }, ground) => isSaidText(limit, ground),
  min_chars: ({ limit }, ground) => isSaidText(limit, ground),
  no_refusal: () => true,
};

function isLawful({ check, hidden, arguments: given }: CheckSpec, ground: Ground): boolean {
  if (hidden || !Object.hasOwn(lawful, check)) return false;
  return lawful[check]?.(given, ground) === true && Object.keys(given).every((name) => known.has(name));
}

const known = new Set(['text', 'heading', 'limit']);

/** A text stands in what was said letter for letter, and is long enough to be about something. */
function isSaidText(value: unknown, ground: Ground): boolean {
  if (typeof value === 'number') return isSaid(String(value), ground);
  if (typeof value !== 'string' || value.length < (/^[\0-\x7F]*$/u.test(value) ? shortestText : 2)) return false;
  const letters = value.toLowerCase();
  return isSaid(value, ground) && ground.texts.some((text) => text.toLowerCase().includes(letters));
}

const shortestText = 3;

function trimmed(text: string): string {
  return text.trim();
}
