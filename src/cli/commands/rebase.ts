import type { Command } from 'commander';
import { runRequest, skillRequest, withRunOptions, type CliContext, type RunCommandOptions } from '../commandLine.js';
import { createProgress } from '../progressLine.js';
import { shortVerdict } from '../../wording/shortVerdict.js';
import { oneLine } from '../terminal.js';
import { proposalJson } from './optimize.js';

/** `whetstone rebase`: moves a waiting proposal onto a skill that was changed since, and measures it afresh. */
export function addRebase(program: Command, face: CliContext): void {
  withRunOptions(program.command('rebase').argument('<skill>', 'a SKILL.md, or the folder that holds one'))
    .description('move the waiting proposal onto the skill as it is now and measure it again; edits no file')
    .option('--no-measure', 'only move it; it stays labelled as not measured')
    .action(async (skill: string, options: RunCommandOptions & { readonly measure: boolean }) => {
      const useCases = face.open(options);
      const quiet = options.json === true;
      const { proposal, lost, present } = await useCases.rebase(skillRequest(face, skill, options), face.signal);
      const measured = options.measure ? await measure(face, skill, options) : proposal;
      if (quiet) {
        face.terminal.json({ ...proposalJson(measured), lost, present });
        return;
      }
      const kept = measured.documents.flatMap(({ edits }) => edits.map(({ id }) => id));
      const lines = [
        `Moved onto the skill as it is now: ${kept.join(', ')}.`,
        ...lost.map(({ id, reason }) => oneLine(`${id} has no place any more: ${reason}`)),
        ...present.map((id) => oneLine(`${id} is in the file already.`)),
        shortVerdict(measured.verdict),
      ];
      face.terminal.out(`${lines.join('\n')}\n`);
    });
}

async function measure(face: CliContext, skill: string, options: RunCommandOptions) {
  const progress = createProgress(face.terminal);
  const quiet = options.json === true;
  const request = { ...runRequest(face, skill, options), purpose: 'optimize' as const };
  const { proposal } = await face
    .open(options)
    .resumeCertification(request, (event, summary) => (quiet ? undefined : progress.show(event, summary)), face.signal)
    .finally(() => (quiet ? undefined : progress.clear()));
  if (proposal === undefined) throw new Error('a measured proposal is a proposal');
  return proposal;
}
