import type { Command } from 'commander';
import {
  modelWords,
  runWords,
  runRequest,
  skillRequest,
  withRunOptions,
  type CliContext,
  type RunCommandOptions,
} from '../commandLine.js';
import { openToSpend } from '../askCosts.js';
import { confirmMeasuring } from '../confirmMeasuring.js';
import { createProgress } from '../progress/progressLine.js';
import { resultText } from '../resultText.js';
import { optimizeJson } from './optimize.js';
import type { OptimizeResult } from '../../app/runs/optimize.js';
import type { RunObserver } from '../../app/runs/runJournal.js';
import { shortVerdict } from '../../wording/shortVerdict.js';

interface GatherOptions extends RunCommandOptions {
  readonly refill?: string;
  readonly candidate?: string;
  readonly yes?: boolean;
}

/** `whetstone gather <skill>`: goes on with the certification of an inconclusive proposal, where it stood. */
export function addGather(program: Command, face: CliContext): void {
  withRunOptions(program.command('gather').argument('<skill>', 'a SKILL.md, or the folder that holds one'))
    .description('go on measuring the waiting proposal that a cap cut off, until it is decided')
    .option(
      '--refill <reason>',
      'first start the error budget afresh, by your decision: luck may then pass more often; the reason is written down',
    )
    .option('--candidate <id>', 'certify this candidate of the proposal instead, such as C2; “show” lists them')
    .option('--yes', 'begin without asking, whatever it may cost')
    .action(async (skill: string, options: GatherOptions) => {
      const { terminal } = face;
      const progress = createProgress(terminal);
      const useCases = await openToSpend(face, options, skillRequest(face, skill, options));
      const quiet = options.json === true;
      const request = { ...runRequest(face, skill, options), purpose: 'optimize' as const };
      const observe: RunObserver = (event, summary) => (quiet ? undefined : progress.show(event, summary));
      const candidate = options.candidate?.trim().toUpperCase();
      const refill = options.refill !== undefined;
      await confirmMeasuring(
        face,
        await useCases.candidatePrice({ ...request, candidate, refill }, face.signal),
        options,
      );
      if (options.refill !== undefined) {
        const decision = { ...skillRequest(face, skill, options), reason: options.refill };
        await useCases.refillErrorBudget(decision, face.signal);
      }
      const measured =
        candidate === undefined
          ? useCases.resumeCertification(request, observe, face.signal)
          : useCases.certifyCandidate({ ...request, candidate }, observe, face.signal);
      const result = await measured.finally(() => (quiet ? undefined : progress.clear()));
      if (candidate !== undefined && !quiet) terminal.out(`${candidateResult(candidate, result)}\n\n`);
      if (quiet) terminal.json(optimizeJson(result));
      else terminal.out(`${resultText(result, skill, terminal, await againOf(face, skill, options))}\n`);
    });
}

/** What is typed to go on from there. */
async function againOf(
  face: CliContext,
  skill: string,
  options: GatherOptions,
): Promise<Parameters<typeof resultText>[3]> {
  const { tasks } = await face.open(options).overview(skillRequest(face, skill, options), face.signal);
  return { models: modelWords(options), run: runWords(options), drafts: tasks?.drafts.length ?? 0 };
}

function candidateResult(candidate: string, { summary, proposal }: OptimizeResult): string {
  const verdict = summary.verdict === undefined ? '' : ` ${shortVerdict(summary.verdict)}`;
  const place =
    proposal?.candidates?.proposed.id === candidate
      ? 'It is the one that is proposed now.'
      : 'What was proposed before stays so.';
  return `${candidate}:${verdict} ${place}`;
}
