import { messageOf } from '../errors.js';
import type { OpenSkill } from './openSkill.js';
import { pendingOf } from './overview.js';
import { recordAdoption } from './record.js';
import type { AdoptedVersion } from './workshop.js';
import type { World } from './world.js';

/**
 * Adopts, then writes the record that the team shares, if what was adopted is exactly what was measured. `text`: what
 * the skill holds afterwards; undefined for the whole candidate. A record that cannot be written undoes no adoption.
 */
export async function recordedAdoption(
  world: World,
  skill: OpenSkill,
  text: string | undefined,
  adopt: () => Promise<AdoptedVersion>,
): Promise<AdoptedVersion> {
  const pending = await pendingOf(skill);
  const version = await adopt();
  const measured = pending?.proposal.documents[0]?.candidateText;
  if (pending?.own !== true || (text !== undefined && text !== measured)) return version;
  try {
    await recordAdoption(skill, pending.proposal, version.at);
  } catch (error) {
    world.tell(`The record beside the skill could not be written: ${messageOf(error)}`);
  }
  return version;
}
