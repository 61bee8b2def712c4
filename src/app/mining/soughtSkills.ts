import { UserError } from '../../errors.js';
import { realFolders } from '../harvest/visitSessions.js';
import { openSkill, type OpenSkill } from '../openSkill.js';
import type { World } from '../world.js';
import { minedBefore, type MinedBefore } from './minedBefore.js';
import type { MineTarget } from './miningPlan.js';

/** A skill that tasks are found for. */
export interface SoughtFor {
  readonly skill: OpenSkill;
  readonly folders: readonly string[];
  readonly before: MinedBefore;
}

/** A skill whose tasks cannot be read: what it has already is not known, so nothing is looked for. */
export interface UnreadableSkill {
  readonly skillPath: string;
  /** What is wrong, and what to do. */
  readonly reason: string;
}

/** Opens the skills that tasks are wanted for. One that cannot be read costs no other; where none can, that is thrown. */
export async function soughtSkills(
  world: World,
  targets: readonly MineTarget[],
  purpose: 'look' | 'work',
): Promise<{ readonly skills: readonly SoughtFor[]; readonly unreadable: readonly UnreadableSkill[] }> {
  const opened = await Promise.all(targets.map((target) => soughtSkill(world, target, purpose)));
  const skills = opened.flatMap((each) => (each.kind === 'open' ? [each.sought] : []));
  const broken = opened.flatMap((each) => (each.kind === 'broken' ? [each] : []));
  const [first] = broken;
  if (skills.length === 0 && first !== undefined) throw first.error;
  const unreadable = broken.map(({ skillPath, error }) => ({ skillPath, reason: `${error.message} ${error.cure}` }));
  return { skills, unreadable };
}

type SkillOpening =
  | { readonly kind: 'open'; readonly sought: SoughtFor }
  | { readonly kind: 'broken'; readonly skillPath: string; readonly error: UserError };

async function soughtSkill(world: World, target: MineTarget, purpose: 'look' | 'work'): Promise<SkillOpening> {
  try {
    const skill = await openSkill(world, target, purpose);
    const sought = { skill, folders: await realFolders(target.folders), before: await minedBefore(skill) };
    return { kind: 'open', sought };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { kind: 'broken', skillPath: target.skillPath, error };
  }
}
