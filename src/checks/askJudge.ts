import { isFatal, ModelError } from '../errors.js';
import type { LanguageModel, ModelMessage, ModelReply } from '../ports/languageModel.js';
import { fence, promptsIn, renderPrompt, type PromptOverrides, type PromptValue } from '../prompts/renderPrompt.js';
import { judgePrompt, judgeReply, judgeReplySchema, type JudgeReply } from '../prompts/judge.js';
import { answerRoom, roomRequest, type RoomOptions } from '../prompts/answerRoom.js';
import { askForReply, type FormRequest } from '../prompts/askForReply.js';
import { parseReply, type ParsedReply } from '../prompts/parseReply.js';
import type { Task } from '../tasks/task.js';
import type { Answered } from './check.js';

/** How the judge model graded one criterion. */
export interface Grade {
  readonly pass: boolean;
  /** 0..1, clamped. */
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
  /** How long a grading may be; what is usual where nobody says. */
  readonly room?: RoomOptions | undefined;
}

/** Has every criterion graded in one call for each repeat. A judge that is dead or makes no sense is never a score. */
export async function askJudge(
  subject: { readonly task: Task; readonly attempt: Answered; readonly criteria: readonly string[] },
  services: JudgeServices,
  signal: AbortSignal,
): Promise<Grades> {
  const prompt = promptFor(subject, services.prompts);
  const numbers = Array.from({ length: services.repeats }, (_, index) => index + 1);
  const rounds = await allOf(
    numbers.map((number) => gradeOnce({ prompt, number, count: subject.criteria.length }, services, signal)),
  );
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

function promptFor(
  {
    task,
    attempt,
    criteria,
  }: { readonly task: Task; readonly attempt: Answered; readonly criteria: readonly string[] },
  overrides: PromptOverrides,
): string {
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
function callsOf({ toolsCalled, work }: Answered): readonly string[] {
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

async function gradeOnce(
  { prompt, number, count }: { readonly prompt: string; readonly number: number; readonly count: number },
  { judge, repeats, attempt, family, room: wishes }: JudgeServices,
  signal: AbortSignal,
): Promise<Grades> {
  const room = answerRoom({ role: 'judge', identity: judge.identity, criteria: count }, wishes);
  const ask = async (
    messages: readonly ModelMessage[],
    isSecond: boolean,
  ): Promise<{ text: string; parsed: ParsedReply<JudgeReply> }> => {
    const request: FormRequest = {
      role: 'judge',
      messages,
      ...roomRequest(room, isSecond),
      replySchema: judgeReplySchema(),
      attempt: (attempt - 1) * repeats + number,
      dependsOn: [family],
      ...(messages.length > 1 ? { formless: true } : {}),
    };
    return askForReply(judge, request, readGrades(count), signal);
  };
  const question: ModelMessage = { role: 'user', content: prompt };
  try {
    const first = await ask([question], false);
    if (first.parsed.kind === 'parsed') return gradesOf(first.parsed.value);
    const isCut = first.parsed.cut === true;
    if (isCut && room.second === room.first) return unreadable(first.parsed.reason);
    const again = `That cannot be read: ${first.parsed.reason}. Reply with the JSON object alone, with one result for each of the ${count} criteria.`;
    const words: readonly ModelMessage[] = [
      { role: 'assistant', content: first.text },
      { role: 'user', content: again },
    ];
    // What was cut needs room, not words.
    const second = await ask([question, ...(isCut ? [] : words)], isCut);
    if (second.parsed.kind === 'parsed') return gradesOf(second.parsed.value);
    return unreadable(second.parsed.reason);
  } catch (error) {
    if (!(error instanceof ModelError) || isFatal(error.kind)) throw error;
    return { kind: 'invalid', reason: `The judge gave no grade: ${error.message}` };
  }
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
  const fits = results.length === count && results.every((result, index) => result.index === index);
  if (fits) return { kind: 'parsed', value: { results } };
  const given = results.map((result) => result.index).join(', ');
  if (parsed.cut === true) return { kind: 'malformed', reason: 'it was cut off at its length limit', cut: true };
  return {
    kind: 'malformed',
    reason: `it grades the criteria ${given === '' ? 'of nothing' : given} instead of 0 to ${count - 1}`,
  };
}

function gradesOf({ results }: JudgeReply): Grades {
  const grades = results.map(({ pass, score, reason }) => ({ pass, score: Math.min(1, Math.max(0, score)), reason }));
  return { kind: 'graded', grades };
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
