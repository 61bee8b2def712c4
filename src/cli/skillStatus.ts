import type { Command } from 'commander';
import { UserError } from '../errors.js';
import type { SkillOverview } from '../app/results/overview.js';
import { skillRequest, type CliContext } from './commandLine.js';
import { skillsHere, type FindSkills } from './namedSkills.js';
import { statusJson, statusText } from './statusText.js';
import { oneLine } from './terminal.js';

interface StatusOptions {
  readonly json?: boolean;
  readonly root?: string;
}

/** `whetstone status [skills]`: where each of them stands. One that cannot be read is named with its reason and hides no other. */
export function addStatus(program: Command, face: CliContext, findSkills: FindSkills): void {
  program
    .command('status')
    .option('--json', 'print one JSON object instead of text')
    .option('--root <folder>', 'the folder whose .whetstone holds proposals and runs')
    .argument('[skills...]', 'skills to look at, by path or by name (default: all that are here)')
    .description('where each skill stands: tasks, the last run, a waiting proposal')
    .action(async (given: readonly string[], options: StatusOptions) => {
      const useCases = face.open({});
      const skills = given.length > 0 ? given : await skillsHere(face.cwd, findSkills);
      const looked = await Promise.all(
        skills.map((skill) => lookAt(useCases.overview(skillRequest(face, skill, options), face.signal))),
      );
      const overviews = looked.flatMap((each) => (each instanceof UserError ? [] : [each]));
      const unreadable = looked.filter((each) => each instanceof UserError);
      const [first] = unreadable;
      if (first !== undefined && new Set(looked.map(sentenceOf)).size === 1) throw first; // one skill, or one reason
      if (options.json === true) face.terminal.json(overviews.map(statusJson));
      else if (overviews.length > 0) face.terminal.out(`${statusText(overviews, face)}\n`);
      for (const error of unreadable) face.terminal.err(`${sentenceOf(error)}\n`);
      if (unreadable.length > 0) face.exit(1);
    });
}

async function lookAt(overview: Promise<SkillOverview>): Promise<SkillOverview | UserError> {
  try {
    return await overview;
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
}

function sentenceOf(each: SkillOverview | UserError): string {
  return each instanceof UserError ? oneLine(`${each.message} ${each.cure}`) : each.skillPath;
}
