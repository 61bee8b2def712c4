import { stat } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../../../isInside.js';
import type { CliContext } from '../../commandLine.js';
import { placeNamed, type SessionOptions } from './sessionConsent.js';

/** What tasks are looked for: in the sessions of a folder, for all skills below it or for those that are named. */
export interface MinedPlace {
  readonly folder: string;
  /** The SKILL.md of each skill that was named; none where all of the folder are meant. */
  readonly named: readonly string[];
}

/**
 * Reads what a command was pointed at: a skill, whose tasks are found in the sessions of where the person is, or a folder
 * with its own sessions and skills. Throws where it is neither.
 */
export async function minedPlace(
  place: string | undefined,
  options: Pick<SessionOptions, 'source' | 'allow' | 'forbid'> & { readonly skill: readonly string[] },
  { cwd }: Pick<CliContext, 'cwd'>,
): Promise<MinedPlace> {
  const pointed = place === undefined ? undefined : await skillAt(path.resolve(cwd, place), cwd);
  const folder = await placeNamed(pointed === undefined ? place : undefined, options, { cwd });
  const chosen = options.skill.map((skill) => skillFile(path.resolve(cwd, skill)));
  return { folder, named: [...new Set([...(pointed === undefined ? [] : [pointed]), ...chosen])] };
}

/**
 * A SKILL.md, or a folder that holds one and lies beneath where the person is, or among the skills of their home or of
 * another place; the folder where they are, and one elsewhere, have sessions of their own.
 */
async function skillAt(place: string, cwd: string): Promise<string | undefined> {
  if (path.basename(place) === skillName) return (await isFile(place)) ? place : undefined;
  const isAmongSkills = path.basename(path.dirname(place)) === 'skills';
  const maybe = place !== cwd && (isAmongSkills || isInside(cwd, place));
  return maybe && (await isFile(skillFile(place))) ? skillFile(place) : undefined;
}

const skillName = 'SKILL.md';

function skillFile(place: string): string {
  return path.basename(place) === skillName ? place : path.join(place, skillName);
}

async function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
}
