import { textHashOf } from '../makeTask.js';
import type { Side, Task } from '../task.js';
import { sides } from './fillSides.js';
import type { AssignedTask, RecalledTask, SplitAssignment } from './splitFile.js';
import type { SplitResult } from './splitTasks.js';

/** Where a task may go from the side it is on. */
export interface TaskMoves {
  /** Undefined for a draft that has no side yet, and for a task that was set aside. */
  readonly side: Side | undefined;
  /** The ids of the tasks that go along: of one origin with it, or with almost the same text. */
  readonly together: readonly string[];
  /** The other sides, each with the reason where it is refused. */
  readonly to: readonly { readonly side: Side; readonly refused: string | undefined }[];
}

type Split = Pick<SplitResult, 'recalled' | 'sideOf' | 'groups'>;

/** Where each of the tasks may go, by id. `fixed` says of some that the file they stand in decides. */
export function movesOf(
  tasks: readonly Task[],
  split: Split,
  fixed: (task: Task) => string | undefined,
): ReadonlyMap<string, TaskMoves> {
  const groupOf = new Map(split.groups.flatMap((group) => group.map((task) => [task, group] as const)));
  return new Map(
    tasks.map((task) => {
      const group = groupOf.get(task) ?? [task];
      const now = split.sideOf.get(task);
      const to = sides
        .filter((side) => side !== now || group.some((each) => (split.sideOf.get(each) ?? side) !== side))
        .map((side) => ({ side, refused: refusal(task, { group, side, split, fixed }) }));
      return [task.id, { side: now, together: group.filter((each) => each !== task).map(({ id }) => id), to }];
    }),
  );
}

/**
 * Held out is only what no run has learned from, sealed only what no run has used at all: the rule holds for every task
 * that goes along. Training may have any.
 */
function refusal(
  task: Task,
  {
    group,
    side,
    split,
    fixed,
  }: {
    readonly group: readonly Task[];
    readonly side: Side;
    readonly split: Split;
    readonly fixed: (task: Task) => string | undefined;
  },
): string | undefined {
  for (const each of [task, ...group.filter((other) => other !== task)]) {
    const stays = split.sideOf.get(each) === side ? undefined : fixed(each);
    const reason = spent(side, split.recalled.get(each), each === task ? undefined : each.id) ?? stays;
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** `along`: the id of a task that only goes along. */
function spent(side: Side, known: RecalledTask | undefined, along: string | undefined): string | undefined {
  if (side !== 'training' && known?.trained === true)
    return along === undefined
      ? 'A run has already learned from it.'
      : `A run has already learned from “${along}”, which goes along with it.`;
  if (side !== 'sealed' || known?.used !== true) return undefined;
  return along === undefined
    ? 'A run has already used it.'
    : `A run has already used “${along}”, which goes along with it.`;
}

/** The task and those that go along with it: who has no side yet follows by itself. */
export function movingWith(task: Task, side: Side, { groups, sideOf }: Split): readonly Task[] {
  const group = groups.find((each) => each.includes(task)) ?? [];
  return [task, ...group.filter((each) => each !== task && (sideOf.get(each) ?? side) !== side)];
}

/**
 * What to remember after these tasks were moved. Every other task stays on the side it is on now, also where no run has
 * fixed it yet: who moves one task moves one task.
 */
export function moveTo(
  side: Side,
  moving: readonly Task[],
  result: SplitResult,
  before: SplitAssignment,
): SplitAssignment {
  const kept = rememberUse(result, before, () => 'none');
  return new Map([
    ...kept,
    ...moving.map((task): [string, AssignedTask] => [
      task.contentHash,
      { ...factsOf(task, result), side, moved: true, id: task.id, text: textHashOf(task) },
    ]),
  ]);
}

/** What a run does with a task. */
export type TaskUse = 'learns' | 'uses' | 'none';

/** What to remember of the sides where a run did only this with each task; `tried` are tasks that are on no side. */
export function rememberUse(
  result: SplitResult,
  before: SplitAssignment,
  useOf: (task: Task, side: Side) => TaskUse,
  tried: readonly Task[] = [],
): SplitAssignment {
  const { training, heldOut, sealed } = result.split;
  const counted = new Set([...training, ...heldOut, ...sealed].map((task) => task.id));
  const next = new Map(before);
  for (const [task, side] of result.sideOf) {
    if (!counted.has(task.id)) continue;
    const { trained, used, moved } = factsOf(task, result);
    const use = useOf(task, side);
    next.set(task.contentHash, {
      side,
      trained: trained || use === 'learns',
      used: used || use !== 'none',
      moved,
      id: task.id,
      text: textHashOf(task),
    });
  }
  for (const task of tried)
    next.set(task.contentHash, { ...factsOf(task, result), used: true, id: task.id, text: textHashOf(task) });
  return next;
}

function factsOf(task: Task, { recalled }: SplitResult): RecalledTask {
  const { side, trained, used, moved } = recalled.get(task) ?? newcomer;
  return { side, trained, used, moved };
}

const newcomer: RecalledTask = { side: undefined, trained: false, used: false, moved: false };

/** The content hashes of the tasks that a person moved: held out or not, they are no new evidence. */
export function movedTasks({ split, recalled }: SplitResult): ReadonlySet<string> {
  const moved = new Set([...recalled].filter(([, known]) => known.moved).map(([task]) => task.contentHash));
  return new Set(split.heldOut.map((task) => task.contentHash).filter((hash) => moved.has(hash)));
}
