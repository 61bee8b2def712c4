import * as z from 'zod';
import { parseJson } from '../parseJson.js';
import type { AttemptRequest, AttemptResult, TranscriptTurn } from '../ports/environment.js';
import type { ProgramResult } from '../ports/programs.js';
import { deepestNesting, nestingIn } from '../tasks/json/nesting.js';
import { andTold, endedWith, notStarted } from './badEnd.js';
import { answered } from './targetAnswer.js';

const Turn = z.union([
  z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }),
  z.object({ type: z.literal('tool_call'), cmd: z.string(), obs: z.string().default('') }),
  z.object({ action: z.string(), env_feedback: z.string().nullish(), reasoning: z.string().nullish() }),
]);

const score = z.union([z.number(), z.boolean().transform(Number)], { error: 'must be a number from 0 to 1' });

/**
 * The last line that a program writes. Everything it does not name is kept and shown to reflection. One that gives an
 * answer and no scores leaves it to the task's own checks.
 */
const Reply = z
  .object({
    id: z.union([z.string(), z.number()]).transform(String),
    attempt: z.number().optional(),
    hard: score.optional(),
    soft: score.optional(),
    fail_reason: z.string().nullish(),
    conversation: z.array(z.unknown()).nullish(),
    predicted_answer: z.string().nullish(),
  })
  .catchall(z.unknown())
  .superRefine(({ hard, soft, predicted_answer: answer }, refinement) => {
    const unscored = hard === undefined && soft === undefined;
    if (unscored ? typeof answer === 'string' : hard !== undefined && soft !== undefined) return;
    for (const name of ['hard', 'soft'] as const) {
      if ((name === 'hard' ? hard : soft) !== undefined) continue;
      refinement.addIssue({ code: 'custom', path: [name], message: 'is missing: a number from 0 to 1' });
    }
  });

/** What a program reads of an attempt: one line. */
export function lineFor(
  { task, skill, memory, files, phase, seed, attempt, family }: AttemptRequest,
  options: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return {
    phase,
    split: splitOf(phase),
    seed,
    attempt,
    sample: family,
    task,
    skill: skill ?? null,
    memory: memory ?? null,
    ...(files === undefined ? {} : { files }),
    options,
  };
}

/** The side as upstream calls it. */
export function splitOf(phase: AttemptRequest['phase']): 'train' | 'val' | 'test' {
  return phase === 'training' ? 'train' : phase === 'sealed' ? 'test' : 'val';
}

/** What came of an attempt. */
export function readResult(result: ProgramResult, { task }: AttemptRequest, seconds: number): AttemptResult {
  const why = whyNoOutput(result, { seconds, megabytes: 4 });
  if (why === undefined) return readReply(outputOf(result), task.id);
  return result.kind === 'timed-out' ? overTime(why) : { kind: 'invalid', reason: why };
}

/** Why there is no output to read; undefined where the program ended well. */
export function whyNoOutput(
  result: ProgramResult,
  limits: { readonly seconds: number; readonly megabytes: number },
): string | undefined {
  switch (result.kind) {
    case 'timed-out':
      return andTold(`The program did not end within ${limits.seconds} s.`, result);
    case 'output-too-large':
      return andTold(`The program wrote more than ${limits.megabytes} MB.`, result);
    case 'not-started':
      return notStarted(result.reason);
    case 'exited':
      return result.code === 0 ? undefined : endedWith(result);
  }
}

/** What it wrote. */
export function outputOf(result: ProgramResult): string {
  return result.kind === 'exited' ? result.output : '';
}

/** The program scores itself, so nobody else does where it had no time to: a fail, whatever the task's own checks are. */
function overTime(failure: string): AttemptResult {
  return answered({ failure, scores: { hard: 0, soft: 0, reason: failure } });
}

function readReply(output: string, taskId: string): AttemptResult {
  const line = lastLineOf(output);
  if (line.trim() === '') return { kind: 'invalid', reason: 'The program wrote no result.' };
  return readReplyOf(line, taskId);
}

/** The line that counts: what comes before it is the program's own. */
export function lastLineOf(output: string): string {
  return output.trimEnd().split('\n').at(-1) ?? '';
}

/** A result as one line states it. */
export function readReplyOf(line: string, taskId: string): AttemptResult {
  const value = parseJson(line);
  if (value !== undefined && nestingIn(line) > deepestNesting)
    return { kind: 'invalid', reason: 'The values in the program’s last line are nested too deeply.' };
  const reply = Reply.safeParse(value);
  if (!reply.success) {
    const why = reply.error.issues.map(({ path, message }) => [...path.map((name) => `“${String(name)}”`), message]);
    const said = why.map((words) => words.join(' ')).join('; ');
    return {
      kind: 'invalid',
      reason: `The program’s last line is not a result: ${said}. It reads: ${line.slice(0, 200)}`,
    };
  }
  const { id } = reply.data;
  return id === taskId
    ? answeredBy(reply.data)
    : { kind: 'invalid', reason: `The program answered for the task ${id} instead of ${taskId}.` };
}

function answeredBy(reply: z.infer<typeof Reply>): AttemptResult {
  const {
    id: _id,
    attempt: _attempt,
    hard,
    soft,
    fail_reason: reason,
    conversation,
    predicted_answer: answer,
    ...extras
  } = reply;
  const transcript = (conversation ?? []).flatMap(turnOf);
  return answered({
    answer: answer ?? lastAnswer(transcript),
    toolsCalled: transcript.flatMap((turn) =>
      turn.kind === 'tool' ? [{ name: turn.name, arguments: turn.arguments }] : [],
    ),
    transcript,
    usage: { inputTokens: 0, outputTokens: 0, exact: false },
    scores: scoresOf(hard, soft, reason),
    extras,
  });
}

function scoresOf(
  hard: number | undefined,
  soft: number | undefined,
  reason: string | null | undefined,
): Extract<AttemptResult, { kind: 'answered' }>['scores'] {
  if (hard === undefined || soft === undefined) return undefined;
  return { hard, soft, reason: reason === '' ? undefined : (reason ?? undefined) };
}

function turnOf(value: unknown): readonly TranscriptTurn[] {
  const parsed = Turn.safeParse(value);
  if (!parsed.success) return [];
  const turn = parsed.data;
  if ('role' in turn) return [{ kind: 'message', role: turn.role, text: turn.content }];
  if ('cmd' in turn)
    return [{ kind: 'tool', name: turn.cmd.split(/\s/)[0] ?? turn.cmd, arguments: turn.cmd, result: turn.obs }];
  const { action, env_feedback: feedback, reasoning } = turn;
  return [{ kind: 'step', action, feedback: feedback ?? '', reasoning: reasoning ?? undefined }];
}

function lastAnswer(transcript: readonly TranscriptTurn[]): string {
  const last = transcript.filter((turn) => turn.kind === 'message' && turn.role === 'assistant').at(-1);
  return last?.kind === 'message' ? last.text : '';
}
