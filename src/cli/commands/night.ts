import type { Command } from 'commander';
import type { NightResult } from '../../workshop/workshop.js';
import { runRequest, withRunOptions, type Face, type RunCommandOptions } from '../commandLine.js';
import { createProgress } from '../progressLine.js';
import { table } from '../table.js';

/** `whetstone night`: one run for every skill with confirmed tasks; stages, never edits. */
export function addNight(
  program: Command,
  face: Face,
  findSkills: (folder: string) => Promise<readonly string[]>,
): void {
  withRunOptions(
    program.command('night').argument('[places...]', 'skills, or folders to look for skills in (default: here)'),
  )
    .description('train every skill that has confirmed tasks and changed since the last night; edits no file')
    .option('--force', 'train also where nothing changed')
    .action(async (places: readonly string[], options: RunCommandOptions & { readonly force?: boolean }) => {
      const { terminal } = face;
      const quiet = options.json === true;
      const progress = createProgress(terminal);
      const folders = places.length === 0 ? [face.cwd] : places;
      const skills = [...new Set((await Promise.all(folders.map(findSkills))).flat())];
      const { skillPath: _unused, ...request } = runRequest(face, '', options);
      const result = await face
        .open(options)
        .night(
          { ...request, skills, force: options.force === true },
          (_skill, _event, summary) => (quiet ? undefined : progress.show(summary)),
          face.signal,
        )
        .finally(() => (quiet ? undefined : progress.clear()));
      terminal.out(quiet ? `${JSON.stringify(result, undefined, 2)}\n` : `${nightText(result)}\n`);
      if (result.skills.some((skill) => skill.outcome === 'failed')) face.exit(1);
    });
}

function nightText({ skills, spend }: NightResult): string {
  if (skills.length === 0) return 'No skill was found here.';
  const rows = skills.map(({ name, outcome, verdict, before, after, reason }) => [
    name,
    outcome,
    verdict ?? '',
    before === undefined || after === undefined ? '' : `${before.toFixed(2)} → ${after.toFixed(2)}`,
    reason,
  ]);
  return [table(rows), '', `${spend.calls} model calls, ${spend.tokens} tokens.`].join('\n');
}
