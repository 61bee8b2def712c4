import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../errors.js';
import { unlessMissing } from '../../storage/files/fileErrors.js';
import { removeEmptyInside, removeInside, writeInside } from '../../storage/files/writeInside.js';
import { currentCommit, type CommitToExport } from '../../storage/programs/workplace/exportCommit.js';
import type { AgentTask } from '../../tasks/task.js';
import type { OpenSkill } from '../openSkill.js';

/** What a new task for an agent can start from. */
export interface AgentFixtures {
  /** Those that are there, as tasks name them: `evals/fixtures/shop`. */
  readonly folders: readonly string[];
  /** The repository that the skill lies in, as it was last committed; undefined where it lies in none. */
  readonly repository: Exclude<AgentTask['fixture'], string> | undefined;
}

const place = 'evals/fixtures';

export async function agentFixtures(
  { folder, places }: OpenSkill,
  environment: CommitToExport['environment'],
  signal: AbortSignal,
): Promise<AgentFixtures> {
  const entries = await unlessMissing(readdir(path.join(folder, place), { withFileTypes: true }));
  const names = (entries ?? []).filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const workspace = [places.root ?? folder];
  const commit = await currentCommit({ repository: folder, environment, workspace }, signal);
  return {
    folders: names.toSorted().map((name) => `${place}/${name}`),
    repository: commit === undefined ? undefined : { repository: '.', commit },
  };
}

/** Why a text cannot be the name of a new folder; undefined where it can. */
export function fixtureNameProblem(name: string): string | undefined {
  return /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,59}$/u.test(name)
    ? undefined
    : 'That cannot be the name of a folder here. Take letters, digits and dashes.';
}

/** An empty folder for tasks to start from, with a file that lets git keep it; gives it as tasks name it. */
export async function addFixture({ folder, places }: OpenSkill, name: string): Promise<string> {
  if (fixtureNameProblem(name) !== undefined)
    throw new UserError('usage', `“${name}” cannot be the name of a folder here.`, 'Take letters, digits and dashes.');
  const added = `${place}/${name}`;
  const file = path.join(folder, added, '.gitkeep');
  if ((await unlessMissing(lstat(path.dirname(file)))) !== undefined)
    throw new UserError('usage', `${added} is there already.`, 'Choose it, or take another name.');
  await writeInside(places.root ?? folder, file, '', { mode: 0o644 });
  return added;
}

/** Takes back a folder that was added for a task which did not come to be, and those around it, as far as all is empty. */
export async function dropFixture({ folder, places }: OpenSkill, name: string): Promise<void> {
  if (fixtureNameProblem(name) !== undefined) return;
  const added = path.join(folder, place, name);
  const entries = await unlessMissing(readdir(added));
  if (entries?.length !== 1 || entries[0] !== '.gitkeep') return;
  await removeInside(places.root ?? folder, path.join(added, '.gitkeep'));
  await removeEmptyInside(folder, added);
}
