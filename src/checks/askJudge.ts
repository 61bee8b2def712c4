import { isFatal, ModelError } from '../errors.js';
import type { LanguageModel, ModelMessage, ModelReply } from '../ports/languageModel.js';
import { fence, promptsIn, renderPrompt, type PromptOverrides, type PromptValue } from '../prompts/renderPrompt.js';
import { judgePrompt, judgeReply, judgeReplySchema, someGrades, type JudgeReply } from '../prompts/judge.js';
import { answerRoom, roomRequest, type AnswerRoom, type RoomOptions } from '../prompts/answerRoom.js';
import { askForReply, type AskedReply, type FormRequest } from '../prompts/replies/askForReply.js';
import { parseReply, type ParsedReply } from '../prompts/replies/parseReply.js';
import type { Task } from '../tasks/task.js';
import type { AnsweredAttempt } from './check.js';
import { judgeManner, type JudgeManner } from './judgeManner.js';

/** How the judge model graded one criterion. */
export interface Grade {
  readonly pass: boolean;
  /** 0..1 */
  readonly score: number;
  readonly reason: string;
}

export type Grades =
  | { readonly kind: 'graded'; readonly grades: readonly Grade[] }
  | { readonly kind: 'invalid'; readonly reason: string };

export interface JudgeServices {
  readonly judge: LanguageModel;
  readonly prompts: PromptOverrides;
  /** How often each answer is graded; the median counts. */
  readonly repeats: number;
  /** Which sample the answer is, from 1: grades of different samples are independent, even of equal answers. */
  readonly attempt: number;
  /** The family of samples that it is of. */
  readonly family: string;
  /** What was learnt in this run of how the judge is best asked; nothing where it is left out. */
  readonly manner?: JudgeManner | undefined;
  /** How long a grading may be; what is usual where nobody says. */
  readonly room?: RoomOptions | undefined;
}

/** What is graded, and by what. */
interface Subject {
  readonly task: Task;
  readonly attempt: AnsweredAttempt;
  readonly criteria: readonly string[];
}

/**
 * Has every criterion graded in one call for each repeat; by a small model that does not manage that, what is missing one
 * by one. One that keeps failing at all of them together is asked about each from then on. A judge that is dead or makes no
 * sense is never a score.
 */
export async function askJudge(subject: Subject, services: JudgeServices, signal: AbortSignal): Promise<Grades> {
  const numbers = Array.from({ length: services.repeats }, (_, index) => index + 1);
  const rounds = await allOf(numbers.map((number) => gradeOnce({ subject, number }, services, signal)));
  const graded: (readonly Grade[])[] = [];
  for (const round of rounds) {
    if (round.kind === 'invalid') return round;
    graded.push(round.grades);
  }
  return { kind: 'graded', grades: subject.criteria.map((_, index) => median(graded, index)) };
}

/** As `Promise.all`, once every one of them has ended: where answers are awaited, all repeats are asked for in one round. */
async function allOf<T>(asked: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(asked);
  return Promise.all(asked);
}

function promptFor({ task, attempt, criteria }: Subject, overrides: PromptOverrides): string {
  const calls = callsOf(attempt);
  return renderPrompt(
    judgePrompt,
    {
      task: task.prompt,
      context: titled('What came with it', 'context', [task.context]),
      expected: titled('What a good answer is', 'expected', [task.expectedOutput, ...task.references]),
      tools: bothOf(
        titled('The tools that were called, in order', 'tools', calls.length === 0 ? [] : [calls.join('\n')]),
        titled('What was changed in the folder', 'diff', attempt.work === undefined ? [] : [shownDiff(attempt.work)]),
      ),
      answer: attempt.answer,
      criteria: {
        words: criteria.map((text, index) => `Criterion ${index}:\n${fence('criterion', text)}`).join('\n\n'),
      },
    },
    promptsIn(overrides, task.environment),
  );
}

/** An agent calls tools as long as it works, with whole files as arguments: the first words of the last calls tell enough. */
function callsOf({ toolsCalled, work }: AnsweredAttempt): readonly string[] {
  const calls = toolsCalled.map((call) => `${call.name} ${call.arguments}`);
  return work === undefined ? calls : calls.slice(-mostAgentCalls).map((call) => call.slice(0, mostOfCall));
}

const mostAgentCalls = 40;
const mostOfCall = 100; // characters

/** The most characters that a judge is shown of what an agent did, each of which may be a token. */
export const mostWorkShown = 16_000;

const mostDiffShown = 12_000; // the calls take the rest

function shownDiff({ diff }: { readonly diff: string }): string {
  if (diff === '') return '(nothing)';
  return diff.length <= mostDiffShown ? diff : `${diff.slice(0, mostDiffShown - 40)}\n[the rest is left out]`;
}

function bothOf(first: PromptValue, second: PromptValue): PromptValue {
  const parts = [first, second].flatMap((each) => (typeof each === 'object' ? [each.words] : []));
  return parts.length === 0 ? undefined : { words: parts.join('\n\n') };
}

function titled(title: string, label: string, texts: readonly (string | undefined)[]): PromptValue {
  const present = texts.filter((text) => text !== undefined);
  if (present.length === 0) return undefined;
  return { words: [`# ${title}`, ...present.map((text) => fence(label, text))].join('\n\n') };
}

interface Grading {
  readonly subject: Subject;
  /** Which of the repeats it is. */
  readonly number: number;
}

async function gradeOnce(grading: Grading, services: JudgeServices, signal: AbortSignal): Promise<Grades> {
  const { manner = judgeManner(services.judge) } = services;
  const { criteria } = grading.subject;
  try {
    if (criteria.length === 1) return await gradeTogether(grading, services, signal);
    if (manner.failsAtLists()) return await gradeEach(grading, { manner, told: new Map() }, services, signal);
    return manner.isSmall
      ? await gradeRest(grading, manner, services, signal)
      : await gradeList(grading, manner, services, signal);
  } catch (error) {
    if (!(error instanceof ModelError) || isFatal(error.kind)) throw error;
    return { kind: 'invalid', reason: `The judge gave no grade: ${error.message}` };
  }
}

/** All of them in one reply, which may be asked for twice. */
async function gradeList(
  grading: Grading,
  manner: JudgeManner,
  services: JudgeServices,
  signal: AbortSignal,
): Promise<Grades> {
  const graded = await gradeTogether(grading, services, signal);
  manner.listGave(graded.kind === 'graded' ? graded.grades.length : 0);
  return graded;
}

/** What the reply about all of them leaves open is asked about criterion by criterion. */
async function gradeRest(
  grading: Grading,
  manner: JudgeManner,
  services: JudgeServices,
  signal: AbortSignal,
): Promise<Grades> {
  const { criteria } = grading.subject;
  const { text, parsed } = await ask(grading, services, { isSecond: false, words: [] }, signal);
  const told = parsed.kind === 'parsed' ? undefined : gradesTold(text, criteria.length);
  manner.listGave(told?.size ?? criteria.length);
  if (parsed.kind === 'parsed') return gradesOf(parsed.value);
  return gradeEach(grading, { manner, told: told ?? new Map() }, services, signal);
}

interface KnownGrades {
  readonly manner: JudgeManner;
  /** Those that are not asked for. */
  readonly told: ReadonlyMap<number, JudgeReply>;
}

/** Each criterion by itself. A small model is asked once more where that cannot be read. */
async function gradeEach(
  grading: Grading,
  { manner, told }: KnownGrades,
  services: JudgeServices,
  signal: AbortSignal,
): Promise<Grades> {
  const { task, attempt, criteria } = grading.subject;
  const gradeOne = manner.isSmall ? gradeTogether : gradeAtOnce;
  const grades: Grade[] = [];
  for (const [index, criterion] of criteria.entries()) {
    const subject = { task, attempt, criteria: [criterion] };
    const known = told.get(index);
    const graded = known === undefined ? await gradeOne({ ...grading, subject }, services, signal) : gradesOf(known);
    if (graded.kind === 'invalid') return graded;
    grades.push(...graded.grades);
  }
  return { kind: 'graded', grades };
}

/** Asks once. */
async function gradeAtOnce(grading: Grading, services: JudgeServices, signal: AbortSignal): Promise<Grades> {
  const { parsed } = await ask(grading, services, { isSecond: false, words: [] }, signal);
  return parsed.kind === 'parsed' ? gradesOf(parsed.value) : unreadable(parsed.reason);
}

/** The grades of a reply that lacks some; none where it cannot be told which criteria they are of. */
function gradesTold(text: string, count: number): ReadonlyMap<number, JudgeReply> {
  const parsed = parseReply(text, someGrades);
  const { results, unnumbered = count } =
    parsed.kind === 'parsed' ? parsed.value : { results: [], unnumbered: undefined };
  const indexes = results.map(({ index }) => index);
  const isCertain = unnumbered === count && indexes.includes(0) && indexes.every((index) => index < count);
  const single = results.filter(({ index }) => isCertain && indexes.indexOf(index) === indexes.lastIndexOf(index));
  return new Map(single.map((result) => [result.index, { results: [result] }]));
}

/** Asks once, and once more where that cannot be read. */
async function gradeTogether(grading: Grading, services: JudgeServices, signal: AbortSignal): Promise<Grades> {
  const count = grading.subject.criteria.length;
  const first = await ask(grading, services, { isSecond: false, words: [] }, signal);
  if (first.parsed.kind === 'parsed') return gradesOf(first.parsed.value);
  const isCut = first.parsed.cut === true;
  const room = roomFor(grading, services);
  if (isCut && first.contextCure !== undefined) return unreadable(`${first.parsed.reason}. ${first.contextCure}`);
  if (isCut && room.second === room.first) return unreadable(first.parsed.reason);
  const again = `That cannot be read: ${first.parsed.reason}. Reply with the JSON object alone, with one result for each of the ${count} criteria.`;
  const words: readonly ModelMessage[] = [
    { role: 'assistant', content: first.text },
    { role: 'user', content: again },
  ];
  // What was cut needs room, not words.
  const second = await ask(grading, services, { isSecond: isCut, words: isCut ? [] : words }, signal);
  return second.parsed.kind === 'parsed' ? gradesOf(second.parsed.value) : unreadable(second.parsed.reason);
}

async function ask(
  { subject, number }: Grading,
  services: JudgeServices,
  { isSecond, words }: { readonly isSecond: boolean; readonly words: readonly ModelMessage[] },
  signal: AbortSignal,
): Promise<AskedReply<JudgeReply>> {
  const { judge, repeats, attempt, family, prompts } = services;
  const request: FormRequest = {
    role: 'judge',
    messages: [{ role: 'user', content: promptFor(subject, prompts) }, ...words],
    ...roomRequest(roomFor({ subject, number }, services), isSecond),
    replySchema: judgeReplySchema(),
    attempt: (attempt - 1) * repeats + number,
    dependsOn: [family],
    ...(words.length > 0 ? { formless: true } : {}),
  };
  return askForReply(judge, request, readGrades(subject.criteria.length), signal);
}

function roomFor({ subject }: Grading, { judge, room }: JudgeServices): AnswerRoom {
  return answerRoom({ role: 'judge', identity: judge.identity, criteria: subject.criteria.length }, room);
}

function readGrades(count: number): (text: string, finish: ModelReply['finish']) => ParsedReply<JudgeReply> {
  return (text, finish) => complete(parseReply(text, judgeReply, finish), count);
}

function unreadable(reason: string): Grades {
  return { kind: 'invalid', reason: `The judge's reply could not be read: ${reason}.` };
}

/** A reply that grades other criteria than those asked about, or one of them twice, grades none. */
function complete(parsed: ParsedReply<JudgeReply>, count: number): ParsedReply<JudgeReply> {
  if (parsed.kind === 'malformed') return parsed;
  const results = parsed.value.results.toSorted((a, b) => a.index - b.index);
  // All of them, counted from 1, are all of them.
  const from = results[0]?.index === 1 ? 1 : 0;
  const fits = results.length === count && results.every((result, index) => result.index === index + from);
  if (fits) return { kind: 'parsed', value: { results } };
  const given = results.map((result) => result.index).join(', ');
  if (parsed.cut === true) return { kind: 'malformed', reason: 'it was cut off at its length limit', cut: true };
  return {
    kind: 'malformed',
    reason: `it grades the criteria ${given === '' ? 'of nothing' : given} instead of 0 to ${count - 1}`,
  };
}

function gradesOf({ results }: JudgeReply): Grades {
  return { kind: 'graded', grades: results.map(({ pass, score, reason }) => ({ pass, score, reason })) };
}

/** The middle of the repeats, with the reason of a grade that agrees with it; an even vote is a fail. */
function median(rounds: readonly (readonly Grade[])[], index: number): Grade {
  const grades = rounds.map((round) => round[index]).filter((grade) => grade !== undefined);
  const byScore = grades.toSorted((a, b) => a.score - b.score);
  const lower = byScore[Math.floor((byScore.length - 1) / 2)];
  const upper = byScore[Math.floor(byScore.length / 2)];
  const passes = grades.filter((grade) => grade.pass).length;
  const pass = passes * 2 > grades.length;
  const agreeing = byScore.filter((grade) => grade.pass === pass);
  return {
    pass,
    score: ((lower?.score ?? 0) + (upper?.score ?? 0)) / 2,
    reason: agreeing[Math.floor(agreeing.length / 2)]?.reason ?? '',
  };
}
