import * as z from 'zod';
import { parseJson } from '../parseJson.js';
import type { AttemptRequest, AttemptResult, Environment, TranscriptTurn } from '../ports/environment.js';
import type { ProgramConsent, ProgramContent, ProgramContents, ProgramResult, Programs } from '../ports/programs.js';
import { deepestNesting, nestingIn } from '../tasks/json/nesting.js';
import type { ProgramDeclaration } from '../tasks/readers/whetstoneFile.js';
import { answered } from './targetAnswer.js';

export interface ProgramSources {
  readonly programs: Programs;
  readonly consent: ProgramConsent;
  /** The folder of the skill: the declaration's folder is relative to it. */
  readonly folder: string;
  /** What the person allows is what runs. Asked only before an attempt: a program that no task uses is never read. */
  readonly contents: ProgramContents;
}

const outputLimitBytes = 4_000_000;

const Turn = z.union([
  z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }),
  z.object({ type: z.literal('tool_call'), cmd: z.string(), obs: z.string().default('') }),
  z.object({ action: z.string(), env_feedback: z.string().nullish(), reasoning: z.string().nullish() }),
]);

const score = z.union([z.number(), z.boolean().transform(Number)]);

/** The last line that the program writes. Everything it does not name is kept and shown to reflection. */
const Reply = z
  .object({
    id: z.union([z.string(), z.number()]).transform(String),
    hard: score,
    soft: score,
    fail_reason: z.string().nullish(),
    conversation: z.array(z.unknown()).nullish(),
    predicted_answer: z.string().nullish(),
  })
  .catchall(z.unknown());

/**
 * A declared program attempts the task and judges itself: it reads one JSON line `{phase, split, seed, task, skill,
 * memory}` and writes one `{id, hard, soft, fail_reason?, conversation?, ...}`. It runs only after the person allowed
 * exactly this content, in a throw-away copy of its folder. Its own time limit is the skill's doing and scored.
 */
export function createProgramEnvironment(
  name: string,
  declared: ProgramDeclaration,
  sources: ProgramSources,
): Environment {
  return {
    name,
    async attempt(request, signal) {
      const what = [declared.command, ...declared.arguments].join(' ');
      const folder = declared.folder === undefined ? undefined : `${sources.folder}/${declared.folder}`;
      const program = { command: declared.command, arguments: declared.arguments, folder, within: sources.folder };
      const found = await sources.contents.of(program, signal);
      if (found.kind === 'unreadable') return notLookedAt(what, found.reason);
      const { text: content, shown, unbound } = found;
      const formerly = contentBefore(declared, found);
      if (!(await sources.consent.allows({ what, content, formerly, folder, shown, unbound }, signal))) {
        return { kind: 'invalid', reason: `The program “${what}” was not allowed to run.` };
      }
      const now = await sources.contents.of(program, signal);
      if (now.kind !== 'found' || now.text !== content) return changedSince(what);
      const result = await sources.programs.run(
        {
          command: declared.command,
          arguments: declared.arguments,
          folder,
          input: `${JSON.stringify(lineFor(request))}\n`,
          timeLimitMs: declared.timeLimitSeconds * 1000,
          outputLimitBytes,
        },
        signal,
      );
      return readResult(result, request, declared);
    },
  };
}

/** What was hashed before links and permissions were. */
function contentBefore(
  { command, arguments: words }: ProgramDeclaration,
  { plain }: Extract<ProgramContent, { kind: 'found' }>,
): string | undefined {
  const files = plain?.map(({ path, hash }) => `${path} ${hash ?? '-'}`);
  return files === undefined ? undefined : JSON.stringify([command, words, files.join('\n')]);
}

function notLookedAt(what: string, reason: string): AttemptResult {
  return { kind: 'invalid', reason: `What the program “${what}” would run cannot be looked at: ${reason}` };
}

function changedSince(what: string): AttemptResult {
  return { kind: 'invalid', reason: `The program “${what}” changed while it was asked about.` };
}

function lineFor({
  task,
  skill,
  memory,
  phase,
  seed,
  attempt,
  family,
}: AttemptRequest): Readonly<Record<string, unknown>> {
  const split = phase === 'training' ? 'train' : phase === 'sealed' ? 'test' : 'val';
  return { phase, split, seed, attempt, sample: family, task, skill: skill ?? null, memory: memory ?? null };
}

function readResult(result: ProgramResult, { task }: AttemptRequest, declared: ProgramDeclaration): AttemptResult {
  switch (result.kind) {
    case 'timed-out':
      return overTime(`The program did not end within ${declared.timeLimitSeconds} s.`);
    case 'output-too-large':
      return { kind: 'invalid', reason: 'The program wrote more than 4 MB.' };
    case 'not-started':
      return { kind: 'invalid', reason: `The program could not be started: ${result.reason}` };
    case 'exited': {
      if (result.code !== 0)
        return { kind: 'invalid', reason: `The program ended with ${result.code}: ${lastWords(result.errorOutput)}` };
      return readReply(result.output, task.id);
    }
  }
}

/** The program scores itself, so nobody else does where it had no time to: a fail, whatever the task's own checks are. */
function overTime(failure: string): AttemptResult {
  return answered({ failure, scores: { hard: 0, soft: 0, reason: failure } });
}

function readReply(output: string, taskId: string): AttemptResult {
  const line = output.trimEnd().split('\n').at(-1) ?? '';
  if (line.trim() === '') return { kind: 'invalid', reason: 'The program wrote no result.' };
  const value = parseJson(line);
  if (value !== undefined && nestingIn(line) > deepestNesting)
    return { kind: 'invalid', reason: 'The values in the program’s last line are nested too deeply.' };
  const reply = Reply.safeParse(value);
  if (!reply.success) {
    const why = z.prettifyError(reply.error).replaceAll(/\s+/gu, ' ');
    return {
      kind: 'invalid',
      reason: `The program’s last line is not a result: ${why} It reads: ${line.slice(0, 200)}`,
    };
  }
  const { id } = reply.data;
  return id === taskId
    ? answeredBy(reply.data)
    : { kind: 'invalid', reason: `The program answered for the task ${id} instead of ${taskId}.` };
}

function answeredBy(reply: z.infer<typeof Reply>): AttemptResult {
  const { id: _id, hard, soft, fail_reason: reason, conversation, predicted_answer: answer, ...extras } = reply;
  const transcript = (conversation ?? []).flatMap(turnOf);
  return answered({
    answer: answer ?? lastAnswer(transcript),
    toolsCalled: transcript.flatMap((turn) =>
      turn.kind === 'tool' ? [{ name: turn.name, arguments: turn.arguments }] : [],
    ),
    transcript,
    usage: { inputTokens: 0, outputTokens: 0, exact: false },
    scores: { hard, soft, reason: reason === '' ? undefined : (reason ?? undefined) },
    extras,
  });
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

function lastWords(text: string): string {
  return text.trim().slice(-400);
}
