import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { jsonFile } from '../../jsonFile.js';
import { UserError } from '../../errors.js';
import { isSkillName, longestDescription } from '../../skill/skillName.js';
import { nearestExisting } from '../../storage/files/insideFolder.js';
import { writeInside } from '../../storage/files/writeInside.js';
import { openSkill } from '../openSkill.js';
import { refuseUntrustedWrite, type World } from '../world.js';
import { changeTasks } from './taskFiles.js';

/** What a person says about a skill that does not exist yet. */
export interface NewSkill {
  /** The workspace folder, and where in it the skills lie, such as `.claude/skills`. */
  readonly workspaceFolder: string;
  readonly place: string;
  readonly name: string;
  readonly description: string;
  /** What people ask, each with what a good answer does; drafts where that is not known yet. */
  readonly examples: readonly { readonly prompt: string; readonly expectation: string | undefined }[];
}

/** Why a name cannot be a skill's name, as a sentence; undefined where it can. */
export function nameProblem(name: string): string | undefined {
  if (isSkillName(name)) return undefined;
  return 'A name has small letters, digits and single hyphens, such as release-notes, and at most 64 of them.';
}

/** Why a description cannot be one, as a sentence; undefined where it can. */
export function descriptionProblem(description: string): string | undefined {
  if (description.trim() === '') return 'Say what the skill does and when to use it: agents choose skills by that.';
  return description.length > longestDescription ? 'A description has at most 1,024 characters.' : undefined;
}

/**
 * Writes a skill with front matter and a body to fill in, and its first tasks, which the split puts on their sides. Never
 * over anything that is there. Gives the path of the SKILL.md.
 */
export async function createSkill(world: World, wanted: NewSkill): Promise<string> {
  refuseUntrustedWrite(world);
  const problem = nameProblem(wanted.name) ?? descriptionProblem(wanted.description);
  if (problem !== undefined) throw new UserError('usage', problem, 'Change it, then try again.');
  const { root, below } = await rootOf(wanted.workspaceFolder);
  const skillPath = path.join(root, below, wanted.place, wanted.name, 'SKILL.md');
  await refuseTaken(skillPath);
  await writeInside(root, skillPath, skillText(wanted), { mode: 0o644, beforeRename: () => refuseTaken(skillPath) });
  const tasks = wanted.examples.map(({ prompt, expectation }, index) => ({
    id: `example-${index + 1}`,
    prompt,
    expectations: [expectation ?? `The answer does what the skill promises: ${wanted.description.trim()}`],
    draft: expectation === undefined,
  }));
  if (tasks.length > 0) {
    const skill = await openSkill(world, { skillPath, workspaceFolders: [root] }, 'work');
    await changeTasks(skill, { kind: 'add', tasks });
  }
  return skillPath;
}

/** A workspace folder that is still to be made has what is there above it as its root: no link leads out of that. */
async function rootOf(folder: string): Promise<{ readonly root: string; readonly below: string }> {
  const existing = await nearestExisting(folder);
  return { root: await realpath(existing), below: path.relative(existing, folder) };
}

/** Throws where something is at this place that would be written over. */
export async function refuseTaken(skillPath: string): Promise<void> {
  const found = await stat(path.dirname(skillPath)).catch(() => undefined);
  const taken = found !== undefined && (!found.isDirectory() || (await stat(skillPath).catch(() => undefined)));
  if (taken === false || taken === undefined) return;
  throw new UserError(
    'usage',
    `There is already something at ${skillPath}.`,
    'Choose another name, or open what is there.',
  );
}

/** Comments say what to write: a model that reads the skill meanwhile is told nothing wrong. */
function skillText({ name, description }: NewSkill): string {
  const words = description.trim().replaceAll(/\s+/g, ' ');
  const title = name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
  return `---
name: ${name}
description: ${jsonFile(words)}
---

# ${title}

${words}

## Steps

<!-- What a good answer does, one step a line. -->

## The answer

<!-- What it must contain, how long it is, what it leaves out. -->
`;
}
