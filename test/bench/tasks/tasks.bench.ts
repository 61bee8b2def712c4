import { spawnSync } from 'node:child_process';
import { evaluateAnswer } from '../../../src/checks/judgeAnswer.js';
import { checkCatalog } from '../../../src/checks/registry.js';
import { emptyAssignment } from '../../../src/tasks/split/splitFile.js';
import { readTasks } from '../../../src/tasks/readers/readTasks.js';
import { splitTasks } from '../../../src/tasks/split/splitTasks.js';
import { anAnswer } from '../../builders/anAnswer.js';
import { MemoryContents } from '../../fakes/MemoryContents.js';
import { ScriptedPrograms } from '../../fakes/ScriptedPrograms.js';
import { answer, corpus } from './corpus.js';

const stages = ['reading', 'splitting', 'rule-checking'] as const;
type Stage = (typeof stages)[number];

interface Measured {
  readonly ms: number;
  /** The most that the process held, in megabytes. */
  readonly peak: number;
}

const small = 1000;
const large = 10_000;
const limit = 11;
const runs = 3;

interface Self {
  readonly command: string;
  readonly arguments: readonly string[];
}

/** Ten times the tasks may cost eleven times the time and eleven times the memory, in each stage by itself. */
export function run(self: Self): readonly object[] {
  return stages.flatMap((stage) => {
    const few = best(self, stage, small);
    const many = best(self, stage, large);
    const empty = best(self, stage, 0);
    const megabytes = { few: few.peak - empty.peak, many: many.peak - empty.peak };
    return [
      { name: `${stage}: time`, ms1000: few.ms, ms10000: many.ms, ratio: many.ms / few.ms, limit },
      {
        name: `${stage}: memory`,
        mb1000: megabytes.few,
        mb10000: megabytes.many,
        ratio: megabytes.many / Math.max(1, megabytes.few),
        limit,
      },
    ];
  });
}

/** One stage on that many tasks, in a process that did nothing else. */
export async function child(argument: string): Promise<Measured> {
  const [stage, size] = argument.split(' ');
  const count = Number(size);
  const texts = { ...corpus(count), evalsPath: 'evals.json', whetstonePath: 'whetstone.json' };
  const tasks = stage === 'reading' ? [] : readTasks(texts, checkCatalog).tasks;
  gc?.();
  // The time of this process alone: on a busy machine the clock on the wall measures its neighbours.
  const started = process.cpuUsage();
  await work(stage, { texts, tasks });
  const { user, system } = process.cpuUsage(started);
  const ms = (user + system) / 1000;
  return { ms, peak: process.resourceUsage().maxRSS / 1024 };
}

async function work(
  stage: string | undefined,
  {
    texts,
    tasks,
  }: { readonly texts: Parameters<typeof readTasks>[0]; readonly tasks: ReturnType<typeof readTasks>['tasks'] },
): Promise<void> {
  if (stage === 'reading') expect(readTasks(texts, checkCatalog).problems.length === 0);
  else if (stage === 'splitting') {
    const { split } = splitTasks(tasks, emptyAssignment);
    expect(split.training.length + split.heldOut.length + split.sealed.length === tasks.length);
  } else {
    for (const task of tasks) {
      const judgement = await evaluateAnswer(task, anAnswer(answer), services, new AbortController().signal);
      expect(judgement.kind === 'judged');
    }
  }
}

/** The least of several runs: what is slower is the machine's other work. */
function best(self: Self, stage: Stage, count: number): Measured {
  const measured = Array.from({ length: runs }, () => {
    const result = spawnSync(self.command, [...self.arguments, `${stage} ${count}`], { encoding: 'utf8' });
    if (result.status !== 0) throw new Error(result.stderr);
    const { ms, peak }: Measured = JSON.parse(result.stdout);
    return { ms, peak };
  });
  return { ms: Math.min(...measured.map(({ ms }) => ms)), peak: Math.min(...measured.map(({ peak }) => peak)) };
}

function expect(holds: boolean): void {
  if (!holds) throw new Error('The bench measured something else than it says.');
}

const services = {
  programs: new ScriptedPrograms(() => undefined),
  consent: { allows: async () => false },
  contents: new MemoryContents({}),
  folder: '/skill',
  judge: {
    identity: { provider: 'none', endpoint: '', model: 'none', simulated: true },
    complete: () => Promise.reject(new Error('No judge is needed here.')),
  },
  prompts: new Map(),
  repeats: 1,
  attempt: 1,
  family: 'bench',
};
