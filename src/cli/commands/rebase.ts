import type { Command } from 'commander';
import type { UseCases } from '../../app/useCases.js';
import { totalSpend } from '../../engine/journal/runSummary.js';
import { shortVerdict } from '../../wording/shortVerdict.js';
import { openToSpend } from '../askCosts.js';
import { runRequest, skillRequest, withRunOptions, type CliContext, type RunCommandOptions } from '../commandLine.js';
import { confirmMeasuring } from '../confirmMeasuring.js';
import { createProgress } from '../progress/progressLine.js';
import { costText } from '../spendText.js';
import { oneLine } from '../terminal.js';
import { proposalJson, spendJson } from './optimize.js';

interface RebaseOptions extends RunCommandOptions {
  readonly measure: boolean;
  readonly yes?: boolean;
}

/**
 * `whetstone rebase`: moves a waiting proposal onto a skill that was changed since, and measures it afresh. What that takes
 * is told and agreed to before: where it is not, nothing is moved either.
 */
export function addRebase(program: Command, face: CliContext): void {
  withRunOptions(program.command('rebase').argument('<skill>', 'a SKILL.md, or the folder that holds one'))
    .description('move the waiting proposal onto the skill as it is now and measure it again; edits no file')
    .option('--no-measure', 'only move it; it stays labelled as not measured')
    .option('--yes', 'begin without asking, whatever it may cost')
    .action(async (skill: string, options: RebaseOptions) => {
      const about = skillRequest(face, skill, options);
      const useCases = options.measure ? await openToSpend(face, options, about) : face.open(options);
      if (options.measure) await confirm(face, useCases, skill, options);
      const { proposal, lost, present } = await useCases.rebase(skillRequest(face, skill, options), face.signal);
      const unmeasured = { proposal, summary: undefined };
      const measured = options.measure ? await measure(face, useCases, skill, options) : unmeasured;
      const { summary } = measured;
      if (options.json === true) {
        const spent = summary === undefined ? {} : spendJson(summary);
        face.terminal.json({ ...spent, ...proposalJson(measured.proposal), lost, present });
        return;
      }
      const kept = measured.proposal.documents.flatMap(({ edits }) => edits.map(({ id }) => id));
      const lines = [
        `Moved onto the skill as it is now: ${kept.join(', ')}.`,
        ...lost.map(({ id, reason }) => oneLine(`${id} has no place any more: ${reason}`)),
        ...present.map((id) => oneLine(`${id} is in the file already.`)),
        shortVerdict(measured.proposal.verdict),
        ...(summary === undefined ? [] : [costText(totalSpend(summary))]),
      ];
      face.terminal.out(`${lines.join('\n')}\n`);
    });
}

function requestOf(face: CliContext, skill: string, options: RebaseOptions) {
  return { ...runRequest(face, skill, options), purpose: 'optimize' as const };
}

async function confirm(face: CliContext, useCases: UseCases, skill: string, options: RebaseOptions): Promise<void> {
  await confirmMeasuring(face, await useCases.rebasePrice(requestOf(face, skill, options), face.signal), options);
}

async function measure(face: CliContext, useCases: UseCases, skill: string, options: RebaseOptions) {
  const progress = createProgress(face.terminal);
  const quiet = options.json === true;
  const observe: Parameters<UseCases['resumeCertification']>[1] = (event, summary) =>
    quiet ? undefined : progress.show(event, summary);
  const { proposal, summary } = await useCases
    .resumeCertification(requestOf(face, skill, options), observe, face.signal)
    .finally(() => (quiet ? undefined : progress.clear()));
  if (proposal === undefined) throw new Error('a measured proposal is a proposal');
  return { proposal, summary };
}
