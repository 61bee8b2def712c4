import * as z from 'zod';
import { UserError } from '../../errors.js';
import { memberOf, valueOf, type JsonMember, type JsonNode } from '../json/jsonTree.js';
import { fieldFaults } from '../fieldFaults.js';
import { meantName } from '../nearestName.js';
import { mapInSteps, type Steps } from '../steps.js';
import { nameIn, refuseTooMany, schemaProblems, TasksMalformedError, type TaskFile } from '../taskFile.js';
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

/** What `whetstone.json` says of one task. */
export interface WhetstoneRow {
  readonly id: string;
  /** Without the fields that cannot be read. */
  readonly entry: WhetstoneEntry;
  /** Those that cannot be read, and those that a mistyped name most likely means: nothing is known of them. */
  readonly unread: ReadonlySet<string>;
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
      ...repeatedIn(file, file.root),
      ...unknownFields(file, file.root, { shape: whetstoneFile.shape }).map(({ problem }) => problem),
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
    if (seen.has(member.key)) problems.push(repeatedEntry(file, member, member.key));
    seen.add(member.key);
    const read = readEntry(file, member);
    problems.push(...read.problems);
    rows.push({ id: member.key, member, entry: read.entry, unread: read.unread });
  });
  return { rows, problems };
}

/** Field by field: what is wrong with one of them says nothing about the others. */
function readEntry(
  file: TaskFile,
  { key: taskId, value: node }: JsonMember,
): Pick<WhetstoneRow, 'entry' | 'unread'> & Pick<WhetstoneRows, 'problems'> {
  const value = valueOf(node);
  const parsed = whetstoneEntry.safeParse(value);
  const unknown = unknownFields(file, node, { shape: whetstoneEntry.shape, taskId });
  const faults = parsed.success ? [] : fieldFaults(whetstoneEntry, value, parsed);
  const wrong = faults.map(({ path: [first] }) => first);
  const unread = wrong.includes(undefined)
    ? Object.keys(whetstoneEntry.shape)
    : [...wrong.map(String), ...unknown.flatMap(({ meant }) => meant ?? [])];
  const rest = parsed.success
    ? parsed
    : whetstoneEntry.safeParse(
        Object.fromEntries(Object.entries(Object(value)).filter(([name]) => !wrong.includes(name))),
      );
  const problems = [
    ...repeatedIn(file, node, taskId),
    ...schemaProblems(file, node, faults, taskId),
    ...unknown.map(({ problem }) => problem),
  ];
  return { entry: rest.data ?? {}, unread: new Set(unread), problems };
}

function readEnvironments(file: TaskFile): {
  readonly declared: ReadonlyMap<string, EnvironmentDeclaration>;
  readonly misdeclared: ReadonlyMap<string, string>;
  readonly problems: readonly TaskProblem[];
} {
  const declared = new Map<string, EnvironmentDeclaration>();
  const misdeclared = new Map<string, string>();
  const problems: TaskProblem[] = [];
  const members = membersOf(file, 'environments');
  const again = new Map(repeatedMembers(members).map((member) => [member.key, repeatedEntry(file, member)]));
  problems.push(...again.values());
  for (const member of members) {
    // Which one is meant nobody can say, and people may have looked at the other.
    const within = repeatedIn(file, member.value);
    const [repeated] = [...within, ...[again.get(member.key) ?? []].flat()];
    problems.push(...within);
    if (repeated !== undefined) {
      misdeclared.set(member.key, repeated.message);
      continue;
    }
    const isModule = memberOf(member.value, 'module') !== undefined;
    const schema = isModule ? moduleDeclaration : programDeclaration;
    const value = valueOf(member.value);
    const parsed = schema.safeParse(value);
    if (parsed.success) {
      declared.set(member.key, parsed.data);
      continue;
    }
    const under = ['environments', member.key];
    const faults = fieldFaults(schema, value, { error: parsed.error, names: { under, noSuch: noKey } });
    const found = schemaProblems(file, member.value, faults);
    misdeclared.set(member.key, found[0]?.message ?? '');
    problems.push(...found);
  }
  return { declared, misdeclared, problems };
}

function noKey(
  key: string,
  {
    within,
    meant,
    known,
  }: { readonly within: string; readonly meant: string | undefined; readonly known: readonly string[] },
): string {
  return meant === undefined
    ? `“${within}”: “${key}” is no key of an environment. Known here: ${known.join(', ')}.`
    : `“${within}”: “${key}” is no key of an environment. Did you mean “${meant}”?`;
}

function membersOf(file: TaskFile, name: string): readonly JsonMember[] {
  const node = memberOf(file.root, name)?.value;
  if (node === undefined) return [];
  if (node.kind !== 'object') throw new TasksMalformedError(`“${name}” must be an object`, file.placeOf(node));
  return node.members;
}

/** Those that an earlier one has the name of. */
function repeatedMembers(members: readonly JsonMember[]): readonly JsonMember[] {
  const seen = new Set<string>();
  return members.filter(({ key }) => seen.size === seen.add(key).size);
}

function repeatedIn(file: TaskFile, node: JsonNode, taskId?: string): readonly TaskProblem[] {
  return repeatedMembers(node.kind === 'object' ? node.members : []).map((member) =>
    repeatedEntry(file, member, taskId),
  );
}

function repeatedEntry(file: TaskFile, member: JsonMember, taskId?: string): TaskProblem {
  return {
    severity: 'error',
    code: 'duplicate-id',
    message: `“${member.key}” stands here twice. Keep one of the two.`,
    taskId,
    place: file.placeOf(nameIn(member)),
  };
}

/** Fields that nothing reads, each with the one that its name most likely means. */
function unknownFields(
  file: TaskFile,
  node: JsonNode,
  { shape, taskId }: { readonly shape: Readonly<Record<string, unknown>>; readonly taskId?: string },
): readonly { readonly problem: TaskProblem; readonly meant: string | undefined }[] {
  if (node.kind !== 'object') return [];
  const unknown = node.members.filter(({ key }) => !Object.hasOwn(shape, key) && key !== '$schema');
  const missing = Object.keys(shape).filter((name) => memberOf(node, name) === undefined);
  return unknown.map((member) => {
    const meant = meantName(member.key, missing);
    const problem: TaskProblem = {
      severity: meant !== undefined && decisive.has(meant) ? 'error' : 'warning',
      code: 'unknown-field',
      message: nothingReads(member.key, meant, { known: Object.keys(shape), taskId }),
      taskId,
      place: file.placeOf(nameIn(member)),
    };
    return { problem, meant };
  });
}

/** Without one of these that was meant to be there, a task would be attempted or judged in another way. */
export const decisive: ReadonlySet<string> = new Set([
  'checks',
  'references',
  'context',
  'system',
  'tools',
  'environment',
  'agent',
  'draft',
  'enabled',
]);

function nothingReads(
  name: string,
  meant: string | undefined,
  { known, taskId }: { readonly known: readonly string[]; readonly taskId: string | undefined },
): string {
  const instead = meant === undefined ? `Known here: ${known.join(', ')}.` : `Did you mean “${meant}”?`;
  return taskId === undefined
    ? `Nothing reads “${name}”. ${instead}`
    : `Nothing reads “${name}” of the task “${taskId}”. ${instead}`;
}
