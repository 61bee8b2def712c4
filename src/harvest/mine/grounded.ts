import { tokensOf } from '../../tasks/split/similarity.js';
import type { CheckSpec } from '../../tasks/task.js';
import type { Session } from '../session.js';
import { marksOf } from './instructions.js';
import { contentOf, type CountedRequest } from './intents.js';
import {
  asAsked,
  asHeeded,
  marksBeside,
  minedTask,
  oneLine,
  remarksOn,
  withoutJoint,
  type MinedTask,
} from './minedTask.js';
import { ownWords } from './ownWords.js';
import { groundOf, isSaidLength, isSaidToBe, isStated, type SaidWords } from './stated.js';

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

export type GroundingResult =
  | { readonly kind: 'task'; readonly task: MinedTask; readonly dropped: number }
  | { readonly kind: 'refused'; readonly why: WhyRefused };

/**
 * Takes of what a model proposes only what stands on the words of the person: a prompt that they did not ask, a criterion
 * that they did not state and a check of another kind are refused, whoever told the model to write them. The answers of
 * agents are no ground, nor is a message that carries instructions, not even for itself; and what the person quotes of
 * somebody may be in a prompt, but no criterion stands on it. What they said was wrong with an answer is kept in their
 * words where no criterion that was taken says it.
 */
export function groundTask(
  proposed: ProposedTask,
  requests: readonly CountedRequest[],
  session: Pick<Session, 'exchanges'>,
): GroundingResult {
  const request = requests[proposed.request - 1];
  if (request === undefined) return { kind: 'refused', why: 'no-such-request' };
  const said = session.exchanges.filter(({ by }) => by !== 'program').map(({ asked }) => asked);
  const clean = said.filter((words) => marksOf(words).length === 0);
  if (!isAsked(proposed.prompt, request.asked, clean)) return { kind: 'refused', why: 'not-asked' };
  const ground = groundOf(clean.map(ownWords), request.asked);
  const offered = new Set(proposed.expectations.slice(0, mostOffered).map(trimmed));
  const own = [...offered].filter((each) => isCriterion(each, ground));
  const stated = own.slice(0, mostCriteria);
  const looked = proposed.checks.slice(0, mostOffered);
  const lawful = looked.filter((check) => isLawful(check, ground));
  const checks = lawful.slice(0, mostCriteria);
  // What is said twice, or behind enough, is no criterion that was never stated.
  const dropped = offered.size - own.length + (looked.length - lawful.length);
  const expectations = eachOnce(stated, unsaid(request, stated, checks));
  if (expectations.length + checks.length === 0) return { kind: 'refused', why: 'nothing-to-fail' };
  const prompt = promptOf(proposed.prompt, request.asked);
  const task = minedTask({ prompt, expectations, checks, request }, marksBeside(session));
  return { kind: 'task', task, dropped };
}

const mostOffered = 100; // criteria of each form: what a model says behind so many is not looked at
const mostCriteria = 12; // of each form that a task has

const asked = 0.8; // of the words of a prompt
const ofRequest = 0.5; // of them
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
  return shareIn(words, all) >= asked && shareIn(words, own) >= ofRequest;
}

/** Whole sentences of the request as they stand there; of any other words the request itself: they may say the contrary. */
function promptOf(prompt: string, request: string): string {
  const [piece, whole] = [oneLine(prompt), oneLine(request)];
  const at = whole.indexOf(piece);
  const rest = whole.slice(at + piece.length);
  const isPiece =
    at >= 0 && /(?:^|[.!?。！？]\s?)$/u.test(whole.slice(0, at)) && (rest === '' || /[.!?。！？]$/u.test(piece));
  return isPiece ? prompt.trim() : request.trim();
}

/** What the person wants otherwise, and no criterion says; where they said nothing and no criterion is left, what they asked. */
function unsaid(request: CountedRequest, stated: readonly string[], checks: readonly CheckSpec[]): readonly string[] {
  const remarks = remarksOn(request);
  const taken = contentOf(
    [...stated, ...checks.map(({ arguments: given }) => Object.values(given).join(' '))].join('\n'),
  );
  const kept = remarks.filter((remark) =>
    [...contentOf(remark)].some((word) => !taken.has(word) && !judging.has(word)),
  );
  if (kept.length > 0) return kept.map(asHeeded);
  return stated.length === 0 && remarks.length === 0 && checks.length > 0 ? [asAsked] : [];
}

/** Each once: neither what a remark that is kept whole says too, nor what stands whole in another sentence of them. */
function eachOnce(stated: readonly string[], remarks: readonly string[]): readonly string[] {
  const said = remarks.map(contentOf);
  const alone = stated.filter((each) => !said.some((words) => isWithin(contentOf(each), words)));
  const all = [...alone, ...remarks];
  const phrases = all.map(phraseOf);
  return all.filter((_, at) => {
    const own = phrases[at] ?? '';
    return !phrases.some((other, place) => place !== at && other.includes(own) && (other !== own || place < at));
  });
}

function isWithin(words: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return words.size > 0 && [...words].every((word) => others.has(word));
}

/** What is said of an answer, and not of the next one. */
const judging = new Set(
  'wrong right correct still bad again must should shall want wanted mean meant expect expected falsch richtig nein muss soll wollte gewollt meinte gemeint habe hab faux non voulais mal quería'.split(
    ' ',
  ),
);

/** Said, and with no sign in it, seen or not, that the person did not write. */
function isCriterion(sentence: string, ground: SaidWords): boolean {
  if (sentence.trim() === '' || sentence.length > longestSentence || marksOf(sentence).length > 0) return false;
  return (
    isOfPlainSigns(sentence, ground) &&
    quotedIn(sentence).every((text) => isSaid(text, ground)) &&
    isStated(sentence, ground)
  );
}

/** Letters, numbers and the signs of a sentence; any other sign only where it was written. */
function isOfPlainSigns(sentence: string, { texts }: SaidWords): boolean {
  const others = sentence.match(
    /[^\p{L}\p{M}\p{N} .,:;!?'"“”‘’„«»()\-–—…、。，：；？！「」『』%]|\p{Default_Ignorable_Code_Point}/gu,
  );
  return (others ?? []).every((sign) => texts.some((text) => text.includes(sign)));
}

/** What a criterion quotes word for word was said word for word. */
function quotedIn(sentence: string): readonly string[] {
  return [...sentence.matchAll(/[“"「『]([^”"」』\n]{2,200})[”"」』]/gu)].map(([, text = '']) => text);
}

function isSaid(text: string, { texts }: SaidWords): boolean {
  const phrase = phraseOf(text);
  return phrase.trim() !== '' && texts.some((said) => phraseOf(said).includes(phrase));
}

function phraseOf(text: string): string {
  return ` ${tokensOf(text).join(' ')} `;
}

function shareIn(words: ReadonlySet<string>, ground: ReadonlySet<string>): number {
  return words.size === 0 ? 0 : [...words].filter((word) => ground.has(word)).length / words.size;
}

/**
 * The kinds of checks that a miner may propose, each with what of it the person must have said. None of them runs a
 * program, and none is an expression.
 */
const lawful: Readonly<Record<string, (given: CheckSpec['arguments'], ground: SaidWords) => boolean>> = {
  contains: ({ text }, ground) => isSaidText(text, 'wanted', ground),
  not_contains: ({ text }, ground) => isSaidText(text, 'unwanted', ground),
  section_present: ({ heading }, ground) => isSaidText(heading, 'wanted', ground),
  section_contains: ({ heading, text }, ground) =>
    isSaidText(heading, 'wanted', ground) && isSaidText(text, 'wanted', ground),
  max_chars: ({ limit }, ground) => typeof limit === 'number' && isSaidLength('≤', limit, ground),
  min_chars: ({ limit }, ground) => typeof limit === 'number' && isSaidLength('≥', limit, ground),
  no_refusal: () => true,
};

function isLawful({ check, hidden, arguments: given }: CheckSpec, ground: SaidWords): boolean {
  if (hidden || !Object.hasOwn(lawful, check)) return false;
  return lawful[check]?.(given, ground) === true && Object.keys(given).every((name) => known.has(name));
}

const known = new Set(['text', 'heading', 'limit']);

/** A text stands in what was said letter for letter and in that sense, and is long enough to be about something. */
function isSaidText(value: unknown, sense: 'wanted' | 'unwanted', ground: SaidWords): boolean {
  if (typeof value !== 'string' || value.length < (/^[\0-\x7F]*$/u.test(value) ? shortestText : 2)) return false;
  const letters = value.toLowerCase();
  return (
    isSaid(value, ground) &&
    ground.texts.some((text) => text.toLowerCase().includes(letters)) &&
    isSaidToBe(sense, value, ground)
  );
}

const shortestText = 3;

function trimmed(text: string): string {
  return withoutJoint(text.trim());
}
