import type { Command } from 'commander';
import type { SkillOverview } from '../../app/results/overview.js';
import { skillRequest, type CliContext } from '../commandLine.js';
import { skillsHere, type FindSkills } from '../namedSkills.js';
import { handedText, statusJson } from '../statusText.js';
import { exactText } from '../../wording/shownText.js';
import { oneLine } from '../terminal.js';

interface HandoffOptions {
  readonly json?: boolean;
  readonly root?: string;
  readonly discard?: boolean;
}

/** `whetstone handoff [skills...]`: what waits for answers by hand, and giving it up. */
export function addHandoff(program: Command, face: CliContext, findSkills: FindSkills): void {
  program
    .command('handoff')
    .argument('[skills...]', 'skills to look at, by path or by name (default: all that are here)')
    .description('which prompts of runs on the model “handoff” wait for answers, and where')
    .option('--discard', 'give the runs that wait up: their prompts are deleted, with answers that were not taken yet')
    .option('--json', 'print one JSON object instead of text')
    .option('--root <folder>', 'the folder whose .whetstone holds proposals and runs')
    .action(async (given: readonly string[], options: HandoffOptions) => {
      const skills = given.length > 0 ? given : await skillsHere(face.cwd, findSkills);
      const useCases = face.open({});
      const requests = skills.map((skill) => skillRequest(face, skill, options));
      const overviews = await Promise.all(requests.map((request) => useCases.overview(request, face.signal)));
      if (options.discard === true) {
        for (const request of requests) await useCases.discardHandoff(request, face.signal);
      }
      print(face, overviews, options);
    });
}

function print({ terminal }: CliContext, overviews: readonly SkillOverview[], options: HandoffOptions): void {
  const waiting = overviews.filter(({ handed = [] }) => handed.length > 0);
  if (options.json === true) {
    const rows = waiting.map((overview) => {
      const { name, skillPath, handoff } = statusJson(overview);
      return { name, skillPath, handoff };
    });
    return terminal.json(rows);
  }
  const lines = waiting.flatMap(({ name, skillPath, handed = [] }) =>
    handed.map((each, at) => {
      const run = at === 0 ? '' : ` ${each.run ?? ''}`; // the newest needs no name
      return `${oneLine(name)}: ${handedText(each)}.${goesOn(each, `${exactText(skillPath)} --resume${run}`, options)}`;
    }),
  );
  terminal.out(`${lines.length === 0 ? 'Nothing waits for answers.' : lines.join('\n')}\n`);
}

function goesOn(
  { run }: NonNullable<SkillOverview['handed']>[number],
  words: string,
  { discard }: HandoffOptions,
): string {
  if (discard === true) return ' Given up: the prompts are deleted.';
  return run === undefined
    ? ' The command that asked them finds the answers.'
    : ` “whetstone optimize ${words}” goes on.`;
}
