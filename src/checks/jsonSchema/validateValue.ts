import { canonicalJson } from '../../hash.js';
import { isObject, type CompiledSchema, type SchemaNode } from './compileSchema.js';
import { arrayViolation, ExhaustedError, numberViolation, objectViolation, stringViolation } from './valueRules.js';

export type Validation =
  | { readonly kind: 'valid' }
  | { readonly kind: 'violated'; readonly reason: string }
  /** An expression or the references of the schema took too long: nothing is known about the value. */
  | { readonly kind: 'exhausted' };

// Enough for any answer a person reads; schemas that refer to themselves could otherwise go on for ever.
const mostSteps = 200_000;

/** The first thing about a value that a schema forbids. Gives up after a fixed number of steps. */
export function validateValue(value: unknown, { root, definitions, expressions }: CompiledSchema): Validation {
  let steps = 0;
  const violation = (one: unknown, schema: SchemaNode, where: string): string | undefined => {
    steps += 1;
    if (steps > mostSteps) throw new ExhaustedError();
    if (typeof schema === 'boolean') return schema ? undefined : `${where} must not be there`;
    const reference = schema['$ref'];
    const referred = typeof reference === 'string' ? definitions.get(reference) : undefined;
    const below = referred === undefined ? undefined : violation(one, referred, where);
    return below ?? generalViolation(one, schema, { where, violation }) ?? typedViolation(one, schema, where);
  };
  const typedViolation = (one: unknown, schema: Exclude<SchemaNode, boolean>, where: string): string | undefined => {
    const walk = { where, violation, expressions };
    if (typeof one === 'number') return numberViolation(one, schema, walk);
    if (typeof one === 'string') return stringViolation(one, schema, walk);
    if (Array.isArray(one)) return arrayViolation(one, schema, walk);
    return isObject(one) ? objectViolation(one, schema, walk) : undefined;
  };
  try {
    const reason = violation(value, root, 'the answer');
    return reason === undefined ? { kind: 'valid' } : { kind: 'violated', reason };
  } catch (error) {
    // A value or a chain of references too deep for the stack is as unknown as one that takes too long.
    if (error instanceof ExhaustedError || error instanceof RangeError) return { kind: 'exhausted' };
    throw error;
  }
}

function generalViolation(
  value: unknown,
  schema: Exclude<SchemaNode, boolean>,
  walk: {
    readonly where: string;
    readonly violation: (value: unknown, schema: SchemaNode, where: string) => string | undefined;
  },
): string | undefined {
  const { where, violation } = walk;
  const types = listOf(schema['type']);
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) return `${where} must be ${types.join(' or ')}`;
  const allowed = listOf(schema['enum']).map(canonicalJson);
  if (allowed.length > 0 && !allowed.includes(canonicalJson(value)))
    return `${where} must be one of ${allowed.join(', ')}`;
  if (Object.hasOwn(schema, 'const') && canonicalJson(schema['const']) !== canonicalJson(value)) {
    return `${where} must be ${canonicalJson(schema['const'])}`;
  }
  const failures = (name: string): readonly (string | undefined)[] =>
    listOf(schema[name]).map((one) => violation(value, schemaOf(one), where));
  const all = failures('allOf').find((one) => one !== undefined);
  return (
    all ??
    anyViolation(failures('anyOf'), where) ??
    oneViolation(failures('oneOf'), where) ??
    notViolation(value, schema, walk)
  );
}

function anyViolation(failures: readonly (string | undefined)[], where: string): string | undefined {
  return failures.length === 0 || failures.includes(undefined) ? undefined : `${where} fits none of its forms`;
}

function oneViolation(failures: readonly (string | undefined)[], where: string): string | undefined {
  const fitting = failures.filter((one) => one === undefined).length;
  return failures.length === 0 || fitting === 1 ? undefined : `${where} fits ${fitting} of its forms instead of one`;
}

function notViolation(
  value: unknown,
  schema: Exclude<SchemaNode, boolean>,
  {
    where,
    violation,
  }: {
    readonly where: string;
    readonly violation: (value: unknown, schema: SchemaNode, where: string) => string | undefined;
  },
): string | undefined {
  if (!Object.hasOwn(schema, 'not')) return undefined;
  return violation(value, schemaOf(schema['not']), where) === undefined
    ? `${where} has a form it must not have`
    : undefined;
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

function schemaOf(value: unknown): SchemaNode {
  return typeof value === 'boolean' || isObject(value) ? value : true;
}
