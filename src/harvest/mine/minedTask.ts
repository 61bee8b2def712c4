import { sha256 } from '../../hash.js';
import type { CheckSpec } from '../../tasks/task.js';
import type { Session } from '../session.js';
import { marksOf, type Mark } from './instructions.js';
import { contentOf, type CountedRequest } from './intents.js';
import { ownWords } from './ownWords.js';

/** A task that was made of a request; a draft until a person says that it is one. */
export interface MinedTask {
  readonly prompt: string;
  /** In one sentence each what only a reader can judge. */
  readonly expectations: readonly string[];
  readonly checks: readonly CheckSpec[];
  readonly request: CountedRequest;
  /** What in it speaks to those who work on it; a task with any is never chosen for a person, and no night uses it. */
  readonly marks: readonly Mark[];
}

/** What a task is made of, whoever made it. */
export type TaskParts = Pick<MinedTask, 'prompt' | 'expectations' | 'checks' | 'request'>;

/** Looks whether it carries instructions; `beside` are the marks of its session. */
export function minedTask({ prompt, expectations, checks, request }: TaskParts, beside: readonly Mark[]): MinedTask {
  const texts = [prompt, ...expectations, ...checks.map(({ arguments: given }) => JSON.stringify(given))];
  return {
    prompt,
    expectations,
    checks,
    request,
    marks: [...new Set([...texts.flatMap(marksOf), ...beside])],
  };
}

/**
 * The marks of all that was said in a session, by the person and by the agent. A task has them whoever made it: who was
 * spoken to by one of the texts may have been led by it, and where somebody tried once, a person looks at all of it.
 */
export function marksBeside({ exchanges }: Pick<Session, 'exchanges'>): readonly Mark[] {
  return [...new Set(exchanges.flatMap(({ asked, answer }) => [...marksOf(asked), ...marksOf(answer)]))];
}

/**
 * A request as a task, without a model: what the person corrected is expected of the next answer, in their words and not
 * in those of somebody whom they quote. Where they corrected nothing, it is what they asked for that is expected.
 */
export function taskByRules(request: CountedRequest, beside: readonly Mark[]): MinedTask {
  const remarks = remarksOn(request);
  const expectations = remarks.length === 0 ? [asAsked] : remarks.map(asHeeded);
  return minedTask({ prompt: request.asked, expectations, checks: [], request }, beside);
}

/** What the person said was wrong with the answers to a request, in their own words, each in one line. */
export function remarksOn({ corrections }: CountedRequest): readonly string[] {
  const remarks = corrections
    .filter((remark) => marksOf(remark).length === 0)
    .map((remark) => ({ remark, own: oneLine(ownWords(remark)) }))
    .filter(({ remark, own }) => own === oneLine(remark) || own.length >= shortestRest)
    .map(({ own }) => withoutJoint(own));
  return remarks.filter((remark, at) => !remarks.some((other, place) => saysAllOf(other, remark, place < at)));
}

/** Without the word that joined it to what was said before it, which is no part of what is wanted. */
export function withoutJoint(said: string): string {
  const rest = said.replace(/^(?:and|und|et|y),?\s+(?=\p{L})/iu, '');
  return rest !== said && /^\p{Lu}/u.test(said) ? rest.charAt(0).toUpperCase() + rest.slice(1) : rest;
}

/** Whether every sentence of one stands in the other: a person who is not heeded says it again, with more beside it. */
function saysAllOf(other: string, remark: string, isEarlier: boolean): boolean {
  const [said, wanted] = [sentencesOf(other), sentencesOf(remark)];
  if (wanted.size === 0 || other === remark) return other === remark && isEarlier;
  return [...wanted].every((sentence) => said.has(sentence)) && (said.size > wanted.size || isEarlier);
}

function sentencesOf(remark: string): ReadonlySet<string> {
  const sentences = remark.toLowerCase().split(/[.!?。！？]+\s*/u);
  return new Set(sentences.map((each) => each.replace(insistence, '').trim()).filter((each) => each !== ''));
}

const insistence =
  /^(?:it is |it's |this is |that is )?(?:still|again|immer noch|noch immer|toujours|encore|todavía|aún|还是|仍然|まだ)[ ,]*/u;

const shortestRest = 16; // characters: what is left beside a quotation must still say something

export function asHeeded(remark: string): string {
  return `The answer heeds what was said of an earlier one: “${remark}”`;
}

export const asAsked = 'The answer does everything that the request asks for, and leaves out what it excludes.';

const mostIdWords = 3;
const longestWord = 20;
const digits = 12; // two with the same words must not share a name: the second would be dropped

/** Of its own words; those of its skill, which all of its tasks have, tell none apart. */
export function taskIdOf(prompt: string, skillName: string): string {
  const ofSkill = contentOf(skillName.replaceAll(/[-_]/gu, ' '));
  const all = [...contentOf(prompt.slice(0, 200))];
  const own = all.filter((word) => !ofSkill.has(word) && !toAsk.has(word));
  const first = (own.length === 0 ? all : own).slice(0, mostIdWords).map((word) => word.slice(0, longestWord));
  return [...first, sha256(prompt).slice(0, digits)].join('-');
}

/** How requests begin, whatever they are about. */
const toAsk = new Set('write draft create make please version'.split(' '));

export function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}
