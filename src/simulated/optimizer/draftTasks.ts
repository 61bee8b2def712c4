import { instructionsIn, readInstructions } from '../reading/readInstructions.js';
import { contentWords } from '../reading/wording.js';
import { promptBlocks } from '../reading/promptBlocks.js';
import { sentencesOf } from '../reading/statements.js';
import { malformedChoice } from './misbehaviour.js';
import type { OptimizerHabits } from './reflect.js';
import { budgetIn } from './reflectionPrompt.js';
import type { Chance } from '../chance.js';
import { type Instruction, resolve } from '../instruction.js';
import { blocksOf } from '../reading/blocks.js';

const shownOfKnown = 60; // characters; prompts that begin alike are the same request
const shortestRequest = 12; // characters; below this it is a remark, not a job

/**
 * Drafts tasks from past sessions: what the person asked first is the task, what they corrected is expected of it.
 * Without any session it works from the skill alone. What exists already is not drafted again.
 */
export function draftTasks(prompt: string, habits: OptimizerHabits): string {
  if (habits.chance.fraction('reply') < habits.shares.malformed) return malformedChoice(habits.chance);
  const { blocks, outside } = promptBlocks(prompt);
  const budget = Math.max(1, budgetIn(outside));
  const given = (known: string): string => blocks.find(({ name }) => name === known)?.text ?? '';
  const sessions = blocks.filter(({ name }) => name !== 'skill' && name !== 'known').map(({ text }) => saidBy(text));
  const fromSessions = sessions.flatMap(([request, ...remarks]) =>
    request === undefined || request.length < shortestRequest ? [] : [taskOf(request, remarks, habits)],
  );
  const drafts = sessions.length > 0 ? fromSessions : draftFromSkill(given('skill'), 2 * budget, habits.chance);
  const fresh = drafts.filter(({ prompt: text }) => !given('known').includes(text.slice(0, shownOfKnown)));
  return JSON.stringify({ tasks: fresh.slice(0, budget) }, null, 2);
}

/** What the person said, turn by turn: lines marked as theirs, else the whole text. */
function saidBy(text: string): readonly string[] {
  const turns: string[] = [];
  let [start, told] = [0, 0];
  for (const line of text.split('\n')) {
    const at = start + line.length - line.trimStart().length;
    const [whole, said] = at < told ? [] : turnAt(text, at);
    if (whole !== undefined) told = at + whole.length; // what is said may stand on the next line
    if (said !== undefined) turns.push(said.trim());
    start += line.length + 1;
  }
  return turns.length > 0 ? turns : text.trim() === '' ? [] : [text.trim()];
}

/** Looked for at the beginnings of lines alone. */
function turnAt(text: string, at: number): readonly (string | undefined)[] {
  const turn = /(?:[-*]\s+)?(?:user|person|human|me)\s*[:>]\s*(.+)/iy;
  turn.lastIndex = at;
  return turn.exec(text) ?? [];
}

function taskOf(request: string, remarks: readonly string[], { chance }: OptimizerHabits): Draft {
  const words = contentWords(request).slice(0, 3);
  const corrections = remarks.flatMap(sentencesOf).flatMap(instructionsIn);
  const told = corrections.map(({ sentence }) => sentence);
  return {
    id: [...words, chance.digits(`task ${request}`, 4)].join('-').replaceAll(/[^\p{L}\p{N}-]/gu, ''),
    prompt: request,
    expectations: told.length > 0 ? [...new Set(told)] : [`The answer addresses ${words.join(', ')}.`],
    checks: [{ check: 'no_refusal' }],
    tags: words.slice(0, 1),
  };
}

/** Ways in which people ask; `{topic}` and `{other}` come from the skill, `{number}` is theirs alone. */
const requests: readonly { readonly tag: string; readonly text: string }[] = [
  { tag: 'advice', text: 'Please help me with {topic}. I have ten minutes before the meeting about case {number}.' },
  {
    tag: 'advice',
    text: 'I am new here. How would you handle {topic} once the first try has failed, as in ticket {number}?',
  },
  {
    tag: 'rewrite',
    text: 'My draft on {topic} came back with {number} remarks, most of them about {other}. Write a better one.',
  },
  {
    tag: 'summary',
    text: 'Notes from the call, unsorted: it is about {topic}, began on Tuesday, {number} people noticed, nobody wrote it down.',
  },
  {
    tag: 'summary',
    text: 'Sum up {topic} for somebody who decides about money. The figure to keep is {number} euros.',
  },
  {
    tag: 'decision',
    text: 'Two of us disagree on {topic}: one wants to wait, one wants to act today. Reference {number}. Who is right?',
  },
  {
    tag: 'decision',
    text: 'Should {topic} come before {other}? We can afford one of them, and the budget is {number}.',
  },
  {
    tag: 'mistake',
    text: 'Last month we got {topic} wrong and lost {number} hours. Show me how it should have been done.',
  },
  { tag: 'mistake', text: 'Somebody skipped {topic} in case {number}. What do I write to those who were affected?' },
  { tag: 'short', text: 'quick one, typing on my phone: {topic}, customer {number} is already annoyed' },
  { tag: 'short', text: '{topic}?? nobody answers in the channel, order {number} is waiting' },
  {
    tag: 'long',
    text: 'This is the third time I write. First I asked about {topic}, then about {other}, and both times I got a form letter. My file is {number}; the earlier answers contradict each other, and I need one that I can act on.',
  },
];

/** A drafted task, as the reply states it. */
interface Draft {
  readonly id: string;
  readonly prompt: string;
  readonly expectations: readonly string[];
  readonly checks: readonly object[];
  readonly tags: readonly string[];
}

/**
 * Tasks out of the words of a skill: what it is about, asked in different ways, with checks for what it demands. What it
 * leaves open a drafter expects all the same (an answer that can be read in a minute, and says what comes next), so that a
 * skill without a rule of its own has something to learn.
 */
function draftFromSkill(skill: string, count: number, chance: Chance): readonly Draft[] {
  const topics = chance.shuffle('topics', topicsOf(skill));
  const ways = chance.shuffle('ways', requests);
  const implied = resolve(
    readInstructions(skill).flatMap((read) => (read.condition === undefined ? [read.instruction] : [])),
  ).filter((instruction) => instruction.vague !== true);
  return Array.from({ length: count }, (_, at) => {
    const way = ways[at % ways.length] ?? { tag: 'advice', text: '{topic}' };
    const topic = topics[at % topics.length] ?? 'the usual request';
    const other = topics[(at + 1) % topics.length] ?? topic;
    const number = String(100 + (Number.parseInt(chance.digits(`number ${at}`, 6), 16) % 9_900));
    const prompt = way.text
      .replaceAll('{topic}', `“${topic}”`)
      .replaceAll('{other}', `“${other}”`)
      .replaceAll('{number}', number);
    return {
      id: [...contentWords(topic).slice(0, 2), way.tag, number].join('-').replaceAll(/[^\p{L}\p{N}-]/gu, ''),
      prompt: prompt.charAt(0).toUpperCase() + prompt.slice(1),
      expectations: [`The answer addresses ${contentWords(topic).join(' ')}.`, ...demandsFor(implied, at)],
      checks: [{ check: 'no_refusal' }, { check: 'contains', text: number }, ...boundsOf(implied)],
      tags: [way.tag],
    };
  });
}

const fewestWords = 2; // a single word is a title, not a topic
const mostWords = 7;

/** What the skill is about: its headings and how the points of its lists begin, each once. */
function topicsOf(skill: string): readonly string[] {
  const described = /^description:\s*(.+)$/m.exec(skill)?.[1] ?? '';
  const points = blocksOf(skill).filter(({ kind }) => kind === 'item' || kind === 'heading');
  const topics = [...points.map(({ text }) => text), described]
    .map((text) => (text.split(/[.:;,(“”"`]/u)[0] ?? '').trim().split(/\s+/u).slice(0, mostWords).join(' '))
    .filter((topic) => contentWords(topic).length >= fewestWords);
  return topics.length > 0 ? [...new Set(topics)] : ['the usual request'];
}

const mostDemands = 2;
const expectedOfAll = 'The answer ends with a line that starts with “Next step:”.';
const readInAMinute = 900; // characters

/** A few of the things that the skill demands, others for each task. */
function demandsFor(implied: readonly Instruction[], at: number): readonly string[] {
  const read = implied.filter(({ length }) => length === undefined).map(({ sentence }) => sentence);
  const demands = read.length === 0 ? [expectedOfAll] : read;
  const from = (at * mostDemands) % demands.length;
  return [...demands.slice(from), ...demands.slice(0, from)].slice(0, mostDemands);
}

/** The bounds that the skill sets, as rules; where it sets none, what a reader has time for. */
function boundsOf(implied: readonly Instruction[]): readonly object[] {
  if (implied.every(({ length }) => length === undefined)) return [{ check: 'max_chars', limit: readInAMinute }];
  return implied.flatMap(({ length }) => [
    ...(length?.most === undefined ? [] : [{ check: 'max_chars', limit: length.most }]),
    ...(length?.least === undefined ? [] : [{ check: 'min_chars', limit: length.least }]),
  ]);
}
