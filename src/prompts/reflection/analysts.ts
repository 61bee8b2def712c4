import * as z from 'zod';
import type { PromptTemplate } from '../renderPrompt.js';

// What questions to analysts and the replies to them have in common, whatever an analyst proposes: edits, ways to revise a
// skill, or a whole one.

/** Every analyst is shown these. */
const shown = ['skill', 'attempts', 'guardrail', 'preferences', 'history'] as const;

/** A question to an analyst; `more` is what only some are shown. */
export function analystPrompt<More extends string = never>(
  name: string,
  text: string,
  ...more: readonly More[]
): PromptTemplate<(typeof shown)[number] | More> {
  return { name, text, placeholders: [...shown, ...more] };
}

/** A pattern that an analyst saw. */
export const Failure = z.object({
  failure_type: z.string().default('failure'),
  count: z.number().finite().default(1),
  description: z.string().default(''),
});

/** What analysts saw in the failures; a reply without it is one all the same. */
export const failureSummary = z.array(Failure).catch([]).default([]);

type Properties = Readonly<Record<string, unknown>>;

/** The JSON schema of an object that has exactly these fields. */
export function objectSchema<Fields extends Properties>(properties: Fields) {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

export function listSchema<Items>(items: Items) {
  return { type: 'array', items };
}

export const textSchema = { type: 'string' };

/** What a merge proposes carries how many attempts speak for it. */
export function withSupport<Fields extends Properties>({ properties }: { readonly properties: Fields }) {
  return objectSchema({ ...properties, support_count: { type: 'number' } });
}

export const failureSchema = objectSchema({
  failure_type: textSchema,
  count: { type: 'number' },
  description: textSchema,
});

export const failureSummarySchema = listSchema(failureSchema);
