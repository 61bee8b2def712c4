import type { Command } from 'commander';
import type { UseCases } from '../../app/useCases.js';
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
  readonly run?: string;
}

/** `whetstone handoff [skills...]`: what waits for answers by hand, and giving it up. */
export function addHandoff(program: Command, face: CliContext, findSkills: FindSkills): void {
  program
    .command('handoff')
    .argument('[skills...]', 'skills to look at, by path or by name (default: all that are here)')
    .description('which prompts of runs on the model “handoff” wait for answers, and where')
    .option('--discard', 'give the run up that waits: its prompts are deleted, with answers that were not taken yet')
    .option('--run <id>', 'which one, where several wait: the name of its folder of prompts')
    .option('--json', 'print one JSON object instead of text')
    .option('--root <folder>', 'the folder whose .whetstone holds proposals and runs')
    .action(async (given: readonly string[], options: HandoffOptions) => {
      const skills = given.length > 0 ? given : await skillsHere(face.cwd, findSkills);
      const useCases = face.open({});
      const found = await Promise.all(
        skills.map(async (skill) => {
          const request = skillRequest(face, skill, options);
          if (options.discard === true) await useCases.refuseLinkedPrompts(request);
          const overview = await useCases.overview(request, face.signal);
          return (overview.handed ?? []).map((handed) => ({ ...handed, overview, request }));
        }),
      );
      const rows = chosenOf(useCases, found.flat(), options);
      if (options.discard === true)
        for (const { request, name } of rows) await useCases.discardHandoff({ ...request, name }, face.signal);
      if (options.json === true) face.terminal.json(handoffJson(rows));
      else face.terminal.out(`${textOf(rows, options)}\n`);
    });
}

type WaitingHandoff = NonNullable<SkillOverview['handed']>[number];

/** What waits, and of which skill. */
interface Row extends WaitingHandoff {
  readonly overview: SkillOverview;
  readonly request: ReturnType<typeof skillRequest>;
}

/** The one that is named. To be given up it has to be one: several skills may have something that waits, too. */
function chosenOf(
  { theOneMeant }: Pick<UseCases, 'theOneMeant'>,
  rows: readonly Row[],
  { discard, run }: HandoffOptions,
): readonly Row[] {
  if (run === undefined && (discard !== true || rows.length <= 1)) return rows;
  return [theOneMeant(rows, run, ({ overview }) => overview.name)];
}

function handoffJson(rows: readonly Row[]): readonly Readonly<Record<string, unknown>>[] {
  return [...new Set(rows.map(({ overview }) => overview))].map((overview) => {
    const handed = rows.filter((row) => row.overview === overview);
    const { name, skillPath, handoff } = statusJson({ ...overview, handed });
    return { name, skillPath, handoff };
  });
}

function textOf(rows: readonly Row[], { discard }: HandoffOptions): string {
  if (rows.length === 0) return discard === true ? 'Nothing waited for answers.' : 'Nothing waits for answers.';
  return rows.map((row) => (discard === true ? givenUp(row) : goesOn(row))).join('\n');
}

function goesOn({ overview: { name, skillPath, handed: all = [] }, ...handed }: Row): string {
  const run = all[0]?.name === handed.name ? '' : ` ${handed.name}`; // the newest needs no name
  const next =
    handed.run === undefined
      ? 'The command that asked them finds the answers.'
      : `“whetstone optimize ${exactText(skillPath)} --resume${run}” goes on.`;
  return `${oneLine(name)}: ${handedText(handed)}. ${next}`;
}

function givenUp({ overview: { name }, run, purpose, waiting, answered }: Row): string {
  const what = run === undefined ? `the ${purpose === 'evaluate' ? 'evaluation' : 'measurement'}` : `the run ${run}`;
  const deleted = [count(waiting + answered, 'prompt', english), count(answered, 'answer', english)].join(' and ');
  return `${oneLine(name)}: ${what} is given up; ${deleted} are deleted.`;
}
