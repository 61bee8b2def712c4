import type { HarvestedSession } from '../../harvest/harvested.js';
import type { OfferedSkill } from '../../harvest/mine/skillFor.js';
import { isWithin } from '../../harvest/scope.js';
import type { PlaceInSession } from './minedBefore.js';
import type { SoughtFor } from './soughtSkills.js';

/** Skills of one name that tasks are wanted for: an agent's session names one of them, and nobody can tell which. */
export interface SkillCopies {
  readonly name: string;
  /** The paths of those that work was found for, and of the others. */
  readonly chosen: readonly string[];
  readonly others: readonly string[];
}

/** Offers each name once, with what any of its skills says of itself: two that are equally near would be as good as none. */
export function offeredOnce(skills: readonly OfferedSkill[]): readonly OfferedSkill[] {
  return sameNamed(skills, ({ name }) => name).flatMap((same) => {
    const descriptions = [...new Set(same.map(({ description }) => description))];
    return same.slice(0, 1).map(({ name }) => ({ name, description: descriptions.join('\n') }));
  });
}

export function isNamed(name: string): (each: { readonly name: string }) => boolean {
  return (each) => each.name.toLowerCase() === name.toLowerCase();
}

/** Of the skills of a name the one that takes a request: one that had it before, else the first that may take its session. */
export function takerOf(
  same: readonly SoughtFor[],
  request: PlaceInSession & { readonly session: HarvestedSession },
): SoughtFor | undefined {
  const may = same.filter(({ folders }) => isWithin(folders, request.session));
  return may.find(({ before }) => before.isMined(request)) ?? may[0];
}

/** The names that several skills have and work was found for. */
export function copiesAmong(
  skills: readonly SoughtFor[],
  found: readonly Pick<SoughtFor, 'skill'>[],
): readonly SkillCopies[] {
  const taken = new Set(found.map(({ skill }) => skill));
  return sameNamed(skills, ({ skill }) => skill.name).flatMap((same) => {
    const paths = (isTaken: boolean): readonly string[] =>
      same.flatMap(({ skill }) => (taken.has(skill) === isTaken ? [skill.places.skillPath] : []));
    const [chosen, others] = [paths(true), paths(false)];
    const isTold = chosen.length > 0 && same.length > 1;
    return isTold ? same.slice(0, 1).map(({ skill }) => ({ name: skill.name, chosen, others })) : [];
  });
}

function sameNamed<Each>(all: readonly Each[], nameOf: (each: Each) => string): readonly (readonly Each[])[] {
  const byName = new Map<string, Each[]>();
  for (const each of all) {
    const name = nameOf(each).toLowerCase();
    byName.set(name, [...(byName.get(name) ?? []), each]);
  }
  return [...byName.values()];
}
