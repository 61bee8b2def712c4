import type * as z from 'zod';
import { isFatal, messageOf, ModelError } from '../../errors.js';
import { askForReply } from '../../prompts/askForReply.js';
import { parseReply, type ParsedReply } from '../../prompts/parseReply.js';
import type { RunContext } from '../runContext.js';
import type { RunEvent } from '../journal/runEvents.js';

/** Reflection needs room for a few edits and their reasons, and no more. */
const mostReplyTokens = 16_384;

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
}

const asks = [1, 2];

/**
 * Asks the optimizer, once more where the reply does not parse. A call that failed is a value too: the
 * other analysts go on. Only what no retry mends (login, quota, a cap) ends the run.
 */
export async function askOptimizer<T>(
  context: RunContext,
  question: OptimizerQuestion<T>,
  signal: AbortSignal,
): Promise<OptimizerAnswer<T>> {
  let lost: OptimizerAnswer<T> = { kind: 'lost', reason: 'not asked', text: undefined };
  for (const attempt of asks) {
    const reply = await replyTo(context, question, attempt, signal);
    if (reply instanceof ModelError)
      return { kind: 'lost', reason: `the call failed: ${reply.message}`, text: undefined };
    const { text, parsed } = reply;
    await recordReply(context, question, { text, readable: parsed.kind === 'parsed' });
    if (parsed.kind === 'parsed') return { kind: 'answered', value: parsed.value, text };
    lost = { kind: 'lost', reason: `the reply is malformed: ${parsed.reason}`, text };
  }
  return lost;
}

async function recordReply<T>(
  context: RunContext,
  { step, about }: OptimizerQuestion<T>,
  { text, readable }: { readonly text: string; readonly readable: boolean },
): Promise<void> {
  context.record({ kind: 'optimizer-replied', step, about, textHash: await context.texts.put(text), readable });
}

async function replyTo<T>(
  context: RunContext,
  question: OptimizerQuestion<T>,
  attempt: number,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly parsed: ParsedReply<T> } | ModelError> {
  const firmer = attempt === 1 ? '' : '\n\nThe last reply was not of that form. Reply with the JSON object alone.';
  try {
    return await askForReply(
      context.optimizer,
      {
        role: 'optimizer',
        messages: [{ role: 'user', content: question.prompt + firmer }],
        maxOutputTokens: mostReplyTokens,
        replySchema: question.replySchema,
        attempt,
        dependsOn: [[question.about, context.options.train.seed, question.step, question.part].join(':')],
      },
      (text) => parseReply(text, question.reply),
      signal,
    );
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ModelError && !isFatal(error.kind)) return error;
    if (error instanceof ModelError) throw error;
    throw new Error(`The optimizer could not be asked: ${messageOf(error)}`, { cause: error });
  }
}
