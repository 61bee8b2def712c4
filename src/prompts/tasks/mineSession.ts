import * as z from 'zod';
import text from './mineSession.md';
import { fence, type PromptTemplate } from '../renderPrompt.js';

/** Asks the optimizer model for the tasks in one session. */
export const mineSessionPrompt: PromptTemplate<'budget' | 'session'> = {
  name: 'mineSession',
  text,
  placeholders: ['budget', 'session'],
};

/** What a miner is shown of one request. */
export interface ShownRequest {
  readonly asked: string;
  readonly answer: string;
  /** What the person said of the answer, where they were not content. */
  readonly remarks: readonly string[];
}

/** Each message in a fence of its own: none can pass for another, nor for the words of somebody else. */
export function shownSession(requests: readonly ShownRequest[]): { readonly words: string } {
  const parts = requests.map(({ asked, answer, remarks }, at) =>
    [
      `Request ${at + 1}:\n\n${fence(`asked-${at + 1}`, asked)}`,
      ...(answer === '' ? [] : [`How the answer to it began:\n\n${fence(`answer-${at + 1}`, answer)}`]),
      ...remarks.map((remark) => `What the person said of the answer:\n\n${fence(`remark-${at + 1}`, remark)}`),
    ].join('\n\n'),
  );
  return { words: parts.join('\n\n') };
}

/** Tasks are read one by one afterwards: one malformed task does not cost the others. */
export const mineSessionReply = z.object({ tasks: z.array(z.unknown()) });

/** One task that was found. */
export const ProposedTask = z.object({
  request: z.coerce.number().int().min(1),
  prompt: z.string().min(1),
  expectations: z.array(z.string().min(1)).catch([]).default([]),
  checks: z
    .array(z.looseObject({ check: z.string().min(1) }))
    .catch([])
    .default([]),
});

/** The JSON schema that the server holds the reply to; checks differ too much between kinds to be pinned down. */
export const mineSessionReplySchema = {
  name: 'mine_session',
  schema: { type: 'object', properties: { tasks: { type: 'array', items: { type: 'object' } } }, required: ['tasks'] },
} as const;
