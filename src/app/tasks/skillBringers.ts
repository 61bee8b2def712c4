import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { unlessMissing } from '../../storage/files/fileErrors.js';
import { readWhetstone } from '../../tasks/readers/readWhetstone.js';
import { bringersOf, type EnvironmentDeclaration } from '../../tasks/readers/whetstoneFile.js';
import { atOnce } from '../../tasks/steps.js';
import { openTaskFile } from '../../tasks/taskFile.js';
import { readTextInside } from '../readText.js';
import { mostTaskBytes } from './taskTexts.js';

/** The environments of a folder that bring the text of its skill, by name; none where there is no task file. */
export async function skillBringers(folder: string): Promise<readonly string[]> {
  return bringersOf(await declaredIn(folder), 'skill');
}

/** What is declared in the task file of a folder, whether or not a skill is there. */
export async function declaredIn(folder: string): Promise<ReadonlyMap<string, EnvironmentDeclaration>> {
  const real = await unlessMissing(realpath(folder));
  if (real === undefined) return new Map();
  const file = path.join(real, 'evals', 'whetstone.json');
  const text = await readTextInside(real, file, 'tasks-malformed', mostTaskBytes);
  return text === undefined ? new Map() : atOnce(readWhetstone(openTaskFile(file, text))).environments;
}
