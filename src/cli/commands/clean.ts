import type { Command } from 'commander';
import { UserError } from '../../errors.js';
import { skillRequest, type CliContext } from '../commandLine.js';

/** `whetstone clean <skill>`: deletes all that is kept about a skill. */
export function addClean(program: Command, face: CliContext): void {
  program
    .command('clean')
    .argument('<skill>', 'a SKILL.md, or the folder that holds one')
    .description(
      'delete runs, proposal, decisions, notes of the optimizer, history, backups and error budget of a skill; the skill and its tasks stay',
    )
    .option('--root <folder>', 'the folder whose .whetstone holds proposals and runs')
    .option('--yes', 'delete without asking: this cannot be undone')
    .action(async (skill: string, options: { readonly root?: string; readonly yes?: boolean }) => {
      if (options.yes !== true) {
        throw new UserError(
          'usage',
          'This deletes everything that Whetstone keeps about the skill, for good, also its error budget: how often its held-out tasks were measured on is forgotten.',
          'Add --yes if that is what you want.',
        );
      }
      const { runs } = await face.open({}).cleanData(skillRequest(face, skill, options), face.signal);
      face.terminal.out(`Deleted, ${runs} runs among it. The skill and its tasks are as they were.\n`);
    });
}
