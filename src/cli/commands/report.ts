import type { Command } from 'commander';
import { UserError } from '../../errors.js';
import { skillRequest, type CliContext } from '../commandLine.js';

/** `whetstone report <skill>`: the last run's report as Markdown, to put into a pull request. */
export function addReport(program: Command, face: CliContext): void {
  program
    .command('report')
    .argument('<skill>', 'a SKILL.md, or the folder that holds one')
    .description('print the report of the last run as Markdown; --json gives the figures behind it')
    .option('--root <folder>', 'the folder whose .whetstone holds proposals and runs')
    .option('--run <id>', 'another run than the last')
    .option('--json', 'print the figures as one JSON object')
    .action(async (skill: string, options: { readonly root?: string; readonly run?: string; readonly json?: true }) => {
      const useCases = face.open({});
      const request = skillRequest(face, skill, options);
      const found =
        options.json === true
          ? await useCases.reportData({ ...request, run: options.run })
          : await useCases.report({ ...request, run: options.run }, face.signal);
      if (found === undefined)
        throw new UserError('proposal-missing', 'No run of this skill left a report.', 'Optimize the skill first.');
      if (typeof found === 'string') face.terminal.out(found);
      else face.terminal.json(found);
    });
}
