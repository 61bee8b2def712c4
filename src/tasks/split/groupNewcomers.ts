import { type Bond, nearDuplicates } from './nearDuplicates.js';
import { slipsAmong } from './slips.js';
import type { Steps } from '../steps.js';
import type { Side, Task } from '../task.js';
import type { TaskGroup } from './placeGroups.js';

interface GroupedNewcomers {
  /** Groups that may go anywhere, in hash order of their first members. */
  readonly free: readonly TaskGroup[];
  /** Newcomers whose ties leave one side. */
  readonly forced: ReadonlyMap<Task, Side>;
  /** Newcomers that would tie two sides together. */
  readonly torn: readonly Task[];
}

/**
 * Groups the tasks that are on no side yet by their bonds. First whoever is itself tied to two sides is set aside;
 * a chain that still joins two sides is set aside as a whole, since no place for its members is better than another.
 */
export function groupNewcomers(
  candidates: readonly Task[],
  {
    bonds,
    anchors,
    ordered,
  }: { readonly bonds: readonly Bond[]; readonly anchors: ReadonlyMap<Task, Side>; readonly ordered: readonly Task[] },
): GroupedNewcomers {
  const newcomers = new Set(candidates.filter((task) => !anchors.has(task)));
  const bound = bonds.map((bond) => bond.map((index) => ordered[index]).filter((task) => task !== undefined));
  const tiesOf = directTies(bound, newcomers, anchors);
  const torn = new Set([...newcomers].filter((task) => (tiesOf.get(task)?.size ?? 0) > 1));
  const rest = [...newcomers].filter((task) => !torn.has(task));

  const free: TaskGroup[] = [];
  const forced = new Map<Task, Side>();
  for (const group of connected(rest, bound)) {
    const ties = new Set(group.flatMap((task) => [...(tiesOf.get(task) ?? [])]));
    const [side] = ties;
    if (side === undefined) free.push(group);
    else if (ties.size === 1) for (const task of group) forced.set(task, side);
    else for (const task of group) torn.add(task);
  }
  return { free, forced, torn: [...newcomers].filter((task) => torn.has(task)) };
}

function directTies(
  bound: readonly (readonly Task[])[],
  newcomers: ReadonlySet<Task>,
  anchors: ReadonlyMap<Task, Side>,
): ReadonlyMap<Task, ReadonlySet<Side>> {
  const ties = new Map<Task, Set<Side>>();
  for (const group of bound) {
    const held = new Set(group.map((task) => anchors.get(task)).filter((side) => side !== undefined));
    if (held.size === 0) continue;
    for (const task of group) {
      if (newcomers.has(task)) ties.set(task, new Set([...(ties.get(task) ?? []), ...held]));
    }
  }
  return ties;
}

/** The connected groups, each in the order given and in the order of their first members. */
export function connected(tasks: readonly Task[], bound: readonly (readonly Task[])[]): readonly TaskGroup[] {
  const parents = new Map(tasks.map((task) => [task, task]));
  const rootOf = (task: Task): Task => {
    let root = task;
    for (let up = parents.get(root); up !== undefined && up !== root; up = parents.get(root)) {
      parents.set(root, parents.get(up) ?? up);
      root = up;
    }
    return root;
  };
  for (const group of bound) {
    const [first, ...others] = group.filter((task) => parents.has(task));
    if (first !== undefined) for (const other of others) parents.set(rootOf(other), rootOf(first));
  }
  const groups = new Map<Task, Task[]>();
  for (const task of tasks) {
    const root = rootOf(task);
    const group = groups.get(root);
    if (group === undefined) groups.set(root, [task]);
    else group.push(task);
  }
  return [...groups.values()];
}

/** The order in which tasks are placed: it depends on what they are, not on where they stand. */
export function inHashOrder(tasks: readonly Task[]): readonly Task[] {
  return [...tasks].sort((a, b) => {
    if (a.contentHash !== b.contentHash) return a.contentHash < b.contentHash ? -1 : 1;
    return a.id < b.id ? -1 : 1;
  });
}

interface Bonds {
  /** What must lie on one side: tasks of one origin, and tasks with almost the same text. */
  readonly bonds: readonly Bond[];
  /** What only numbers tell apart. */
  readonly numbered: readonly Bond[];
}

/**
 * Everything that ties tasks to each other. A command and every look of a window ask again about the same tasks: the last
 * answers are kept, by all that they depend on.
 */
export function* bondsOf(tasks: readonly Task[]): Steps<Bonds> {
  const asked = JSON.stringify(tasks.map(comparedOf));
  const known = answered.get(asked);
  if (known !== undefined) return known;
  const found = yield* findBonds(tasks);
  if (asked.length > longestKept) return found;
  answered.set(asked, found);
  const [oldest] = answered.keys();
  if (answered.size > mostKept && oldest !== undefined) answered.delete(oldest);
  return found;
}

const answered = new Map<string, Bonds>();
const mostKept = 8;
const longestKept = 1_000_000; // characters; whoever has more tasks than fit waits for them each time

/** All of a task that it is compared by. */
function comparedOf(task: Task): readonly unknown[] {
  const { origin, prompt, context, files, expectedOutput, expectations, references, system, tools, environment } = task;
  const rules = task.checks.map(({ check, arguments: given }) => [check, given]);
  const start = [files, task.agent?.fixture];
  return [origin, prompt, context, start, expectedOutput, expectations, references, system, tools, environment, rules];
}

function* findBonds(tasks: readonly Task[]): Steps<Bonds> {
  const origins = new Map<string, number[]>();
  tasks.forEach((task, index) => {
    if (task.origin === undefined) return;
    const group = origins.get(task.origin);
    if (group === undefined) origins.set(task.origin, [index]);
    else group.push(index);
  });
  const slips = yield* slipsAmong(tasks);
  const ofOneOrigin = [...origins.values()].filter((group) => group.length > 1);
  return { bonds: [...ofOneOrigin, ...(yield* nearDuplicates(tasks)), ...slips.bonds], numbered: slips.numbered };
}
