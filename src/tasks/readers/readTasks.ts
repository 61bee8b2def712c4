import type { CheckCatalog } from '../checkCatalog.js';
import { inspectTask, type TaskFinding } from '../inspectTask.js';
import { memberOf, nearestNode, valueOf, type JsonNode } from '../json/jsonTree.js';
import { joinTasks, type JoinedRow } from './joinTasks.js';
import { agentOf, makeTask } from '../makeTask.js';
import { passedOver } from './passedOver.js';
import { readEvals, withoutDuplicates } from './readEvals.js';
import { heldOutFileOf, readWhetstone, type WhetstoneRow, type WhetstoneRows } from './readWhetstone.js';
import { atOnce, mapInSteps, type Steps } from '../steps.js';
import type { StubTool, Task } from '../task.js';
import { nameIn, openingTaskFile, openTaskFile, type TaskFile } from '../taskFile.js';
import { withoutTask, type TaskPlace, type TaskProblem } from '../taskProblem.js';
import { checkSpecOf, type EnvironmentDeclaration, type WhetstoneEntry } from './whetstoneFile.js';

/** The texts of a skill's task files; the paths are only named in problems. */
export interface TaskFiles {
  readonly evalsText: string;
  readonly evalsPath: string;
  readonly whetstoneText: string | undefined;
  readonly whetstonePath: string;
  /** The file that {@link namedHeldOutFile} gives, where there is one. */
  readonly heldOutText?: string | undefined;
  readonly heldOutPath?: string | undefined;
}

export interface ReadTasks {
  /** Those that can be attempted and judged, in the order of the file; drafts and disabled ones among them. */
  readonly tasks: readonly Task[];
  /** Those with an error: shown, never attempted, never a zero. */
  readonly broken: readonly { readonly task: Task; readonly reason: string }[];
  readonly problems: readonly TaskProblem[];
  /** Where each task stands, by id. */
  readonly places: ReadonlyMap<string, TaskPlace>;
  readonly environments: ReadonlyMap<string, EnvironmentDeclaration>;
  /** Environments that are declared with an error, each with what is wrong. */
  readonly misdeclared?: ReadonlyMap<string, string> | undefined;
  readonly skillName: string | undefined;
}

/**
 * Reads the examples of a skill. Throws a `TasksMalformedError` where a file as a whole cannot be read; whatever is
 * wrong with one task is a problem on its line, and the others still count.
 */
export function readTasks(files: TaskFiles, catalog: CheckCatalog): ReadTasks {
  return atOnce(readingTasks(files, catalog));
}

/** The same in pieces: a file may hold thousands of tasks. */
export function* readingTasks(files: TaskFiles, catalog: CheckCatalog): Steps<ReadTasks> {
  const evals = yield* openingTaskFile(files.evalsPath, files.evalsText);
  const heldOut =
    files.heldOutText === undefined ? undefined : yield* openingTaskFile(files.heldOutPath ?? '', files.heldOutText);
  const whetstone =
    files.whetstoneText === undefined ? undefined : yield* openingTaskFile(files.whetstonePath, files.whetstoneText);

  const main = yield* readEvals(evals, { heldOut: false });
  const apart = heldOut === undefined ? { rows: [], problems: [] } : yield* readEvals(heldOut, { heldOut: true });
  yield;
  const distinct = withoutDuplicates([...main.rows, ...apart.rows]);
  const known: WhetstoneRows =
    whetstone === undefined
      ? { rows: [], environments: new Map(), misdeclared: new Map(), problems: [] }
      : yield* readWhetstone(whetstone);
  yield;
  const { joined, orphans } = joinTasks(distinct.rows, known.rows);

  const wrongEntries = firstErrors(known.problems);
  const declared = [...known.environments.keys(), ...known.misdeclared.keys()];
  const looked = yield* mapInSteps(joined, (one) => lookAt(one, whetstone, { catalog, declared }));
  const problems = [
    ...main.problems,
    ...apart.problems,
    ...distinct.problems,
    ...known.problems,
    ...orphans.flatMap((orphan) => orphanProblem(orphan, whetstone)),
    ...looked.flatMap((one) => one.problems),
    ...sameTasks(looked),
  ];
  const reasonOf = (one: LookedAt): string | undefined => {
    const ofEntry = one.entryId === undefined ? undefined : wrongEntries.get(one.entryId);
    const own = one.problems.find((problem) => problem.severity === 'error')?.message;
    return ofEntry === undefined ? own && withoutTask(own, one.task.id) : withoutTask(ofEntry, one.entryId ?? '');
  };
  return {
    tasks: looked.filter((one) => reasonOf(one) === undefined).map((one) => one.task),
    broken: looked.flatMap((one) => {
      const reason = reasonOf(one);
      return reason === undefined ? [] : [{ task: one.task, reason }];
    }),
    problems,
    places: new Map(looked.map((one) => [one.task.id, one.place])),
    environments: known.environments,
    misdeclared: known.misdeclared,
    skillName: skillNameOf(evals),
  };
}

/** The separate held-out file that `whetstone.json` names, relative to its folder; undefined where it names none. */
export function namedHeldOutFile(whetstoneText: string, whetstonePath: string): string | undefined {
  return heldOutFileOf(openTaskFile(whetstonePath, whetstoneText));
}

function firstErrors(problems: readonly TaskProblem[]): ReadonlyMap<string, string> {
  const first = new Map<string, string>();
  for (const { severity, taskId, message } of problems)
    if (severity === 'error' && taskId !== undefined && !first.has(taskId)) first.set(taskId, message);
  return first;
}

interface LookedAt {
  readonly task: Task;
  readonly entryId: string | undefined;
  readonly place: TaskPlace;
  readonly problems: readonly TaskProblem[];
}

function lookAt(
  joined: JoinedRow,
  whetstone: TaskFile | undefined,
  { catalog, declared }: { readonly catalog: CheckCatalog; readonly declared: readonly string[] },
): LookedAt {
  const task = taskOf(joined);
  const { row } = joined;
  const misplaced = passedOver(joined);
  const unread = new Set([...(joined.whetstone?.unread ?? []), ...misplaced.unread]);
  const found = inspectTask(task, catalog, { unread, declared });
  const problems = [...misplaced.findings, ...joinFindings(joined), ...found].map((finding) => {
    const inWhetstone = finding.file === 'whetstone' && whetstone !== undefined && joined.whetstone !== undefined;
    const place = inWhetstone
      ? whetstone.placeOf(nodeOf(joined.whetstone.member.value, finding))
      : row.file.placeOf(nodeOf(row.node, finding));
    return { severity: finding.severity, code: finding.code, message: finding.message, taskId: task.id, place };
  });
  return { task, entryId: joined.whetstone?.id, place: row.file.placeOf(row.node), problems };
}

/** The value that a finding is about, or the name. */
function nodeOf(entry: JsonNode, { path, isName }: TaskFinding): { readonly start: number; readonly end: number } {
  const named = isName === true ? memberOf(entry, String(path[0])) : undefined;
  return named === undefined ? nearestNode(entry, path) : nameIn(named);
}

function taskOf({ row, whetstone }: JoinedRow): Task {
  const entry: WhetstoneEntry = whetstone?.entry ?? {};
  const tools: readonly StubTool[] = entry.tools ?? [];
  return makeTask({
    id: row.id,
    ...row.part,
    checks: (entry.checks ?? []).map(checkSpecOf),
    references: entry.references ?? [],
    context: entry.context,
    system: entry.system,
    tools,
    ...(entry.environment === undefined ? {} : { environment: entry.environment }),
    ...agentOf(entry),
    tags: [...new Set(entry.tags)],
    assigned: row.heldOut ? 'heldOut' : entry.split,
    origin: entry.origin,
    draft: entry.draft ?? false,
    enabled: entry.enabled ?? true,
  });
}

function joinFindings({ row, whetstone, match }: JoinedRow): readonly TaskFinding[] {
  const findings: TaskFinding[] = [];
  if (match === 'changed') {
    const message = `The task “${row.id}” was changed after its checks were written. See whether they still fit; editing the task in Whetstone confirms them.`;
    findings.push({ file: 'whetstone', path: ['contentHash'], severity: 'warning', code: 'task-changed', message });
  }
  if (match === 'renamed') {
    const message = `These checks were written for the task that now has the id “${row.id}”; they are used for it.`;
    findings.push({ file: 'whetstone', path: [], severity: 'warning', code: 'task-renamed', message });
  }
  const split = whetstone?.entry.split;
  if (row.heldOut && split !== undefined && split !== 'heldOut') {
    const message = `The task “${row.id}” stands in the held-out file; “split” says otherwise and does not count.`;
    findings.push({ file: 'whetstone', path: ['split'], severity: 'warning', code: 'held-out-conflict', message });
  }
  return findings;
}

function orphanProblem(orphan: WhetstoneRow, file: TaskFile | undefined): readonly TaskProblem[] {
  if (file === undefined) return [];
  const { member } = orphan;
  return [
    {
      severity: 'warning',
      code: 'entry-without-task',
      message: `There is no task with the id “${orphan.id}” in evals.json.`,
      taskId: orphan.id,
      place: file.placeOf({ start: member.start, end: member.start + member.key.length + 2 }),
    },
  ];
}

function sameTasks(looked: readonly LookedAt[]): readonly TaskProblem[] {
  const first = new Map<string, string>();
  return looked.flatMap(({ task, place }) => {
    const earlier = first.get(task.contentHash);
    if (earlier === undefined) {
      first.set(task.contentHash, task.id);
      return [];
    }
    const message = `The tasks “${task.id}” and “${earlier}” are the same; the second adds no evidence.`;
    return [{ severity: 'warning', code: 'same-task', message, taskId: task.id, place }];
  });
}

function skillNameOf(file: TaskFile): string | undefined {
  const name = memberOf(file.root, 'skill_name')?.value;
  const value = name === undefined ? undefined : valueOf(name);
  return typeof value === 'string' ? value : undefined;
}
