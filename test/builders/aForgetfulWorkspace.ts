import { aWorkspace, ownWords, writtenTasks, type TestWorkspace, type WrittenTask } from './aWorkspace.js';

/** What the simulated target says by itself at the end of an answer, as long as there is room for it. */
const usualEnd = 'Hope this helps!';
const word = [{ check: 'contains', text: 'fathoms' }];
const brief = [{ check: 'max_chars', limit: 120 }];
const polite = [{ check: 'contains', text: usualEnd }];

/** Two epochs of one edit each. */
export const twoEdits = {
  edits: { budget: 1, minimum: 1 },
  train: { epochs: 2 },
  stop: { patience: 9 },
};

/**
 * A skill that is taught a word in the first epoch and to be brief in the second, of which some tasks forget how they
 * ended: a short answer of the simulated target has no such end unless it is told.
 */
export function aForgetfulWorkspace(): TestWorkspace {
  return aWorkspace({ tasks: [...tasksOf('training', [3, 2, 2]), ...tasksOf('heldOut', [3, 3, 2])] });
}

/** How many tasks want the word, a brief answer, and its usual end. */
type Counts = readonly [words: number, briefs: number, ends: number];

function tasksOf(side: WrittenTask['side'], [words, briefs, ends]: Counts): readonly WrittenTask[] {
  const kinds = [
    ...Array.from({ length: words }, () => word),
    ...Array.from({ length: briefs }, () => brief),
    ...Array.from({ length: ends }, () => polite),
  ];
  return kinds.map((checks, index) => ({
    id: `${side}-${index}`,
    prompt: `Report on the lift: ${ownWords(`${side}${index}`)}.`,
    side,
    checks,
  }));
}

/**
 * A skill whose training tasks want more than its held-out tasks bear: what they want most takes from these what they
 * have, and one thing that they want last is what these lack.
 */
export function aStubbornWorkspace(): TestWorkspace {
  const long = { check: 'min_chars', limit: 700 };
  const most = [...brief, { check: 'contains', text: 'Moored' }];
  const tasks = writtenTasks({ training: 3, heldOut: 6, sealed: 0 }, []);
  return aWorkspace({
    tasks: tasks.map((task, index) => ({
      ...task,
      checks: [...(task.side === 'training' ? most : [long]), ...(index % 2 === 0 ? word : [])],
    })),
  });
}
