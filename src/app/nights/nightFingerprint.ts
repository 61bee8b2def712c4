import { leavesFolder, listFixtures } from '../../tasks/task.js';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fingerprintNight } from '../../schedule/preconditions.js';
import { canonicalJson, sha256 } from '../../hash.js';
import { findMemoryFile } from './nightMemoryFile.js';
import { ownPrompts } from '../promptOverrides.js';
import { modelNames, type RoleModels } from '../models/runModels.js';
import type { RunStart } from '../runs/skillRun.js';

type Found = Pick<RunStart, 'skill' | 'tasks' | 'options'>;

/** All that a night of this skill starts from. The same again would cost the same and find the same. */
export async function nightFingerprint(found: Found, models: RoleModels): Promise<string> {
  const { skill, tasks, options } = found;
  const hashes = tasks.read.tasks.map((task) => `${task.contentHash}:${task.draft}:${task.enabled}`);
  return fingerprintNight({
    skillHash: skill.hash,
    tasksHash: sha256(canonicalJson(hashes)),
    modelId: canonicalJson(modelNames(models)),
    // What a night may spend decides how far it gets, not what it is about.
    optionsHash: sha256(canonicalJson({ ...options, caps: {} })),
    besideHash: sha256(canonicalJson(await besideOf(found))),
  });
}

/** What is read beside the skill and its task files: the memory file, the person's prompts, the fixtures. */
async function besideOf({ skill, tasks, options }: Found): Promise<readonly unknown[]> {
  const memory = options.consolidate.memory ? await findMemoryFile(skill.places) : undefined;
  const prompts = (await ownPrompts(skill)).map(({ name, text }) => [name, text]);
  const named = tasks.read.tasks.flatMap((task) => listFixtures(task)).filter((file) => !leavesFolder(file));
  const fixtures: string[] = [];
  for (const file of new Set(named)) fixtures.push(`${file} ${await hashAt(path.join(skill.folder, file))}`);
  return [memory?.path ?? '', memory?.text ?? '', prompts, fixtures];
}

async function hashAt(file: string): Promise<string> {
  const bytes = await readFile(file).catch(() => undefined); // missing, or a folder: the run will say so
  return bytes === undefined ? '-' : sha256(bytes);
}
