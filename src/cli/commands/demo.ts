import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Command } from 'commander';
import { withRunOptions, type CliContext, type RunCommandOptions } from '../commandLine.js';
import { printEvaluation } from './evaluate.js';
import { runOptimize } from './optimize.js';
import { exactText } from '../../wording/shownText.js';

const firstSkill = '.claude/skills/incident-summary';
const agentSkill = '.agents/skills/price-change';
const agentTask = 'new-address';

/** `whetstone demo`: trains a skill of the demo workspace on the simulated model, in a copy. */
export function addDemo(program: Command, face: CliContext): void {
  withRunOptions(program.command('demo'))
    .description(
      'copy the demo workspace to a folder and train one of its skills on the simulated model, offline and free',
    )
    .option('--skill <folder>', 'which skill of the demo', firstSkill)
    .option('--to <folder>', 'where to copy the demo (default: a new temporary folder)')
    .action(async (options: RunCommandOptions & { readonly skill: string; readonly to?: string }) => {
      const folder = options.to ?? (await mkdtemp(path.join(tmpdir(), 'whetstone-demo-')));
      await cp(face.demoFolder, folder, { recursive: true });
      if (options.json !== true)
        face.terminal.err(
          `Training ${exactText(options.skill)} of the demo in ${exactText(folder)} on the simulated model: offline, nothing is sent anywhere.\n`,
        );
      const model = options.model ?? 'simulated';
      await runOptimize(face, path.join(folder, options.skill), { ...options, model, root: folder });
      if (options.json === true || options.skill !== firstSkill) return;
      face.terminal.out('\nA task that an agent works on, in the skill price-change of the demo:\n\n');
      const tried = { ...options, model, root: folder, withoutSkill: true, task: [agentTask] };
      await printEvaluation(face, path.join(folder, agentSkill), tried);
    });
}
