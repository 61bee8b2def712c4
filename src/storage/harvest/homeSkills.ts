import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { readQuietly } from './quietFile.js';

/** A skill as it lies on disk. */
export interface SkillFile {
  /** The real path of its SKILL.md. */
  readonly skillPath: string;
  readonly text: string;
}

const longestSkill = 1024 * 1024;

/** The skills in these folders, each once however many links lead to it: people keep them elsewhere and link to them. */
export async function skillsIn(folders: readonly string[]): Promise<readonly SkillFile[]> {
  const found = new Map<string, SkillFile>();
  for (const folder of folders) {
    const names: readonly string[] = await readdir(folder).catch(() => []);
    for (const name of names.toSorted()) {
      const skill = await readSkillFile(path.join(folder, name, 'SKILL.md'));
      if (skill !== undefined) found.set(skill.skillPath, skill);
    }
  }
  return [...found.values()];
}

/** The skill at a path; undefined where there is none, or one that nobody would call so. */
export async function readSkillFile(file: string): Promise<SkillFile | undefined> {
  const skillPath = await realpath(file).catch(() => undefined);
  const text = skillPath === undefined ? undefined : await readQuietly(skillPath, longestSkill);
  return skillPath === undefined || text === undefined ? undefined : { skillPath, text };
}
