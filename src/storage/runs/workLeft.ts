import * as z from 'zod';
import type { WorkLeft as Left } from '../../ports/agentWork.js';

const told = z.array(z.string()).readonly().optional();

/** How a program ended, such as one that looked at it. */
export const ProgramEnd = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('exited'), code: z.number(), output: z.string(), errorOutput: z.string(), told }),
  z.object({ kind: z.literal('timed-out'), told }),
  z.object({ kind: z.literal('output-too-large'), told }),
  z.object({ kind: z.literal('not-started'), reason: z.string(), told }),
]);

const event = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['user', 'assistant']), text: z.string() }),
  z.object({
    kind: z.literal('tool'),
    name: z.string(),
    input: z.string(),
    output: z.string(),
    ok: z.boolean().optional(),
    command: z.string().optional(),
    onlyTold: z.literal(true).optional(),
  }),
  z.object({ kind: z.literal('skill'), name: z.string(), how: z.enum(['tool', 'read', 'prompt']) }),
  z.object({ kind: z.literal('usage'), inputTokens: z.number(), outputTokens: z.number() }),
  z.object({ kind: z.literal('end'), ok: z.boolean(), reason: z.string() }),
]);

/** What is kept of an agent's work for people to look at, as a text of its own. */
export const KeptWorkText = z.object({
  format: z.literal('whetstone-work'),
  version: z.union([z.literal(1), z.literal(2)]),
  events: z.array(event).readonly(),
  diff: z.string(),
});

/** What an agent did and left behind, as it is kept with the reply that it gave. */
export const WorkLeft: z.ZodType<Left> = z.object({
  events: z.array(event).readonly(),
  diff: z.string(),
  notShown: z.array(z.string()).readonly().optional(),
  changed: z.array(z.object({ path: z.string(), change: z.enum(['added', 'changed', 'deleted']) })).readonly(),
  judged: z.array(ProgramEnd).readonly(),
  touched: z
    .array(
      z.object({
        canary: z.enum(['file', 'variable', 'host']),
        seenIn: z.enum(['transcript', 'diff', 'files', 'request', 'connection']),
      }),
    )
    .readonly(),
  refusedHosts: z.array(z.string()).readonly(),
  ended: z.enum(['done', 'tokens', 'turns', 'time', 'output']),
  raw: z.string().optional(),
});
