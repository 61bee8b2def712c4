import path from 'node:path';
import { messageOf, UserError } from '../../errors.js';
import type { SkillFacts, Blocker } from '../../schedule/preconditions.js';
import { readLock } from '../../storage/files/lockFile.js';
import { livenessOf } from '../../storage/files/runningProcess.js';
import { runLock } from '../../storage/state/skillLocks.js';
import { nightFingerprint } from './nightFingerprint.js';
import { nightMemory } from './nightMemory.js';
import { findMemoryFile } from './nightMemoryFile.js';
import type { NightRequest } from './nightly.js';
import { openSkill, type OpenSkill } from '../openSkill.js';
import type { RoleModels } from '../models/runModels.js';
import { runOptionsFor } from '../runs/runOptionsFor.js';
import { refuseTooFew, readSkillTasks, type SkillTasks } from '../tasks/skillTasks.js';
import type { RunStart } from '../runs/skillRun.js';
import type { World } from '../world.js';

/** A skill as a night finds it: ready to be weighed, left out for want of tasks, or not to be read at all. */
export type FoundSkill =
  | {
      readonly kind: 'found';
      readonly skillPath: string;
      readonly skill: OpenSkill;
      readonly tasks: SkillTasks;
      readonly options: RunStart['options'];
      readonly facts: SkillFacts;
    }
  | { readonly kind: 'left-out'; readonly skillPath: string; readonly name: string; readonly stop: Blocker }
  | { readonly kind: 'broken'; readonly skillPath: string; readonly name: string; readonly reason: string };

/** Looks at one skill: its tasks, its options, who works on it, and whether anything changed. Writes nothing. */
export async function findSkill(
  world: World,
  request: NightRequest & { readonly skillPath: string },
  models: RoleModels | undefined,
): Promise<FoundSkill> {
  const { skillPath } = request;
  let name = path.basename(path.dirname(skillPath));
  try {
    const skill = await openSkill(world, request, 'look');
    name = skill.name;
    const tasks = refuseTooFew(skill, await readSkillTasks(skill));
    const options = await runOptionsFor(skill, { ...withAutoAdopt(request, name), purpose: 'night' });
    const facts = await factsOf({ skill, tasks, options }, request, models);
    return { kind: 'found', skillPath, skill, tasks, options, facts };
  } catch (error) {
    if (error instanceof UserError && (error.code === 'tasks-missing' || error.code === 'tasks-too-few')) {
      const stop: Blocker = { name: 'no-tasks', sentence: error.message, cure: error.cure };
      return { kind: 'left-out', skillPath, name, stop };
    }
    return { kind: 'broken', skillPath, name, reason: messageOf(error) };
  }
}

/** What is adopted without asking is certified with no task getting worse, whatever else is set. */
function withAutoAdopt(request: NightRequest, name: string): NightRequest {
  if (request.autoAdopt?.includes(name) !== true) return request;
  return { ...request, settings: [...request.settings, { gate: { noRegression: true } }] };
}

async function factsOf(
  found: Pick<RunStart, 'skill' | 'tasks' | 'options'>,
  { unsaved = [], force }: NightRequest,
  models: RoleModels | undefined,
): Promise<SkillFacts> {
  const { skill, tasks, options } = found;
  const memory = options.consolidate.memory ? await findMemoryFile(skill.places) : undefined;
  const read = [skill.places.skillPath, path.join(skill.places.root ?? '', memory?.path ?? '')];
  const last = force ? undefined : await nightMemory(skill.store).last();
  return {
    name: skill.name,
    path: skill.places.documentPath,
    confirmedTasks: tasks.read.tasks.filter((task) => task.enabled && !task.draft).length,
    unsaved: unsaved.some((file) => read.includes(file) || file.startsWith(`${skill.folder}${path.sep}`)),
    heldBy: await holderOf(skill),
    fingerprint: models === undefined ? '' : await nightFingerprint(found, models),
    lastFingerprint: last,
  };
}

/** Who works on the skill now; one that has died does not count, for its lock runs out. */
async function holderOf({ store }: OpenSkill): Promise<string | undefined> {
  const state = await readLock(runLock(store, ''));
  if (state.kind !== 'held' || (await livenessOf(state.holder, store.self)) === 'dead') return undefined;
  return `process ${state.holder.pid} on ${state.holder.host} (${state.holder.what})`;
}
