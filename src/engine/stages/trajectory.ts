import type { TranscriptTurn } from '../../ports/environment.js';
import type { TrainingTask } from '../../tasks/task.js';
import { callOf } from '../journal/conversation.js';
import type { ScoredAttempt } from './attempts.js';
import { shortened, type Clean } from './shortened.js';

/** A training attempt as it is shown: no other task has such a trajectory. */
export interface ShownAttempt {
  readonly task: TrainingTask;
  readonly attempt: ScoredAttempt;
  /** Takes secrets, and what must not be told about the task, out of a text. */
  readonly clean: Clean;
}

/**
 * What happened in each attempt between its question and its answer: turns, calls of tools with their arguments, and what
 * came back. All of them together stay within so many tokens. Each attempt has an equal share, and what one does not need
 * goes to the others; within its share the newest turns have room first, and stand in the order in which they were made.
 * An attempt that was a question and an answer has none.
 */
export function trajectoriesOf(shown: readonly ShownAttempt[], tokens: number): ReadonlyMap<ScoredAttempt, string> {
  const room = tokens * quarters;
  const wanted = shown
    .map((each) => ({ each, turns: newestTurns(each, room) }))
    .filter(({ turns }) => turns.texts.length > 0)
    .map((one) => ({ ...one, need: costOf(one.turns) }))
    .sort((a, b) => a.need - b.need);
  const texts = new Map<ScoredAttempt, string>();
  let left = room;
  for (const [index, { each, turns, need }] of wanted.entries()) {
    const share = Math.min(need, Math.floor(left / (wanted.length - index)));
    const text = within(turns, share);
    if (text === '') continue;
    texts.set(each.attempt, text);
    left -= spaceOf(text);
  }
  return texts;
}

/** A token is four characters of ASCII, or one of any other script: counted in fourths of a token. */
const quarters = 4;

function spaceOf(text: string): number {
  const wide = text.match(/[^\0-\x7F]/g)?.length ?? 0;
  return text.length + (quarters - 1) * wide;
}

/** What lies between question and answer. What the target was told first is the skill and the task, which are shown anyway. */
export function turnsBetween(
  { transcript, answer }: Pick<ScoredAttempt, 'transcript' | 'answer'>,
  prompt: string,
): readonly TranscriptTurn[] {
  const told = isSaid(transcript[0], 'system') ? transcript.slice(1) : transcript;
  const rest = isSaid(told[0], 'user', (text) => text.includes(prompt)) ? told.slice(1) : told;
  return isSaid(rest.at(-1), 'assistant', (text) => text.trim() === answer.trim()) ? rest.slice(0, -1) : rest;
}

function isSaid(
  turn: TranscriptTurn | undefined,
  role: string,
  holds: (text: string) => boolean = () => true,
): boolean {
  return turn?.kind === 'message' && turn.role === role && holds(turn.text);
}

/** The newest turns as texts, in their order, and how many there are in all. */
interface Turns {
  readonly texts: readonly string[];
  readonly count: number;
}

/** Those that could have room; older ones are not even looked at. */
function newestTurns({ task, attempt, clean }: ShownAttempt, room: number): Turns {
  const turns = turnsBetween(attempt, task.prompt);
  const texts: string[] = [];
  let used = 0;
  for (let at = turns.length - 1; at >= 0 && used < room; at -= 1) {
    const turn = turns[at];
    if (turn === undefined) break;
    const text = turnText(turn, at + 1, clean);
    texts.unshift(text);
    used += spaceOf(text) + 1;
  }
  return { texts, count: turns.length };
}

function costOf({ texts, count }: Turns): number {
  const note = texts.length < count ? noteSpace : 0;
  return texts.reduce((sum, text) => sum + spaceOf(text) + 1, note);
}

const noteSpace = 40; // of the line that says what is left out
const leastPart = 200; // below this the part of a turn tells nothing

function within({ texts, count }: Turns, room: number): string {
  const all = texts.join('\n');
  if (texts.length === count && spaceOf(all) <= room) return all;
  const kept: string[] = [];
  let left = room - noteSpace;
  for (const text of texts.toReversed()) {
    const space = spaceOf(text) + 1;
    if (space > left && left < leastPart) break;
    kept.unshift(space <= left ? text : bothEnds(text, left));
    left -= space;
    if (left < 0) break;
  }
  const missing = count - kept.length;
  if (kept.length === 0) return '';
  return [...(missing === 0 ? [] : [`[the first ${missing} left out]`]), ...kept].join('\n');
}

const cutSpace = 60; // of the line that says so

/** A turn without its middle. */
function bothEnds(text: string, room: number): string {
  const half = Math.floor((room - cutSpace) / 2);
  const characters = Array.from(text);
  const head = endWithin(characters, half).join('');
  const tail = endWithin(characters.toReversed(), half).toReversed().join('');
  return `${head}\n  [... ${text.length - head.length - tail.length} characters left out ...]\n  ${tail}`;
}

function endWithin(characters: readonly string[], room: number): readonly string[] {
  let used = 0;
  const end = characters.findIndex((character) => (used += spaceOf(character)) > room);
  return end < 0 ? characters : characters.slice(0, end);
}

const mostArguments = 1_000; // characters
const mostSaid = 4_000;

/** One turn under its number. What others wrote is indented, so that none of it looks like a further turn. */
function turnText(turn: TranscriptTurn, number: number, clean: Clean): string {
  const data = (text: string, most = mostSaid): string =>
    shortened(text, most, clean)
      .split('\n')
      .map((line) => `  ${line}`)
      .join('\n');
  switch (turn.kind) {
    case 'message':
      return `[${number}] ${turn.role === 'system' ? 'verification' : turn.role}:\n${data(turn.text)}`;
    case 'tool':
      return `[${number}] tool call:\n${data(callOf(turn), mostArguments)}\nobservation:\n${data(turn.result)}`;
    case 'step': {
      const why = turn.reasoning === undefined || turn.reasoning === '' ? '' : `\nreasoning:\n${data(turn.reasoning)}`;
      return `[${number}] action:\n${data(turn.action, mostArguments)}${why}\nfeedback:\n${data(turn.feedback)}`;
    }
  }
}
