import type { Bond } from './nearDuplicates.js';
import { bondsOf, connected, inHashOrder, groupNewcomers } from './groupNewcomers.js';
import { placeGroups, type TaskGroup } from './placeGroups.js';
import { recaller, remember, type Recall, type Recalled, type SplitAssignment } from './splitFile.js';
import { atOnce, mapInSteps, type Steps } from '../steps.js';
import type { HeldOutTask, SealedTask, Side, SplitTasks, Task, TrainingTask } from '../task.js';

export interface SplitResult {
  readonly split: SplitTasks;
  /** What to remember next time, once a run has learned from the training tasks and used the others. */
  readonly assignment: SplitAssignment;
  /** What was remembered of a task before; those that are new are missing. */
  readonly recalled: ReadonlyMap<Task, Recalled>;
  /** The side of every task that has one: also of drafts and disabled tasks that were on one before. */
  readonly sideOf: ReadonlyMap<Task, Side>;
  /** Tasks of one origin or with almost the same text, drafts and disabled ones among them: they go together. */
  readonly groups: readonly TaskGroup[];
  /** Held-out or sealed tasks that training has seen, in whole or almost: nothing measured on them is proof. */
  readonly leaks: readonly SplitLeak[];
}

export interface SplitLeak {
  readonly task: Task;
  readonly reason: string;
}

/**
 * Puts every confirmed and enabled task on one side. What the person assigned wins, then what is remembered; the rest
 * fills the sides in hash order. Tasks of one origin or with almost the same text stay together, and a newcomer that
 * would tie two sides together is set aside. The result is the same for any order of the tasks, and adding
 * a task moves nobody, because the earlier placement is remembered.
 */
export function splitTasks(tasks: readonly Task[], remembered: SplitAssignment): SplitResult {
  return atOnce(splittingTasks(tasks, remembered));
}

/** The same in pieces: thousands of tasks are compared with each other. */
export function* splittingTasks(tasks: readonly Task[], remembered: SplitAssignment): Steps<SplitResult> {
  const ordered = inHashOrder(tasks);
  const recall = recaller(remembered, ordered);
  const anchors = new Map<Task, Side>();
  yield* mapInSteps(ordered, (task) => {
    const side = (task.draft ? undefined : task.assigned) ?? recall(task)?.side;
    if (side !== undefined) anchors.set(task, side);
  });
  const bonds = yield* bondsOf(ordered);
  yield;
  const { free, forced, torn } = groupNewcomers(ordered.filter(counts), { bonds, anchors, ordered });

  yield;
  const placed = new Map([...anchors, ...forced].filter(([task]) => counts(task)));
  for (const [task, side] of placeGroups(free, placed)) placed.set(task, side);
  yield;
  return {
    split: {
      training: ordered.flatMap((task) => (placed.get(task) === 'training' ? [trainingTask(task)] : [])),
      heldOut: ordered.flatMap((task) => (placed.get(task) === 'heldOut' ? [heldOutTask(task)] : [])),
      sealed: ordered.flatMap((task) => (placed.get(task) === 'sealed' ? [sealedTask(task)] : [])),
      setAside: torn.map((task) => ({ task, reason: tornReason(task) })),
    },
    assignment: yield* remember(remembered, placed, recall),
    recalled: recalledOf(ordered, recall),
    sideOf: new Map([...anchors, ...placed]),
    groups: connected(ordered, boundTasks(ordered, bonds)).filter((group) => group.length > 1),
    leaks: leaksIn(ordered, { placed, anchors, bonds, recall }),
  };
}

function counts(task: Task): boolean {
  return task.enabled && !task.draft;
}

function tornReason(task: Task): string {
  return `“${task.id}” is almost the same as, or of one origin with, tasks on different sides of the split. Used on either, it would carry evidence across.`;
}

function recalledOf(tasks: readonly Task[], recall: Recall): ReadonlyMap<Task, Recalled> {
  const found = tasks.map((task) => [task, recall(task)] as const);
  return new Map(found.flatMap(([task, recalled]) => (recalled === undefined ? [] : [[task, recalled]])));
}

function boundTasks(ordered: readonly Task[], bonds: readonly Bond[]): readonly TaskGroup[] {
  return bonds.map((bond) => bond.map((index) => ordered[index]).filter((task) => task !== undefined));
}

function leaksIn(
  tasks: readonly Task[],
  known: {
    readonly placed: ReadonlyMap<Task, Side>;
    readonly anchors: ReadonlyMap<Task, Side>;
    readonly bonds: readonly Bond[];
    readonly recall: Recall;
  },
): readonly SplitLeak[] {
  const leaks = new Map<Task, string>();
  const sideOf = (task: Task): Side | undefined => known.placed.get(task) ?? known.anchors.get(task);
  for (const bond of known.bonds) {
    const [bound = []] = boundTasks(tasks, [bond]);
    const seen = bound.find((task) => sideOf(task) === 'training');
    if (seen === undefined) continue;
    for (const task of bound) {
      if (isApart(known.placed.get(task)))
        leaks.set(task, `it is almost the same as, or of one origin with, the training task “${seen.id}”`);
    }
  }
  for (const [task, side] of known.placed) {
    if (isApart(side) && known.recall(task)?.trained === true) leaks.set(task, 'it was a training task before');
  }
  return [...leaks].map(([task, reason]) => ({ task, reason }));
}

function isApart(side: Side | undefined): boolean {
  return side === 'heldOut' || side === 'sealed';
}

function trainingTask(task: Task): TrainingTask {
  return { ...task, side: 'training' };
}

function heldOutTask(task: Task): HeldOutTask {
  return { ...task, side: 'heldOut' };
}

function sealedTask(task: Task): SealedTask {
  return { ...task, side: 'sealed' };
}
