import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { UserError } from '../errors.js';
import { exactText } from '../wording/shownText.js';

/** Finds every SKILL.md below a folder. */
export type FindSkills = (folder: string) => Promise<readonly string[]>;

/**
 * Lets people name a skill where a command wants its path: what is no file or folder is taken for the name of the one skill
 * below where they are whose folder is called so.
 */
export function takeNames(program: Command, cwd: string, findSkills: FindSkills): void {
  const named: ReadWord = (word) => pathOf(word, cwd, findSkills);
  const skillNamed: ReadWord = (word) => pathOf(word, cwd, findSkills, 'skill');
  program.hook('preAction', async (_program, action) => {
    const option = action.options.find(({ flags }) => flags === '--skill <skill>');
    const chosen: unknown = option && action.getOptionValue('skill');
    const found = await readAll(chosen, skillNamed);
    if (found !== undefined) action.setOptionValue('skill', found);
    const [first] = action.registeredArguments;
    const [given] = action.processedArgs;
    if (!takesSkills.includes(first?.name() ?? '') || given === undefined) return;
    const read = first?.name() === 'skill' ? skillNamed : named;
    action.processedArgs[0] = await readAll(Array.isArray(given) ? given : String(given), read);
  });
}

type ReadWord = (word: string) => Promise<string>;

/** One word or several; undefined where it is neither. */
async function readAll(given: unknown, read: ReadWord): Promise<string | string[] | undefined> {
  if (Array.isArray(given)) return Promise.all(given.map(String).map(read));
  return typeof given === 'string' ? read(given) : undefined;
}

/** How the first argument of commands is called that may be a skill. */
const takesSkills: readonly string[] = ['skill', 'skills', 'place', 'places'];

/** `wanted`: a skill and nothing else, or whatever the command says that it takes. */
async function pathOf(
  word: string,
  cwd: string,
  findSkills: FindSkills,
  wanted: 'skill' | 'place' = 'place',
): Promise<string> {
  if (/[\\/]/.test(word) || (await isThere(path.resolve(cwd, word)))) return word;
  const all = await findSkills(cwd);
  const skills = all.filter((file) => path.basename(path.dirname(file)) === word);
  const [only, ...more] = skills;
  if (only === undefined && wanted === 'skill' && all.length > 0) throw noneOfThatName(word, all);
  if (only === undefined) return word; // the command says what it makes of it
  if (more.length === 0) return only;
  throw new UserError(
    'usage',
    `${skills.length} skills are called “${word}”.`,
    `Name one by its path: ${skills.map((file) => path.relative(cwd, path.dirname(file))).join(', ')}.`,
  );
}

function noneOfThatName(word: string, all: readonly string[]): UserError {
  const names = all.map((file) => path.basename(path.dirname(file))).toSorted();
  const listed = names.slice(0, mostListed).map(exactText).join(', ');
  const more = names.length > mostListed ? `, and ${names.length - mostListed} more` : '';
  return new UserError(
    'skill-missing',
    `There is no skill “${exactText(word)}” here.`,
    `There ${names.length === 1 ? 'is' : 'are'} ${listed}${more}; or give the path of a SKILL.md.`,
  );
}

const mostListed = 10;

/** The skills that are named or lie below the folders that are, each once. Throws where there is nothing of the kind. */
export async function skillsAt(places: readonly string[], findSkills: FindSkills): Promise<readonly string[]> {
  const found = await Promise.all(
    places.map(async (place) => {
      if (await isThere(place)) return findSkills(place);
      const shown = exactText(path.basename(place));
      throw new UserError(
        'skill-missing',
        `There is no file, folder or skill “${shown}” here.`,
        'Give the name or the path of a skill, or a folder to look for skills in.',
      );
    }),
  );
  return [...new Set(found.flat())];
}

/** The skills below a folder, for a command that was pointed at none. Throws where there is none. */
export async function skillsHere(folder: string, findSkills: FindSkills): Promise<readonly string[]> {
  const skills = await findSkills(folder);
  if (skills.length > 0) return skills;
  throw new UserError('skill-missing', `No SKILL.md was found in ${folder}.`, 'Give the path of a skill.');
}

async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
