import { messageOf } from '../../errors.js';
import type { OpenSkill } from '../openSkill.js';
import { recordAdoption } from '../results/record.js';
import type { AdoptedVersion, PendingProposal } from '../useCases.js';
import type { World } from '../world.js';

interface Adoption {
  readonly pending: Pick<PendingProposal, 'proposal' | 'own'> | undefined;
  /** Whether the files then hold all that was measured. */
  readonly whole: boolean;
  readonly adopt: () => Promise<AdoptedVersion>;
}

/**
 * Adopts, then writes the record that the team shares, if what was adopted is exactly what was measured. A record that
 * cannot be written undoes no adoption.
 */
export async function recordedAdoption(
  world: World,
  skill: OpenSkill,
  { pending, whole, adopt }: Adoption,
): Promise<AdoptedVersion> {
  const version = await adopt();
  if (pending?.own !== true || !whole) return version;
  try {
    await recordAdoption(skill, pending.proposal, version.at);
  } catch (error) {
    world.tell(`The record beside the skill could not be written: ${messageOf(error)}`);
  }
  return version;
}
