import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { UserError } from '../errors.js';

/** Finds every SKILL.md below a folder. */
export type FindSkills = (folder: string) => Promise<readonly string[]>;

/**
 * Lets people name a skill where a command wants its path: what is no file or folder is taken for the name of the one skill
 * below where they are whose folder is called so.
 */
export function takeNames(program: Command, cwd: string, findSkills: FindSkills): void {
  const named = (word: string): Promise<string> => pathOf(word, cwd, findSkills);
  program.hook('preAction', async (_program, action) => {
    const [first] = action.registeredArguments;
    const isSkill = first?.name() === 'skill' || first?.name() === 'skills';
    const [given] = action.processedArgs;
    if (!isSkill || given === undefined) return;
    action.processedArgs[0] = Array.isArray(given) ? await Promise.all(given.map(named)) : await named(String(given));
  });
}

async function pathOf(word: string, cwd: string, findSkills: FindSkills): Promise<string> {
  if (/[\\/]/.test(word) || (await isThere(path.resolve(cwd, word)))) return word;
  const skills = (await findSkills(cwd)).filter((file) => path.basename(path.dirname(file)) === word);
  const [only, ...more] = skills;
  if (only === undefined) return word; // the command says what it makes of it
  if (more.length === 0) return only;
  throw new UserError(
    'usage',
    `${skills.length} skills are called “${word}”.`,
    `Name one by its path: ${skills.map((file) => path.relative(cwd, path.dirname(file))).join(', ')}.`,
  );
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
