import type { Command } from 'commander';
import { runRequest, withRunOptions, type CliContext, type RunCommandOptions } from '../commandLine.js';

interface PreviewOptions extends RunCommandOptions {
  readonly task?: string;
}

/** `whetstone preview <skill>`: exactly what a run would send to which server; asks nobody. */
export function addPreview(program: Command, face: CliContext): void {
  withRunOptions(program.command('preview').argument('<skill>', 'a SKILL.md, or the folder that holds one'))
    .description('show exactly what a run would send to which server, with secrets already replaced; sends nothing')
    .option('--task <id>', 'the task to show (default: the first one)')
    .action(async (skill: string, options: PreviewOptions) => {
      const request = { ...runRequest(face, skill, options), purpose: 'optimize' as const, task: options.task };
      const { requests, text } = await face.open(options).preview(request, face.signal);
      if (options.json === true) face.terminal.json({ requests });
      else face.terminal.out(text);
    });
}
