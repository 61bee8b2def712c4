import { canonicalHash } from '../canonicalHash.js';
import { mapInSteps, type Steps } from '../steps.js';
import type { Task } from '../task.js';
import type { Bond } from './nearDuplicates.js';
import { isTypo } from './typo.js';
import { isCharacter, tokensOf } from './similarity.js';
import { visibleText } from './visibleText.js';

/** Tasks that are one task but for a slip, and tasks that are so unless a number says otherwise. */
interface Slips {
  /** The same task: they must lie on one side. */
  readonly bonds: readonly Bond[];
  /** Told apart by numbers alone, which may be what the task is about: each is a task, and proves less. */
  readonly numbered: readonly Bond[];
}

type SlipTask = Omit<Task, 'contentHash'>;

/**
 * Finds, in time linear in their number, tasks that are judged alike and whose texts a slip of the pen tells apart,
 * however many of them there are: marks or spaces inside words; letters inside the words of a long text; one running
 * number in a long text that rules alone judge, since what is right for one is then right for all. Any other difference
 * of numbers ("Convert 3 km to miles") is taken for content and named. A different word is always content, as are
 * different fixtures and whatever an answer is judged by.
 */
export function* slipsAmong(tasks: readonly SlipTask[]): Steps<Slips> {
  const keys = yield* mapInSteps(tasks, keysOf);
  const bonds: Bond[] = [...groupedBy(keys.map(({ squeezed }) => squeezed))];
  const numbered: Bond[] = [];
  for (const group of groupedBy(keys.map(({ masked }) => masked))) {
    const texts = yield* mapInSteps(group, (index) => textOf(tasks[index]));
    const varying = varyingNumbers(texts);
    if (isRunningNumber(tasks[group[0] ?? -1], texts[0], varying)) bonds.push(group);
    else if (varying > 0) numbered.push(group);
  }
  for (const end of ['first', 'last'] as const) {
    for (const group of groupedBy(keys.map((key) => key[end]))) {
      for (const cluster of yield* clustersIn(group, tasks)) bonds.push(...sameButForTypos(cluster, tasks));
    }
  }
  return { bonds, numbered };
}

/** What tasks are looked up by; undefined where the text is too short for what is looked for. */
interface Keys {
  /** Letters and numbers without what stands between the letters. */
  readonly squeezed: string | undefined;
  /** Words with every number left out. */
  readonly masked: string | undefined;
  /** The first letters of the words, and the last: most typos leave one of the two as it was. */
  readonly first: string | undefined;
  readonly last: string | undefined;
}

interface SlipText {
  readonly tokens: readonly string[];
  /** The same with a sign for each number. */
  readonly masked: readonly string[];
  readonly isLong: boolean;
}

const mostTokens = 2000; // as many as near duplicates are compared by
const mostCharacters = mostTokens * 64;
const longText = 15; // Words; in a shorter text a letter or a number may be all that it is about.
const charactersOfAWord = 2; // in scripts without spaces
const mostLeaders = 16; // Texts of one shape that the next one is compared with.
const number = /^\p{L}*\p{N}+$/u; // 8037, and ref8037
const digits = /\p{N}+$/u;
const lastDigit = /\p{N}$/u; // one alone: a row of them is looked at once
// The look ahead first: each of many marks on one letter would look back to it.
const insideWord = /(?=[\p{P}\p{S}])(?<=\p{L}\p{M}*)[\p{P}\p{S}]+(?=\p{L})/gu;
const judges = new Set(['rubric', 'command']); // checks that may see more than the answer

function keysOf(task: SlipTask): Keys {
  const { tokens, masked, isLong } = textOf(task);
  const judged = judgedAs(task);
  const key = (kind: string, words: readonly string[]): string => canonicalHash([kind, words, judged]);
  if (tokens.length === 0) return { squeezed: undefined, masked: undefined, first: undefined, last: undefined };
  return {
    squeezed: key('squeezed', [withoutSpaces(tokens)]),
    masked: masked.some((token, at) => token !== tokens[at]) ? key('masked', masked) : undefined,
    first: isLong ? key('first', masked.map(firstLetter)) : undefined,
    last: isLong ? key('last', masked.map(lastLetter)) : undefined,
  };
}

/** Everything that makes a right answer right, beside the words that are compared. */
function judgedAs(task: SlipTask): string {
  const { expectedOutput, expectations, references, checks, files, system, tools, environment, agent } = task;
  const rules = checks.map(({ check, arguments: given }) => [check, given]);
  return canonicalHash([
    expectedOutput,
    expectations,
    references,
    rules,
    files,
    system,
    tools,
    environment,
    agent?.fixture,
  ]);
}

function textOf(task: SlipTask | undefined): SlipText {
  const text = task === undefined ? '' : [task.prompt, task.context ?? ''].join('\n');
  const whole = visibleText(text).slice(0, mostCharacters).replace(insideWord, '');
  const tokens = tokensOf(whole).slice(0, mostTokens);
  const masked = tokens.map((token) => (number.test(token) ? token.replace(digits, '#') : token));
  const characters = tokens.filter(isCharacter).length;
  return { tokens, masked, isLong: tokens.length - characters + characters / charactersOfAWord >= longText };
}

/** Neighbouring numbers stay two: 1 and 23 are not 12 and 3. */
function withoutSpaces(tokens: readonly string[]): string {
  return tokens.map((token) => (lastDigit.test(token) ? ` ${token} ` : token)).join('');
}

function firstLetter(token: string): string {
  return token.slice(0, 1);
}

function lastLetter(token: string): string {
  return token.slice(-1);
}

function groupedBy(keys: readonly (string | undefined)[]): readonly number[][] {
  const groups = new Map<string, number[]>();
  keys.forEach((key, index) => {
    if (key === undefined) return;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [index]);
    else group.push(index);
  });
  return [...groups.values()].filter((group) => group.length > 1);
}

/** At how many places texts of one shape have different numbers. */
function varyingNumbers(texts: readonly SlipText[]): number {
  const [first, ...others] = texts;
  return (first?.tokens ?? []).filter(
    (token, at) => number.test(token) && others.some(({ tokens }) => tokens[at] !== token),
  ).length;
}

/** One number that tells long texts apart, where only rules judge the answer, and the same ones: it changes nothing. */
function isRunningNumber(task: SlipTask | undefined, text: SlipText | undefined, varying: number): boolean {
  if (task === undefined || text === undefined || !text.isLong || varying !== 1) return false;
  return (
    task.expectations.length === 0 && task.checks.length > 0 && !task.checks.some(({ check }) => judges.has(check))
  );
}

interface Member {
  readonly index: number;
  readonly text: SlipText;
}

/** Texts of one shape that are the same but for letters inside words, each beside the first of its kind. */
function* clustersIn(group: readonly number[], tasks: readonly SlipTask[]): Steps<readonly (readonly Member[])[]> {
  const clusters: Member[][] = [];
  yield* mapInSteps(group, (index) => {
    const member = { index, text: textOf(tasks[index]) };
    const own = clusters.find(([leader]) => leader !== undefined && isMisspelt(leader.text, member.text));
    if (own !== undefined) own.push(member);
    else if (clusters.length < mostLeaders) clusters.push([member]);
  });
  return clusters.filter((cluster) => cluster.length > 1);
}

function isMisspelt(first: SlipText, second: SlipText): boolean {
  if (first.masked.length !== second.masked.length) return false;
  return first.masked.every((token, at) => {
    const other = second.masked[at] ?? '';
    return token === other || (!token.endsWith('#') && isTypo(token, other));
  });
}

/** All of them, or, where more numbers differ than one that runs, those with the same numbers. */
function sameButForTypos(cluster: readonly Member[], tasks: readonly SlipTask[]): readonly Bond[] {
  const texts = cluster.map(({ text }) => text);
  const varying = varyingNumbers(texts);
  const all = cluster.map(({ index }) => index);
  if (varying === 0 || isRunningNumber(tasks[all[0] ?? -1], texts[0], varying)) return [all];
  const numbers = texts.map(({ tokens }) => tokens.filter((token) => number.test(token)).join(' '));
  return groupedBy(numbers).map((group) => group.map((at) => all[at] ?? 0));
}
