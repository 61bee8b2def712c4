import type { Command } from 'commander';
import type { SkillOverview } from '../../app/results/overview.js';
import { skillRequest, type CliContext } from '../commandLine.js';
import { skillsHere, type FindSkills } from '../namedSkills.js';
import { handedText, statusJson } from '../statusText.js';
import { count } from '../../wording/amounts.js';
import { exactText } from '../../wording/shownText.js';
import { english } from '../../wording/translate.js';
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
      const waiting = overviews.filter(({ handed = [] }) => handed.length > 0);
      if (options.json === true) face.terminal.json(waiting.map(handoffJson));
      else face.terminal.out(`${textOf(waiting, options)}\n`);
    });
}

function handoffJson(overview: SkillOverview): Readonly<Record<string, unknown>> {
  const { name, skillPath, handoff } = statusJson(overview);
  return { name, skillPath, handoff };
}

function textOf(waiting: readonly SkillOverview[], { discard }: HandoffOptions): string {
  if (waiting.length === 0) return discard === true ? 'Nothing waited for answers.' : 'Nothing waits for answers.';
  const lines = waiting.flatMap((overview) =>
    (overview.handed ?? []).map((each, at) =>
      discard === true ? givenUp(overview, each) : goesOn(overview, each, at),
    ),
  );
  return lines.join('\n');
}

type Handed = NonNullable<SkillOverview['handed']>[number];

function goesOn({ name, skillPath }: SkillOverview, handed: Handed, at: number): string {
  const run = at === 0 ? '' : ` ${handed.run ?? ''}`; // the newest needs no name
  const next =
    handed.run === undefined
      ? 'The command that asked them finds the answers.'
      : `“whetstone optimize ${exactText(skillPath)} --resume${run}” goes on.`;
  return `${oneLine(name)}: ${handedText(handed)}. ${next}`;
}

function givenUp({ name }: SkillOverview, { run, purpose, waiting, answered }: Handed): string {
  const what = run === undefined ? `the ${purpose === 'evaluate' ? 'evaluation' : 'measurement'}` : `the run ${run}`;
  const deleted = [count(waiting + answered, 'prompt', english), count(answered, 'answer', english)].join(' and ');
  return `${oneLine(name)}: ${what} is given up; ${deleted} are deleted.`;
}
