import { commandToRun } from '../../checks/rules/command.js';
import { noteBeginning } from '../../environments/allowedToRun.js';
import { declaredStart } from '../../environments/declaredStart.js';
import type { StartSources } from '../../environments/program.js';
import type { EnvironmentDeclaration } from '../../tasks/readers/whetstoneFile.js';
import type { Task } from '../../tasks/task.js';

/**
 * Notes what every program of a run is before the first of them runs: one program could change another that was not
 * needed yet, and a flag that allows programs allows what is there when the run begins.
 */
export async function noteProgramsAtStart(
  declared: ReadonlyMap<string, EnvironmentDeclaration>,
  tasks: readonly Task[],
  sources: StartSources,
  signal: AbortSignal,
): Promise<void> {
  const named = new Set(tasks.map(({ environment }) => environment));
  const used = [...declared].filter(([name, { brings = [] }]) => named.has(name) || brings.length > 0);
  const starts = used.map(([, each]) => declaredStart(each, sources.folder, sources.moduleStart));
  const commands = new Map(
    tasks
      .flatMap(({ checks }) => checks)
      .flatMap((check) => commandToRun(check, sources.folder) ?? [])
      .map((each) => [JSON.stringify(each), each]),
  );
  await noteBeginning([...starts, ...commands.values()], sources, signal);
}
