import { sameTextKey, storedTextKeys, type Bond } from './nearDuplicates.js';
import { bondsOf, connected, inHashOrder, groupNewcomers } from './groupNewcomers.js';
import { placeGroups, type TaskGroup } from './placeGroups.js';
import { recaller, remember, type Recall, type RecalledTask, type SplitAssignment } from './splitFile.js';
import { atOnce, mapInSteps, type Steps } from '../steps.js';
import type { HeldOutTask, SealedTask, Side, SplitTasks, Task, TrainingTask } from '../task.js';

export interface SplitResult {
  readonly split: SplitTasks;
  /** What to remember next time, once a run has learned from the training tasks and used the others. */
  readonly assignment: SplitAssignment;
  /** What was remembered of a task before; those that are new are missing. */
  readonly recalled: ReadonlyMap<Task, RecalledTask>;
  /** The side of every task that has one: also of drafts and disabled tasks that were on one before. */
  readonly sideOf: ReadonlyMap<Task, Side>;
  /** Tasks of one origin or with almost the same text, drafts and disabled ones among them: they go together. */
  readonly groups: readonly TaskGroup[];
  /** Tasks that only numbers tell apart and that are judged alike: they may be on different sides, and prove less. */
  readonly numbered: readonly TaskGroup[];
  /**
   * Held-out or sealed tasks that training has seen, in whole or almost: nothing measured on them is proof. The held-out
   * ones are set aside; sealed ones decide nothing.
   */
  readonly leaks: readonly SplitLeak[];
}

export interface SplitLeak {
  readonly task: Task;
  /** The side that it would be on. */
  readonly side: Side;
  readonly reason: string;
}

/** Keys of the words and files of tasks that runs have learned from, as this machine remembers them. */
type LearnedTexts = ReadonlySet<string>;

/**
 * Puts every confirmed and enabled task on one side. What the person assigned wins, then what is remembered, then the
 * training side for what a run on this machine has learned from; the rest fills the sides in hash order. Tasks of one
 * origin or with almost the same text stay together, and a newcomer that would tie two sides together is set aside, as is
 * a held-out one that can prove nothing: one that training has seen, or one with the words and files of another. The
 * result is the same for any order of the tasks, and adding a task moves nobody, because the earlier placement is
 * remembered.
 */
export function splitTasks(
  tasks: readonly Task[],
  remembered: SplitAssignment,
  learned: LearnedTexts = new Set(),
): SplitResult {
  return atOnce(splittingTasks(tasks, remembered, learned));
}

/** The same in pieces: thousands of tasks are compared with each other. */
export function* splittingTasks(
  tasks: readonly Task[],
  remembered: SplitAssignment,
  learned: LearnedTexts = new Set(),
): Steps<SplitResult> {
  const ordered = inHashOrder(tasks);
  const recall = recaller(remembered, ordered);
  const anchors = new Map<Task, Side>();
  const seen = new Set<Task>();
  yield* mapInSteps(ordered, (task) => {
    if (learned.size > 0 && storedTextKeys(task).some((key) => learned.has(key))) seen.add(task);
    const side =
      (task.draft ? undefined : task.assigned) ?? recall(task)?.side ?? (seen.has(task) ? 'training' : undefined);
    if (side !== undefined) anchors.set(task, side);
  });
  const { bonds, numbered } = yield* bondsOf(ordered);
  yield;
  const { free, forced, torn } = groupNewcomers(ordered.filter(counts), { bonds, anchors, ordered });

  yield;
  const placed = new Map([...anchors, ...forced].filter(([task]) => counts(task)));
  for (const [task, side] of yield* placeGroups(free, placed)) placed.set(task, side);
  yield;
  const leaks = leaksIn(ordered, { placed, anchors, bonds, recall, seen });
  const leaked = new Set(leaks.map(({ task }) => task));
  const heldOut = ordered.filter((task) => placed.get(task) === 'heldOut' && !leaked.has(task));
  const twins = yield* twinsIn(heldOut, recall);
  yield;
  return {
    split: {
      training: ordered.flatMap((task) => (placed.get(task) === 'training' ? [trainingTask(task)] : [])),
      heldOut: heldOut.flatMap((task) => (twins.has(task) ? [] : [heldOutTask(task)])),
      sealed: ordered.flatMap((task) => (placed.get(task) === 'sealed' ? [sealedTask(task)] : [])),
      setAside: [
        ...torn.map((task) => ({ task, reason: tornReason(task) })),
        ...leaks
          .filter(({ side }) => side === 'heldOut')
          .map(({ task, reason }) => ({ task, reason: `it cannot prove anything: ${reason}.` })),
        ...[...twins].map(([task, first]) => ({ task, reason: twinReason(first) })),
      ],
    },
    assignment: yield* remember(remembered, placed, recall),
    recalled: recalledOf(ordered, recall),
    sideOf: new Map([...anchors, ...placed]),
    groups: connected(ordered, boundTasks(ordered, bonds)).filter((group) => group.length > 1),
    numbered: boundTasks(ordered, numbered),
    leaks,
  };
}

function counts(task: Task): boolean {
  return task.enabled && !task.draft;
}

function tornReason(task: Task): string {
  return `“${task.id}” is almost the same as, or of one origin with, tasks on different sides of the split. Used on either, it would carry evidence across.`;
}

function twinReason(first: Task): string {
  return `it has the words and files of “${first.id}”: the same task twice proves no more than once.`;
}

/** Tasks with the words and files of another, which stays: one that is remembered before a newcomer, then in their order. */
function* twinsIn(tasks: readonly Task[], recall: Recall): Steps<ReadonlyMap<Task, Task>> {
  const known = tasks.filter((task) => recall(task) !== undefined);
  const firstOf = new Map<string, Task>();
  const twins = new Map<Task, Task>();
  yield* mapInSteps([...new Set([...known, ...tasks])], (task) => {
    const key = sameTextKey(task);
    const first = firstOf.get(key);
    if (first === undefined) firstOf.set(key, task);
    else twins.set(task, first);
  });
  return twins;
}

function recalledOf(tasks: readonly Task[], recall: Recall): ReadonlyMap<Task, RecalledTask> {
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
    readonly seen: ReadonlySet<Task>;
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
    const reason = isApart(side) ? learnedBefore(task, known) : undefined;
    if (reason !== undefined) leaks.set(task, reason);
  }
  return [...leaks].map(([task, reason]) => ({ task, side: known.placed.get(task) ?? 'heldOut', reason }));
}

function learnedBefore(
  task: Task,
  { recall, seen }: { readonly recall: Recall; readonly seen: ReadonlySet<Task> },
): string | undefined {
  if (recall(task)?.trained === true) return 'it was a training task before';
  return seen.has(task) ? 'a run on this machine has learned from it' : undefined;
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
