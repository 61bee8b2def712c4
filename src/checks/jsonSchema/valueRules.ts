import { canonicalJson } from '../../hash.js';
import { charactersIn } from '../charactersIn.js';
import { boundedTest } from '../regex/boundedTest.js';
import type { TranslatedRegex } from '../regex/translateRegex.js';
import { entriesOf, isObject, type SchemaNode } from './compileSchema.js';

/** Validation took longer than it may. */
export class ExhaustedError extends Error {}

export interface ValueWalk {
  readonly where: string;
  readonly violation: (value: unknown, schema: SchemaNode, where: string) => string | undefined;
  readonly expressions: ReadonlyMap<string, TranslatedRegex>;
}

type Schema = Exclude<SchemaNode, boolean>;

export function numberViolation(value: number, schema: Schema, { where }: ValueWalk): string | undefined {
  return (
    bound(schema, 'minimum', (limit) => value < limit, `${where} must be at least`) ??
    bound(schema, 'maximum', (limit) => value > limit, `${where} must be at most`) ??
    bound(schema, 'exclusiveMinimum', (limit) => value <= limit, `${where} must be more than`) ??
    bound(schema, 'exclusiveMaximum', (limit) => value >= limit, `${where} must be less than`) ??
    bound(schema, 'multipleOf', (step) => !isWhole(value / step), `${where} must be a multiple of`)
  );
}

export function stringViolation(value: string, schema: Schema, { where, expressions }: ValueWalk): string | undefined {
  const length = charactersIn(value);
  const tooShort = bound(schema, 'minLength', (limit) => length < limit, `${where} is shorter than`);
  const tooLong = bound(schema, 'maxLength', (limit) => length > limit, `${where} is longer than`);
  const expression = expressions.get(String(schema['pattern']));
  if (expression === undefined) return tooShort ?? tooLong;
  const test = boundedTest(expression, value);
  if (test.kind === 'timed-out') throw new ExhaustedError();
  return tooShort ?? tooLong ?? (test.found ? undefined : `${where} does not have its pattern`);
}

export function arrayViolation(value: readonly unknown[], schema: Schema, walk: ValueWalk): string | undefined {
  const { where } = walk;
  const reason =
    bound(schema, 'minItems', (limit) => value.length < limit, `${where} has fewer items than`) ??
    bound(schema, 'maxItems', (limit) => value.length > limit, `${where} has more items than`) ??
    itemViolation(value, schema, walk);
  if (reason !== undefined) return reason;
  const repeats = schema['uniqueItems'] === true && new Set(value.map(canonicalJson)).size < value.length;
  return repeats ? `${where} repeats an item` : containsViolation(value, schema, walk);
}

function itemViolation(value: readonly unknown[], schema: Schema, { where, violation }: ValueWalk): string | undefined {
  const first = Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : [];
  for (const [index, item] of value.entries()) {
    const own = index < first.length ? schemaOf(first[index]) : schemaOf(schema['items']);
    const reason = violation(item, own, `${where}[${index}]`);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function containsViolation(
  value: readonly unknown[],
  schema: Schema,
  { where, violation }: ValueWalk,
): string | undefined {
  const wanted = schema['contains'];
  if (wanted === undefined) return undefined;
  const found = value.some((item) => violation(item, schemaOf(wanted), where) === undefined);
  return found ? undefined : `${where} lacks an item that it must contain`;
}

export function objectViolation(
  value: Readonly<Record<string, unknown>>,
  schema: Schema,
  { where, violation }: ValueWalk,
): string | undefined {
  const names = Object.keys(value);
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const missing = required.find((name) => !Object.hasOwn(value, String(name)));
  if (missing !== undefined) return `${where} lacks “${String(missing)}”`;
  const counts =
    bound(schema, 'minProperties', (limit) => names.length < limit, `${where} has fewer properties than`) ??
    bound(schema, 'maxProperties', (limit) => names.length > limit, `${where} has more properties than`);
  if (counts !== undefined) return counts;
  const properties = new Map(entriesOf(schema['properties']));
  for (const name of names) {
    const own = properties.has(name) ? properties.get(name) : schema['additionalProperties'];
    const reason =
      violation(name, schemaOf(schema['propertyNames']), `the name “${name}”`) ??
      violation(value[name], schemaOf(own), `${where}.${name}`);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function bound(
  schema: Schema,
  keyword: string,
  isPassed: (limit: number) => boolean,
  what: string,
): string | undefined {
  const limit = schema[keyword];
  return typeof limit === 'number' && isPassed(limit) ? `${what} ${limit}` : undefined;
}

// 0.3 is a multiple of 0.1 to everyone but a computer.
function isWhole(ratio: number): boolean {
  return Math.abs(ratio - Math.round(ratio)) < 1e-9;
}

function schemaOf(value: unknown): SchemaNode {
  return typeof value === 'boolean' || isObject(value) ? value : true;
}
