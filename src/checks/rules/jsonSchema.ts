import * as z from 'zod';
import { defineCheck, scored } from '../check.js';
import { compileSchema, entriesOf, isObject } from '../jsonSchema/compileSchema.js';
import { validateValue } from '../jsonSchema/validateValue.js';

export const jsonSchema = defineCheck({
  name: 'json_schema',
  about: 'The answer is JSON that follows this schema; a code fence around all of it is allowed.',
  arguments: z.strictObject({
    schema: z.union([z.boolean(), z.record(z.string(), z.unknown())]),
    criterion: z.string().trim().min(1).optional(),
  }),
  prepare: ({ schema, criterion }) => {
    const compiled = compileSchema(schema);
    return {
      criterion: criterion ?? `The answer is valid JSON${described(schema)}.`,
      secrets: [...compiled.expressions.keys()],
      evaluation: {
        by: 'rule',
        evaluate: ({ answer }) => {
          const value = parsed(answer);
          if (value === undefined) return scored(false, 'It is not JSON.');
          const validation = validateValue(value.json, compiled);
          if (validation.kind === 'exhausted') {
            return { kind: 'invalid', reason: "This task's “json_schema” check took too long on the answer." };
          }
          return validation.kind === 'valid'
            ? scored(true, 'It follows its schema.')
            : scored(false, `It does not follow its schema: ${validation.reason}.`);
        },
      },
    };
  },
});

/** What a person would say of the schema: its type and the properties it requires. */
function described(schema: boolean | Readonly<Record<string, unknown>>): string {
  if (!isObject(schema)) return '';
  const type = schema['type'];
  const required = new Set(Array.isArray(schema['required']) ? schema['required'].map(String) : []);
  const properties = new Map(entriesOf(schema['properties']));
  const names = [...new Set([...required, ...properties.keys()])].map((name) => {
    const own = properties.get(name);
    const kind = isObject(own) && typeof own['type'] === 'string' ? own['type'] : undefined;
    const notes = [kind, required.has(name) ? undefined : 'optional'].filter((note) => note !== undefined);
    return notes.length === 0 ? `“${name}”` : `“${name}” (${notes.join(', ')})`;
  });
  const what = typeof type === 'string' ? `: ${/^[aeiou]/u.test(type) ? 'an' : 'a'} ${type}` : '';
  return names.length === 0 ? what : `${what === '' ? ': an object' : what} with ${names.join(', ')}`;
}

function parsed(answer: string): { readonly json: unknown } | undefined {
  const text = answer.replace(/^\uFEFF/u, '').trim();
  try {
    return { json: JSON.parse(insideFence(text) ?? text) };
  } catch {
    return undefined; // Not JSON is an outcome, not a fault.
  }
}

/** What stands in a fence that is all of the text. An expression would compare a long fence with the text at each place of it. */
function insideFence(text: string): string | undefined {
  let ticks = 0;
  while (text.charAt(ticks) === '`') ticks += 1;
  const start = text.indexOf('\n', ticks) + 1;
  const end = text.length - ticks;
  if (ticks < 3 || start === 0 || end < start) return undefined;
  if (text.slice(ticks, start).includes('`') || !text.endsWith(text.slice(0, ticks))) return undefined;
  return text.slice(start, end > start && text.charAt(end - 1) === '\n' ? end - 1 : end);
}
