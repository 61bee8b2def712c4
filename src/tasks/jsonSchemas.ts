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

/*
 * For completion and help alone: they refuse nothing. What is wrong with a task file is said by its reader, once, with
 * the name of the task and what was meant; an editor that refused it too would list every fault twice.
 */

/** For completion in `evals/evals.json`. */
export function evalsJsonSchema(): JsonSchema {
  return { ...refusingNothing(toSchema(evalsFile)), title: 'Examples of an agent skill' };
}

/** For completion in `evals/whetstone.json`, with the arguments of every check. */
export function whetstoneJsonSchema(checks: readonly CheckShape[]): JsonSchema {
  const anyCheck = z.array(z.unknown()).meta({ items: { anyOf: [...checks.map(checkSchema), someCheck(checks)] } });
  const file = whetstoneFile.extend({
    $schema: z.string().optional(),
    tasks: z.record(z.string(), whetstoneEntry.extend({ checks: anyCheck.optional() })).optional(),
  });
  return { ...refusingNothing(toSchema(file)), title: 'What Whetstone knows of the examples of a skill' };
}

/** Arguments are offered to a check of its name. */
function checkSchema({ name, about, arguments: options }: CheckShape): JsonSchema {
  const check = { const: name, description: about, [kept]: true };
  return {
    description: about,
    properties: { ...propertiesOf(toSchema(checkEntry)), ...propertiesOf(toSchema(options)), check },
  };
}

/** A check whose name is still to be written: all names are offered. */
function someCheck(checks: readonly CheckShape[]): JsonSchema {
  const check = { anyOf: checks.map(({ name, about }) => ({ const: name, description: about })) };
  return { properties: { ...propertiesOf(toSchema(checkEntry)), check } };
}

function propertiesOf({ properties }: JsonSchema): JsonSchema {
  return isRecord(properties) ? properties : {};
}

/** Marks a constant that tells alternatives apart. */
const kept = 'x-kept';

/** The same schema with all that it says and offers, which every value fits. */
function refusingNothing(schema: unknown): JsonSchema {
  if (!isRecord(schema)) return {};
  const { [kept]: isKept, enum: values, const: value, type, oneOf, anyOf, ...rest } = schema;
  if (isKept === true) return { const: value, ...said(rest) };
  const offered = [
    ...(values === undefined ? [] : [{ enum: values }]),
    ...(value === undefined ? [] : [{ const: value, ...said(rest) }]),
    ...(type === 'boolean' ? [{ type }] : []),
    ...[oneOf, anyOf].flatMap((list) => (Array.isArray(list) ? list.map(refusingNothing) : [])),
  ];
  return { ...said(rest), ...below(rest), ...(offered.length > 0 ? { anyOf: [...offered, {}] } : {}) };
}

function below({ properties, items, additionalProperties }: JsonSchema): JsonSchema {
  return {
    ...(isRecord(properties) ? { properties: mapped(properties) } : {}),
    ...(isRecord(items) ? { items: refusingNothing(items) } : {}),
    ...(isRecord(additionalProperties) ? { additionalProperties: refusingNothing(additionalProperties) } : {}),
  };
}

function mapped(properties: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, refusingNothing(schema)]));
}

/** What is shown and filled in, and nothing that a value could go against. */
function said({ description, default: usual }: JsonSchema): JsonSchema {
  return { ...(description === undefined ? {} : { description }), ...(usual === undefined ? {} : { default: usual }) };
}

function toSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input', target: 'draft-7' });
  return rest;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
