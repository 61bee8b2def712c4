import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FoundSkill } from '../../src/editor/skills/discoverSkills.js';
import { emptySummary, RunSummarySchema } from '../../src/engine/journal/runSummary.js';
import { nodeClock } from '../../src/storage/files/nodeAdapters.js';
import { findPlaces } from '../../src/storage/state/places.js';
import { openSkillStore } from '../../src/storage/state/store.js';
import { writeSummary } from '../../src/storage/runs/summaries.js';
import { createUseCases, type UseCases } from '../../src/app/useCases.js';
import type { SkillRequest } from '../../src/app/openSkill.js';

export interface Scale {
  readonly skills: number;
  readonly tasks: number;
  readonly runs: number;
}

const changedTask = 'task-0';

/** Writes a workspace of this size: skills with tasks, and runs that are spread over the skills. */
export async function makeSkills(folder: string, { skills, tasks, runs }: Scale): Promise<readonly FoundSkill[]> {
  const root = path.join(folder, 'workspace');
  await mkdir(path.join(root, '.git'), { recursive: true });
  const each = skills === 0 ? 0 : Math.ceil(tasks / skills);
  const found: FoundSkill[] = [];
  for (let index = 0; index < skills; index += 1) found.push(await makeSkill(root, `skill-${index}`, each));
  for (let index = 0; index < runs; index += 1) {
    const skillPath = found[index % skills]?.realPath ?? '';
    await endRunOf(folder, { skillPath, workspaceFolders: [] }, index);
  }
  return found;
}

/** Use cases on that workspace that could ask no model. */
export function scaledUseCases(folder: string): UseCases {
  return createUseCases({
    ...surroundings(folder),
    clock: nodeClock,
    models: () => Promise.reject(new Error('no model here')),
    trusted: () => true,
    consent: { allows: () => Promise.resolve(false) },
    caps: () => ({ day: {}, month: {} }),
    tell: () => {},
  });
}

/** Writes other words into one task; its side is fixed, so that nothing else changes. */
export async function changeOneTask(skillPath: string): Promise<void> {
  const file = path.join(path.dirname(skillPath), 'evals', 'evals.json');
  await writeFile(file, (await readFile(file, 'utf8')).replace(`Prompt of ${changedTask}.`, 'Another prompt.'));
}

async function makeSkill(root: string, name: string, tasks: number): Promise<FoundSkill> {
  const folder = path.join(root, 'skills', name);
  await mkdir(path.join(folder, 'evals'), { recursive: true });
  const skillPath = path.join(folder, 'SKILL.md');
  await writeFile(skillPath, `---\nname: ${name}\ndescription: Does what ${name} does.\n---\n\nDo it well.\n`);
  const ids = Array.from({ length: tasks }, (_, index) => `task-${index}`);
  const evals = ids.map((id) => ({
    id,
    prompt: `Prompt of ${id}.`,
    expected_output: 'Severity: high',
    expectations: ['It answers.'],
  }));
  const sides = Object.fromEntries(
    ids.map((id, index) => [id, { split: index % 2 === 0 ? 'training' : 'heldOut' }] as const),
  );
  await writeFile(path.join(folder, 'evals', 'evals.json'), JSON.stringify({ skill_name: name, evals }));
  const whetstone = { format: 'whetstone.tasks', version: 1, tasks: sides };
  await writeFile(path.join(folder, 'evals', 'whetstone.json'), JSON.stringify(whetstone));
  return { realPath: skillPath, paths: [skillPath], name, workspaceFolder: root };
}

/** Writes a run of the skill that has ended, as another process would. */
export async function endRunOf(
  folder: string,
  { skillPath, workspaceFolders }: Pick<SkillRequest, 'skillPath' | 'workspaceFolders'>,
  index: number,
): Promise<void> {
  const request = { ...surroundings(folder), skillPath, workspaceFolders, purpose: 'work' as const };
  const places = await findPlaces(request);
  const store = await openSkillStore(places, nodeClock);
  const runId = `20260101-000000-${index.toString(16).padStart(6, '0')}`;
  const ended = { outcome: 'nothing' as const, reason: 'Nothing was left to learn.', endedAt: index + 1 };
  const about = { skillKey: places.skillKey, skillName: 'a skill', skillPath };
  await writeSummary(store, RunSummarySchema, runId, { ...emptySummary(runId, index), ...ended, ...about });
}

function surroundings(folder: string) {
  return {
    environment: { WHETSTONE_HOME: path.join(folder, 'state') },
    platform: process.platform,
    home: folder,
  };
}
