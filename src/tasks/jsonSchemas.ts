import * as z from 'zod';
import { evalsFile } from './readers/evalsFile.js';
import { checkEntry, whetstoneEntry, whetstoneFile } from './readers/whetstoneFile.js';

/** What a schema needs to know of a check to complete its arguments. */
export interface CheckShape {
  readonly name: string;
  readonly about: string;
  readonly arguments: z.ZodType;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/** For completion and validation of `evals/evals.json` in an editor. */
export function evalsJsonSchema(): JsonSchema {
  return { ...toSchema(evalsFile), title: 'Examples of an agent skill' };
}

/** For completion and validation of `evals/whetstone.json`, with the arguments of every check. */
export function whetstoneJsonSchema(checks: readonly CheckShape[]): JsonSchema {
  const entries = checks.map((check) => checkSchema(check));
  const anyCheck = z.array(z.unknown()).meta({ items: { oneOf: entries } });
  const file = whetstoneFile.extend({
    $schema: z.string().optional(),
    tasks: z.record(z.string(), whetstoneEntry.extend({ checks: anyCheck.optional() })).optional(),
  });
  return { ...toSchema(file), title: 'What Whetstone knows of the examples of a skill' };
}

function checkSchema({ name, about, arguments: options }: CheckShape): JsonSchema {
  const { properties, required, ...rest } = toSchema(options);
  const common = toSchema(checkEntry);
  const shared = isRecord(common['properties']) ? common['properties'] : {};
  return {
    ...rest,
    description: about,
    properties: { ...shared, check: { const: name, description: about }, ...(isRecord(properties) ? properties : {}) },
    required: ['check', ...(Array.isArray(required) ? required : [])],
    additionalProperties: false,
  };
}

function toSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input', target: 'draft-7' });
  return rest;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
