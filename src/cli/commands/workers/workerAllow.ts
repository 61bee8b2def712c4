import path from 'node:path';
import type { Command } from 'commander';
import type { ProgramForWorkers } from '../../../app/environments/portablePrograms.js';
import { UserError } from '../../../errors.js';
import { exactText } from '../../../wording/shownText.js';
import { skillRequest, type CliContext } from '../../commandLine.js';
import { isYes } from '../../consent.js';
import { oneLine } from '../../terminal.js';

interface Consent {
  readonly file: string;
  readonly yes?: boolean;
  readonly root?: string;
}

/** `whetstone worker allow <skill…> --file <file>`: which programs of skills a worker may run, exactly as they are. */
export function addAllow(worker: Command, face: CliContext): void {
  worker
    .command('allow')
    .argument('<skills...>', 'each a SKILL.md, or the folder that holds one')
    .description('show the programs that the tasks of skills need, and add them as they are to the list of a worker')
    .requiredOption('--file <file>', 'the list, which “whetstone worker --programs” reads; made where there is none')
    .option('--root <folder>', 'the workspace that the skills belong to')
    .option('--yes', 'add them without asking')
    .action(async (skills: readonly string[], { file, yes = false, ...options }: Consent) => {
      const useCases = face.open({});
      const found: ProgramForWorkers[] = [];
      for (const skill of skills)
        found.push(...(await useCases.programsForWorkers(skillRequest(face, skill, options), face.signal)));
      const programs = found.flatMap((each) => (each.hash === undefined ? [] : [{ ...each, hash: each.hash }]));
      face.terminal.out(`${found.map(shown).join('\n')}\n`);
      if (programs.length === 0) throw nothingToAdd();
      if (!yes) await confirm(programs.length, face);
      const place = path.resolve(face.cwd, file);
      await useCases.allowOnWorker(
        place,
        programs.map(({ hash, what }) => ({ hash, what: exactText(what) })),
      );
      face.terminal.out(`${oneLine(`A worker that is started with --programs ${place} may run them.`)}\n`);
    });
}

function shown({ what, folder, hash, staysHere }: ProgramForWorkers): string {
  const place = folder === undefined ? '' : `  (${oneLine(folder)})`;
  return `${hash ?? 'not on workers'}  ${exactText(what)}${place}${staysHere === undefined ? '' : `: ${reasons[staysHere]}`}`;
}

const reasons = {
  'not-taken': 'no worker takes it',
  'asks-target': 'it asks the target at an address of the machine that trains',
  bound: 'it names or reads what other machines do not have',
  'too-large': 'its folder is too large to be sent, or cannot be read',
};

function nothingToAdd(): UserError {
  return new UserError(
    'usage',
    'None of these skills has a program that a worker could run.',
    'Programs stand under “environments” in evals/whetstone.json, and as checks of the kind “command”.',
  );
}

async function confirm(count: number, { terminal, signal }: CliContext): Promise<void> {
  const answer = await terminal.ask?.(
    count === 1
      ? 'May a worker run it, as it is now? (y/N) '
      : `May a worker run these ${count}, as they are now? (y/N) `,
    signal,
  );
  if (answer !== undefined && isYes(answer)) return;
  const cure = answer === undefined ? 'Look at them, then add --yes.' : 'Nothing changed.';
  throw new UserError('usage', 'Nothing was added to the list.', cure);
}
