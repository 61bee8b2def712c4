import * as z from 'zod';
import { meantName } from './nearestName.js';
import type { JsonPath } from './json/jsonTree.js';

/** One thing that is wrong with a value that a person wrote, and where in it. */
export interface FieldFault {
  readonly path: JsonPath;
  readonly message: string;
  /** True for a field that there is not: it is its name that is wrong. */
  readonly isName?: boolean;
  /** The field that was meant by it, where one is near. */
  readonly meant?: string | undefined;
}

/** How fields are spoken of: below what they stand, and how it is said that the value itself has no such field. */
interface FieldNames {
  readonly under?: readonly string[];
  readonly noSuch?: (field: string, instead: NoSuchField) => string;
}

interface NoSuchField {
  readonly within: string;
  readonly meant: string | undefined;
  readonly known: readonly string[];
}

/**
 * What a schema refused, in plain words: the field, what stands there and what may. One for each fault: a field that is
 * missing because its name was mistyped is told once, as the name.
 */
export function fieldFaults(
  schema: z.ZodType,
  value: unknown,
  { error, names = {} }: { readonly error: z.ZodError; readonly names?: FieldNames },
): readonly FieldFault[] {
  const issues = error.issues.flatMap((issue) => nearestAlternative(issue, value));
  const unknown = issues.flatMap((issue) => unknownFields(schema, issue, names));
  const meant = new Set(unknown.flatMap((fault) => (fault.meant === undefined ? [] : [pathText(meantPath(fault))])));
  const others = issues
    .filter((issue) => issue.code !== 'unrecognized_keys')
    .map((issue) => ({ issue, path: pathOf(issue), found: valueAt(value, issue.path) }))
    .filter(({ path, found }) => found !== undefined || !meant.has(pathText(path)));
  return [...unknown, ...others.map(({ issue, path, found }) => ({ path, message: wrongValue(issue, found, names) }))];
}

function meantPath({ path, meant = '' }: FieldFault): JsonPath {
  return [...path.slice(0, -1), meant];
}

function pathText(path: JsonPath): string {
  return JSON.stringify(path);
}

function pathOf({ path }: { readonly path: readonly PropertyKey[] }): JsonPath {
  return path.map((step) => (typeof step === 'symbol' ? String(step) : step));
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, step) => (typeof at === 'object' && at !== null ? Reflect.get(at, step) : undefined),
    value,
  );
}

/** Of several forms that a value may have, what is wrong with the one that was begun; all of them where none was. */
function nearestAlternative(issue: z.core.$ZodIssue, value: unknown): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || valueAt(value, issue.path) === undefined) return [issue];
  const begun = issue.errors.find((each) => !each.some(({ code, path }) => code === 'invalid_type' && !path.length));
  if (begun === undefined || begun.length === 0) return [issue];
  return begun.flatMap((each) => nearestAlternative({ ...each, path: [...issue.path, ...each.path] }, value));
}

function unknownFields(schema: z.ZodType, issue: z.core.$ZodIssue, names: FieldNames): readonly FieldFault[] {
  if (issue.code !== 'unrecognized_keys') return [];
  const known = fieldsAt(schema, issue.path);
  return issue.keys.map((key) => {
    const path = [...pathOf(issue), key];
    const meant = meantName(key, known);
    const within = nameOf(path.slice(0, -1), names);
    const { noSuch = noField } = path.length === 1 ? names : {};
    return { path, isName: true, meant, message: noSuch(key, { within, meant, known }) };
  });
}

function noField(key: string, { within, meant, known }: NoSuchField): string {
  return meant === undefined
    ? `“${within}” has no field “${key}”. It has these: ${known.join(', ')}.`
    : `“${within}” has no field “${key}”. Did you mean “${meant}”?`;
}

type Step = (schema: z.core.$ZodType, path: readonly PropertyKey[]) => readonly string[];

/** The fields that a schema knows at a place. */
const fieldsAt: Step = (schema, path) => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return fieldsAt(schema.unwrap(), path);
  if (schema instanceof z.ZodPipe) return fieldsAt(schema.in, path);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => fieldsAt(option, path));
  if (schema instanceof z.ZodArray) return fieldsAt(schema.element, path.slice(1));
  if (!(schema instanceof z.ZodObject)) return [];
  const [first, ...rest] = path;
  if (first === undefined) return Object.keys(schema.shape);
  const below = schema.shape[String(first)];
  return below === undefined ? [] : fieldsAt(below, rest);
};

function nameOf(path: JsonPath, { under = [] }: FieldNames): string {
  return [...under, ...path].join('.');
}

function wrongValue(issue: z.core.$ZodIssue, found: unknown, names: FieldNames): string {
  const name = nameOf(pathOf(issue), names);
  return [mustBe(name === '' ? 'It' : `“${name}”`, issue), whatStandsThere(issue, found)].filter(Boolean).join(' ');
}

/** What may stand there. */
function mustBe(name: string, issue: z.core.$ZodIssue): string {
  if (!isOfZod(issue.message)) return `${name}: ${issue.message}.`;
  if (issue.code === 'invalid_type') return mustBeKind(name, issue.expected);
  if (issue.code === 'invalid_value') return `${name} must be one of these: ${issue.values.join(', ')}.`;
  if (issue.code === 'too_small') return tooSmall(name, issue);
  if (issue.code !== 'too_big') return `${name} is not understood.`;
  return issue.origin === 'string'
    ? `${name} must have at most ${issue.maximum} characters.`
    : `${name} must be at most ${issue.maximum}.`;
}

/** What a schema of ours says itself is said in our words already. */
function isOfZod(message: string): boolean {
  return /^(?:Invalid|Too (?:small|big)|Unrecognized)\b/u.test(message);
}

function tooSmall(name: string, { origin, minimum, inclusive }: z.core.$ZodIssueTooSmall): string {
  if (origin === 'string' || origin === 'array') return `${name} must not be empty.`;
  return inclusive === false ? `${name} must be more than ${minimum}.` : `${name} must be at least ${minimum}.`;
}

function mustBeKind(name: string, expected: string): string {
  switch (expected) {
    case 'object':
    case 'record':
      return `${name} must be an object in braces.`;
    case 'array':
      return `${name} must be a list in square brackets.`;
    case 'boolean':
      return `${name} must be either true or false.`;
    case 'int':
      return `${name} must be a whole number.`;
    case 'number':
      return `${name} must be a number, without quotation marks.`;
    default:
      return `${name} must be a text in quotation marks.`;
  }
}

const longestShown = 60;

/** Empty where the words before say it already. */
function whatStandsThere(issue: z.core.$ZodIssue, found: unknown): string {
  if (found === undefined) return 'It is missing.';
  if (typeof found === 'string' && found.trim() === '') return '';
  const shown = shownValue(found);
  const meant = typeof found === 'string' && issue.code === 'invalid_value' ? nearOf(found, issue.values) : undefined;
  return meant === undefined
    ? `What stands there is ${shown}.`
    : `What stands there is ${shown}. Did you mean “${meant}”?`;
}

function nearOf(found: string, values: readonly unknown[]): string | undefined {
  return meantName(
    found,
    values.flatMap((value) => (typeof value === 'string' ? [value] : [])),
  );
}

function shownValue(found: unknown): string {
  const text = JSON.stringify(found) ?? '';
  const cut = text.length <= longestShown ? text : `${text.slice(0, longestShown - 1)}…`;
  return typeof found === 'string' ? `“${cut.replace(/^"|"$/gu, '')}”` : cut;
}
