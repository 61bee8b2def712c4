import * as z from 'zod';
import { UserError } from '../../errors.js';
import { memberOf, valueOf, type JsonMember, type JsonNode } from '../json/jsonTree.js';
import { nearestName } from '../nearestName.js';
import { mapInSteps, type Steps } from '../steps.js';
import { refuseTooMany, schemaProblems, TasksMalformedError, type TaskFile } from '../taskFile.js';
import type { TaskProblem } from '../taskProblem.js';
import {
  moduleDeclaration,
  programDeclaration,
  whetstoneEntry,
  whetstoneFile,
  whetstoneFormat,
  whetstoneVersion,
  type EnvironmentDeclaration,
  type WhetstoneEntry,
} from './whetstoneFile.js';

/** What `whetstone.json` says of one task; `entry` is undefined where it cannot be read. */
export interface WhetstoneRow {
  readonly id: string;
  readonly entry: WhetstoneEntry | undefined;
  readonly member: JsonMember;
}

export interface WhetstoneRows {
  readonly rows: readonly WhetstoneRow[];
  readonly environments: ReadonlyMap<string, EnvironmentDeclaration>;
  /** Those that are declared with an error, each with what is wrong. */
  readonly misdeclared: ReadonlyMap<string, string>;
  readonly problems: readonly TaskProblem[];
}

/** Reads each entry by itself. Throws for another format, and politely for a version of the future. */
export function* readWhetstone(file: TaskFile): Steps<WhetstoneRows> {
  assertFormat(file);
  const tasks = yield* readTaskEntries(file);
  const environments = readEnvironments(file);
  return {
    rows: tasks.rows,
    environments: environments.declared,
    misdeclared: environments.misdeclared,
    problems: [
      ...unknownFields(file, file.root, { shape: whetstoneFile.shape }),
      ...tasks.problems,
      ...environments.problems,
    ],
  };
}

/** The separate held-out file that `whetstone.json` names, relative to the folder of both. */
export function heldOutFileOf(file: TaskFile): string | undefined {
  const named = memberOf(file.root, 'heldOutFile')?.value;
  if (named === undefined) return undefined;
  const parsed = z.string().regex(insideFolder).safeParse(valueOf(named));
  if (!parsed.success)
    throw new TasksMalformedError('“heldOutFile” must name a file in this folder', file.placeOf(named));
  return parsed.data;
}

// A relative path that never climbs.
const insideFolder = /^(?![\\/]|[A-Za-z]:)(?!(?:.*[\\/])?\.\.(?:[\\/]|$)).+$/u;

function assertFormat(file: TaskFile): void {
  const format = memberOf(file.root, 'format')?.value ?? file.root;
  if (valueOf(format) !== whetstoneFormat) {
    throw new TasksMalformedError(`expected “format”: “${whetstoneFormat}”`, file.placeOf(format));
  }
  const version = memberOf(file.root, 'version')?.value ?? file.root;
  const value = valueOf(version);
  if (typeof value === 'number' && value > whetstoneVersion) {
    const what = `${file.path} was written by a newer Whetstone (version ${value} of the format).`;
    throw new UserError('store-newer', what, 'Update Whetstone.');
  }
  if (value !== whetstoneVersion) {
    throw new TasksMalformedError(`expected “version”: ${whetstoneVersion}`, file.placeOf(version));
  }
}

function* readTaskEntries(file: TaskFile): Steps<Pick<WhetstoneRows, 'rows' | 'problems'>> {
  const rows: WhetstoneRow[] = [];
  const problems: TaskProblem[] = [];
  const seen = new Set<string>();
  const members = membersOf(file, 'tasks');
  refuseTooMany(file, file.root, members.length);
  yield* mapInSteps(members, (member) => {
    if (seen.has(member.key)) problems.push(repeatedEntry(file, member));
    seen.add(member.key);
    const parsed = whetstoneEntry.safeParse(valueOf(member.value));
    if (parsed.success) {
      problems.push(...unknownFields(file, member.value, { shape: whetstoneEntry.shape, taskId: member.key }));
    } else problems.push(...schemaProblems(file, member.value, parsed.error, { taskId: member.key }));
    rows.push({ id: member.key, entry: parsed.data, member });
  });
  return { rows, problems };
}

function readEnvironments(file: TaskFile): {
  readonly declared: ReadonlyMap<string, EnvironmentDeclaration>;
  readonly misdeclared: ReadonlyMap<string, string>;
  readonly problems: readonly TaskProblem[];
} {
  const declared = new Map<string, EnvironmentDeclaration>();
  const misdeclared = new Map<string, string>();
  const problems: TaskProblem[] = [];
  for (const member of membersOf(file, 'environments')) {
    const isModule = memberOf(member.value, 'module') !== undefined;
    const schema = isModule ? moduleDeclaration : programDeclaration;
    const parsed = schema.safeParse(valueOf(member.value));
    if (parsed.success) {
      declared.set(member.key, parsed.data);
      continue;
    }
    const found = declarationProblems(file, member, { error: parsed.error, shape: schema.shape });
    misdeclared.set(member.key, found[0]?.message ?? '');
    problems.push(...found);
  }
  return { declared, misdeclared, problems };
}

/** What is wrong with a declaration, a key that is not known on its own line and with the nearest one. */
function declarationProblems(
  file: TaskFile,
  { key: environment, value: node }: JsonMember,
  { error, shape }: { readonly error: z.ZodError; readonly shape: Readonly<Record<string, unknown>> },
): readonly TaskProblem[] {
  const others = new z.ZodError(error.issues.filter((issue) => !isUnknownKey(issue)));
  const keys = node.kind !== 'object' || !error.issues.some(isUnknownKey) ? [] : node.members;
  return [
    ...keys
      .filter(({ key }) => !Object.hasOwn(shape, key))
      .map((member): TaskProblem => ({
        severity: 'error',
        code: 'schema',
        message: `“environments.${environment}”: ${unknownKey(member.key, Object.keys(shape))}`,
        taskId: undefined,
        place: file.placeOf({ start: member.start, end: member.start + member.key.length + 2 }),
      })),
    ...schemaProblems(file, node, others, { under: ['environments', environment] }),
  ];
}

/** Of the declaration itself: what stands in its options or its target is another's. */
function isUnknownKey(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'unrecognized_keys' && issue.path.length === 0;
}

/** Half a name means the whole one. */
function unknownKey(key: string, known: readonly string[]): string {
  const near = nearestName(key, known) ?? known.find((name) => key.length > 2 && name.startsWith(key));
  return near === undefined
    ? `“${key}” is no key of an environment. Known here: ${known.join(', ')}.`
    : `“${key}” is no key of an environment. Did you mean “${near}”?`;
}

function membersOf(file: TaskFile, name: string): readonly JsonMember[] {
  const node = memberOf(file.root, name)?.value;
  if (node === undefined) return [];
  if (node.kind !== 'object') throw new TasksMalformedError(`“${name}” must be an object`, file.placeOf(node));
  return node.members;
}

function repeatedEntry(file: TaskFile, member: JsonMember): TaskProblem {
  return {
    severity: 'error',
    code: 'duplicate-id',
    message: `“${member.key}” stands here twice. Keep one of the two.`,
    taskId: member.key,
    place: file.placeOf({ start: member.start, end: member.start + member.key.length + 2 }),
  };
}

function unknownFields(
  file: TaskFile,
  node: JsonNode,
  { shape, taskId }: { readonly shape: Readonly<Record<string, unknown>>; readonly taskId?: string },
): readonly TaskProblem[] {
  if (node.kind !== 'object') return [];
  return node.members
    .filter((member) => !Object.hasOwn(shape, member.key) && member.key !== '$schema')
    .map((member) => ({
      severity: 'warning',
      code: 'unknown-field',
      message: `Nothing reads “${member.key}”. Known here: ${Object.keys(shape).join(', ')}.`,
      taskId,
      place: file.placeOf({ start: member.start, end: member.start + member.key.length + 2 }),
    }));
}
