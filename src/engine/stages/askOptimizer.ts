import type * as z from 'zod';
import { isFatal, messageOf, ModelError } from '../../errors.js';
import { answerRoom, rewriteRoom, roomRequest, type AnswerRoom } from '../../prompts/answerRoom.js';
import { askForReply, type AskedReply } from '../../prompts/replies/askForReply.js';
import { epochPrompts } from '../../prompts/epochs/epochPrompts.js';
import { parseReply } from '../../prompts/replies/parseReply.js';
import { renderPrompt } from '../../prompts/renderPrompt.js';
import type { RunContext } from '../runContext.js';
import type { RunEvent } from '../journal/runEvents.js';

export type OptimizerAnswer<T> =
  | { readonly kind: 'answered'; readonly value: T; readonly text: string }
  | { readonly kind: 'lost'; readonly reason: string; readonly text: string | undefined };

export interface OptimizerQuestion<T> {
  readonly prompt: string;
  readonly reply: z.ZodType<T>;
  readonly replySchema: { readonly name: string; readonly schema: Readonly<Record<string, unknown>> };
  readonly about: Extract<RunEvent, { kind: 'optimizer-replied' }>['about'];
  readonly step: number;
  /** Tells apart the questions of one step; a question of another step or seed is always asked afresh. */
  readonly part: string;
  /** The reply holds a whole document: it has the room of one, and half of it is nothing. */
  readonly whole?: boolean;
}

/**
 * Asks the optimizer, once more where the reply does not parse, or with more room where it was cut and its server has more. Of one that is cut
 * again, whole edits count and half of one never does. A call that failed is a value too: the other analysts go on. Only
 * what no retry mends (login, quota, a cap) ends the run; not for the sake of more room.
 */
export async function askOptimizer<T>(
  context: RunContext,
  question: OptimizerQuestion<T>,
  signal: AbortSignal,
): Promise<OptimizerAnswer<T>> {
  const { identity } = context.optimizer;
  const room =
    question.whole === true
      ? rewriteRoom({ identity }, context.options)
      : answerRoom({ role: 'optimizer', identity }, context.options);
  const first = await replyTo(context, question, { kind: 'first', room }, signal);
  if (first instanceof ModelError) return callLost(first);
  const kind = secondAsk(first, room, question.whole);
  if (kind === undefined) return answerOf(context, question, first);
  const second = await secondReply(context, question, { kind, room }, signal);
  if (!(second instanceof ModelError)) return answerOf(context, question, better(first, second));
  return kind === 'more-room' ? answerOf(context, question, first) : callLost(second);
}

/** How it is asked for the second time; undefined where the first reply is as good as it gets. */
function secondAsk<T>({ parsed, contextCure }: Reply<T>, room: AnswerRoom, whole = false): Ask['kind'] | undefined {
  if (parsed.cut === true && contextCure !== undefined) return undefined;
  if (parsed.cut === true && room.second > room.first) return 'more-room';
  if (parsed.cut === true && whole) return 'firmer';
  return parsed.kind === 'parsed' ? undefined : 'firmer';
}

function better<T>(first: Reply<T>, second: Reply<T>): Reply<T> {
  return second.parsed.kind === 'malformed' && first.parsed.kind === 'parsed' ? first : second;
}

type Reply<T> = AskedReply<T>;

function callLost<T>(error: ModelError): OptimizerAnswer<T> {
  // Of a prompt that the server cut the cure is a setting there, which nothing else tells.
  const cure = error.kind === 'cut-prompt' ? ` ${error.cure}` : '';
  return { kind: 'lost', reason: `the call failed: ${error.message}${cure}`, text: undefined };
}

function answerOf<T>(
  context: RunContext,
  { about, step, whole = false }: OptimizerQuestion<T>,
  { text, parsed, contextCure }: Reply<T>,
): OptimizerAnswer<T> {
  if (parsed.kind === 'malformed') {
    const cure = parsed.cut === true && contextCure !== undefined ? `. ${contextCure}` : '';
    return { kind: 'lost', reason: `the reply is malformed: ${parsed.reason}${cure}`, text };
  }
  if (parsed.cut === true && whole)
    return { kind: 'lost', reason: `the reply was cut off. ${contextCure ?? rewriteCure}`, text };
  if (parsed.cut === true) {
    const what = `The optimizer’s reply was cut off (${about}, step ${step}): what it held last was dropped.`;
    context.record({ kind: 'note', text: `${what} ${contextCure ?? moreRoomCure}` });
  }
  return { kind: 'answered', value: parsed.value, text };
}

const rewriteCure = 'Raise answers.rewrite, or let the model think less';
const moreRoomCure = 'Raise answers.optimizer, or let the model think less.';

/** More room that a cap does not allow is no reason to end the run: the first reply is there. */
async function secondReply<T>(
  context: RunContext,
  question: OptimizerQuestion<T>,
  ask: Ask,
  signal: AbortSignal,
): Promise<Reply<T> | ModelError> {
  try {
    return await replyTo(context, question, ask, signal);
  } catch (error) {
    if (ask.kind === 'more-room' && error instanceof ModelError && error.kind === 'cap') return error;
    throw error;
  }
}

async function recordReply<T>(
  context: RunContext,
  { step, about }: OptimizerQuestion<T>,
  { text, readable }: { readonly text: string; readonly readable: boolean },
): Promise<void> {
  context.record({ kind: 'optimizer-replied', step, about, textHash: await context.texts.put(text), readable });
}

/** The optimizer's own notes, before every question but the one for them and the one for guidance. */
function notesBefore<T>({ metaSkill = '', prompts }: RunContext, { about }: OptimizerQuestion<T>): string {
  if (metaSkill === '' || about === 'meta_skill' || about === 'slow_update') return '';
  return `${renderPrompt(epochPrompts.metaSkillNotes, { notes: metaSkill }, prompts)}\n\n`;
}

/** Why it is asked: for the first time, because the last reply had no form, or because it had too little room. */
interface Ask {
  readonly kind: 'first' | 'firmer' | 'more-room';
  readonly room: AnswerRoom;
}

async function replyTo<T>(
  context: RunContext,
  question: OptimizerQuestion<T>,
  { kind, room }: Ask,
  signal: AbortSignal,
): Promise<Reply<T> | ModelError> {
  const firmer = kind === 'firmer' ? '\n\nThe last reply was not of that form. Reply with the JSON object alone.' : '';
  try {
    const reply = await askForReply(
      context.optimizer,
      {
        role: 'optimizer',
        messages: [{ role: 'user', content: notesBefore(context, question) + question.prompt + firmer }],
        ...roomRequest(room, kind === 'more-room'),
        replySchema: question.replySchema,
        attempt: kind === 'first' ? 1 : 2,
        ...(kind === 'firmer' ? { formless: true } : {}),
        dependsOn: [[question.about, context.options.train.seed, question.step, question.part].join(':')],
      },
      (text, finish) => parseReply(text, question.reply, finish),
      signal,
    );
    await recordReply(context, question, { text: reply.text, readable: reply.parsed.kind === 'parsed' });
    return reply;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ModelError && !isFatal(error.kind)) return error;
    if (error instanceof ModelError) throw error;
    throw new Error(`The optimizer could not be asked: ${messageOf(error)}`, { cause: error });
  }
}
