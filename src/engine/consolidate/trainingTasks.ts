import { textHashOf, makeTask } from '../../tasks/makeTask.js';
import { bondsOf } from '../../tasks/split/groupNewcomers.js';
import { mapInSteps, type Steps } from '../../tasks/steps.js';
import { featuresOf, overlap } from '../../tasks/split/similarity.js';
import type { SplitTasks, Task, TrainingTask } from '../../tasks/task.js';

interface RecallInput {
  /** Past training tasks, in any order. */
  readonly archive: readonly Task[];
  readonly split: SplitTasks;
  /** Every task that the files hold now, whatever became of it: what a person took back is not brought back. */
  readonly present: readonly Task[];
}

/**
 * The `most` past tasks that are most like tonight's training tasks, likest first. Never one that is on another side
 * now, nor one of the same origin or with almost the same text as such a task: recalling it would leak.
 */
export function* recallSimilar({ archive, split, present }: RecallInput, most: number): Steps<readonly TrainingTask[]> {
  const known = new Set([...present, ...split.training].map(textHashOf));
  const fresh = firstOfEach(archive).filter((task) => !known.has(textHashOf(task)));
  const lawful = yield* withoutLeaks(fresh, [
    ...split.heldOut,
    ...split.sealed,
    ...split.setAside.map(({ task }) => task),
  ]);
  const tonight = yield* mapInSteps(split.training, (task) => featuresOf(wordsOf(task)));
  const compared: { readonly task: Task; readonly likeness: number }[] = [];
  for (const task of lawful) {
    compared.push({ task, likeness: likeness(task, tonight) });
    yield;
  }
  return compared
    .filter((each) => each.likeness > 0)
    .sort((a, b) => b.likeness - a.likeness || (a.task.contentHash < b.task.contentHash ? -1 : 1))
    .slice(0, most)
    .map(({ task }) => ({ ...task, id: `recall:${task.id}`, side: 'training' }));
}

function likeness(task: Task, tonight: readonly ReadonlySet<string>[]): number {
  const own = featuresOf(wordsOf(task));
  return tonight.reduce((most, features) => Math.max(most, overlap(own, features)), 0);
}

/** Two versions of a task with the same text are one; the later in the archive counts. */
function firstOfEach(archive: readonly Task[]): readonly Task[] {
  return [...new Map(archive.map((task) => [textHashOf(task), task])).values()];
}

function* withoutLeaks(archive: readonly Task[], apart: readonly Task[]): Steps<readonly Task[]> {
  const all = [...archive, ...apart];
  const { bonds } = yield* bondsOf(all);
  const bound = new Set(bonds.filter((bond) => bond.some((index) => index >= archive.length)).flat());
  return archive.filter((_, index) => !bound.has(index));
}

function wordsOf({ prompt, context }: Task): string {
  return context === undefined ? prompt : `${prompt}\n${context}`;
}

/** Ways to put the same request that ask for nothing more: what an answer must be stays what the checks say. */
const dressings: readonly ((prompt: string) => string)[] = [
  (prompt) => `Next on my list: ${prompt}`,
  (prompt) => `${prompt}\n\nThanks in advance.`,
  (prompt) => `A colleague passed this on to me: ${prompt}`,
  (prompt) => `Sorry for one more. ${prompt}`,
];

/** Each by itself, then two at a time; of two orders that give the same text, one. */
const waysToPut: readonly ((prompt: string) => string)[] = [
  ...new Map(
    [
      ...dressings,
      ...dressings.flatMap((outer) =>
        dressings.filter((inner) => inner !== outer).map((inner) => (prompt: string) => outer(inner(prompt))),
      ),
    ].map((way) => [way(''), way]),
  ).values(),
];

/** A task that was made for this run, and the id of the one it was made from. */
interface SyntheticTask {
  readonly task: TrainingTask;
  readonly madeFrom: string;
}

/**
 * Up to `each` variants of every training task, the same in every run. They take part in training alone: their type
 * keeps them off every other side.
 */
export function variantsOf(tasks: readonly TrainingTask[], each: number): readonly SyntheticTask[] {
  return tasks.flatMap((task) =>
    waysToPut.slice(0, each).map((dress, index): SyntheticTask => {
      const made = makeTask({ ...task, id: `${task.id}~${index + 1}`, prompt: dress(task.prompt) });
      return { task: { ...made, side: 'training' }, madeFrom: task.id };
    }),
  );
}
