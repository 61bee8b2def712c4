import type { Command } from 'commander';
import { runRequest, skillRequest, withRunOptions, type CliContext, type RunCommandOptions } from '../commandLine.js';
import { openToSpend } from '../askCosts.js';
import { createProgress } from '../progressLine.js';
import { resultText } from '../resultText.js';
import { optimizeJson } from './optimize.js';

interface GatherOptions extends RunCommandOptions {
  readonly refill?: string;
}

/** `whetstone gather <skill>`: goes on with the certification of an inconclusive proposal, where it stood. */
export function addGather(program: Command, face: CliContext): void {
  withRunOptions(program.command('gather').argument('<skill>', 'a SKILL.md, or the folder that holds one'))
    .description('go on measuring the waiting proposal that a cap cut off, until it is decided')
    .option(
      '--refill <reason>',
      'first start the error budget afresh, by your decision: luck may then pass more often; the reason is written down',
    )
    .action(async (skill: string, options: GatherOptions) => {
      const { terminal } = face;
      const progress = createProgress(terminal);
      const useCases = await openToSpend(face, options);
      const quiet = options.json === true;
      if (options.refill !== undefined) {
        const decision = { ...skillRequest(face, skill, options), reason: options.refill };
        await useCases.refillErrorBudget(decision, face.signal);
      }
      const request = { ...runRequest(face, skill, options), purpose: 'optimize' as const };
      const result = await useCases
        .resumeCertification(
          request,
          (event, summary) => (quiet ? undefined : progress.show(event, summary)),
          face.signal,
        )
        .finally(() => (quiet ? undefined : progress.clear()));
      if (quiet) terminal.json(optimizeJson(result));
      else terminal.out(`${resultText(result, skill, terminal)}\n`);
    });
}
