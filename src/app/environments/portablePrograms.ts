import type { StaysHere } from '../../ports/attemptRunner.js';
import { addAllowedPrograms } from '../../storage/programs/allowedPrograms.js';
import { portableProgram } from '../../storage/programs/portableProgram.js';
import { moduleProgram } from '../../storage/programs/moduleProgram.js';
import { openSkill, type SkillRequest } from '../openSkill.js';
import { attemptedTasks, readSkillTasks } from '../tasks/skillTasks.js';
import type { World } from '../world.js';
import { neededPrograms } from './programsAtStart.js';

/** A program of a skill, as a worker would know it. */
export interface ProgramForWorkers {
  /** The command in one line. */
  readonly what: string;
  /** Where its files lie. */
  readonly folder: string | undefined;
  /** What a worker's list holds of it; undefined where it runs on the machine that trains alone. */
  readonly hash: string | undefined;
  readonly staysHere: StaysHere | undefined;
}

/** Which programs of skills workers may run. */
export interface WorkerListUseCases {
  /** The programs that the tasks of a skill are attempted and judged by. Nothing is started. */
  programsForWorkers(request: SkillRequest, signal: AbortSignal): Promise<readonly ProgramForWorkers[]>;
  /** Adds programs to the list of a worker, which is a file. */
  allowOnWorker(file: string, programs: readonly { readonly hash: string; readonly what: string }[]): Promise<void>;
}

/** Wired to the files of the machine. */
export function createWorkerListUseCases(world: World): WorkerListUseCases {
  return {
    async programsForWorkers(request, signal) {
      const skill = await openSkill(world, request, 'look');
      const tasks = await readSkillTasks(skill);
      if (tasks === undefined) return [];
      const use = { declared: tasks.read.environments, tasks: attemptedTasks(tasks) };
      const needed = neededPrograms(use, { folder: skill.folder, moduleStart: moduleProgram });
      return Promise.all(
        needed.map(async ({ what, started, asksTarget }): Promise<ProgramForWorkers> => {
          const about = { what, folder: started.folder };
          if (asksTarget) return { ...about, hash: undefined, staysHere: 'asks-target' };
          const found = await portableProgram(started, signal);
          return found.kind === 'portable'
            ? { ...about, hash: found.hash, staysHere: undefined }
            : { ...about, hash: undefined, staysHere: found.why };
        }),
      );
    },
    allowOnWorker: (file, programs) =>
      addAllowedPrograms(
        file,
        programs.map(({ hash, what }) => ({ hash, shown: what })),
        world.platform,
      ),
  };
}
