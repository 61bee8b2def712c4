import { spawnSync } from 'node:child_process';
import { checkCatalog } from '../../../src/checks/registry.js';
import { readingTasks } from '../../../src/tasks/readers/readTasks.js';
import { emptyAssignment } from '../../../src/tasks/split/splitFile.js';
import { splittingTasks } from '../../../src/tasks/split/splitTasks.js';
import type { Steps } from '../../../src/tasks/steps.js';
import { corpus } from './corpus.js';

const sizes = [1_000, 10_000] as const;
const longestMs = 200; // what a person notices as a window that hangs
const growth = 11; // ten times the tasks in one file: what is parsed at one go grows with it, and nothing faster

interface Self {
  readonly command: string;
  readonly arguments: readonly string[];
}

interface Measured {
  readonly ms: number;
}

/** The longest time that looking at tasks holds everything else up, at any size that is read. */
export function run(self: Self): readonly object[] {
  const [few, many] = sizes.map((size) => measure(self, size));
  if (few === undefined || many === undefined) throw new Error('Nothing was measured.');
  return [
    { name: 'longest piece: of what a person notices', ms: many.ms, ratio: many.ms / longestMs, limit: 1 },
    { name: 'longest piece: growth', ms1000: few.ms, ms10000: many.ms, ratio: many.ms / few.ms, limit: growth },
  ];
}

function measure(self: Self, size: number): Measured {
  const runs = [1, 2, 3].map((): Measured => {
    const { stdout } = spawnSync(self.command, [...self.arguments, String(size)], { encoding: 'utf8' });
    return JSON.parse(stdout);
  });
  return { ms: Math.min(...runs.map(({ ms }) => ms)) };
}

/** In a process that did nothing else. */
export async function child(argument: string): Promise<Measured> {
  const texts = { ...corpus(Number(argument)), evalsPath: 'evals.json', whetstonePath: 'whetstone.json' };
  const reading = longest(readingTasks(texts, checkCatalog));
  const splitting = longest(splittingTasks(reading.result.tasks, emptyAssignment));
  return { ms: Math.max(reading.ms, splitting.ms) };
}

/** By the time of this process alone: on a busy machine the clock on the wall measures its neighbours. */
function longest<Result>(steps: Steps<Result>): { readonly result: Result; readonly ms: number } {
  let ms = 0;
  for (;;) {
    const started = process.cpuUsage();
    const step = steps.next();
    ms = Math.max(ms, process.cpuUsage(started).user / 1000);
    if (step.done === true) return { result: step.value, ms };
  }
}
