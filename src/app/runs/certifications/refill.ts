import { refillByPerson } from '../../../gate/statistics/errorBudget.js';
import { openSkill, type SkillRequest } from '../../openSkill.js';
import { readSkillTasks } from '../../tasks/skillTasks.js';
import type { World } from '../../world.js';
import { budgetOn } from '../certificationStore.js';
import { heldOutFactsOf, withCertifiedTexts } from './sharedHeldOut.js';
import { skillCertifications } from './skillCertifications.js';

/**
 * The person takes the risk that luck adds up upon themselves: a full error budget again, with the reason noted. What
 * others spent on the same held-out tasks is counted before: counted by the next run it would take the budget away again.
 */
export async function refillErrorBudget(
  world: World,
  request: SkillRequest & { readonly reason: string },
  signal: AbortSignal,
): Promise<void> {
  const skill = await openSkill(world, request, 'work');
  const { store } = skill;
  const decision = { at: new Date(store.clock.now()).toISOString(), reason: request.reason };
  const tasks = (await readSkillTasks(skill))?.result;
  const heldOut = tasks?.split.heldOut.map(({ contentHash }) => contentHash) ?? [];
  const facts = tasks === undefined ? undefined : heldOutFactsOf(tasks);
  await withCertifiedTexts(store, signal, async (elsewhere) => {
    const spent = budgetOn(heldOut, { facts, elsewhere });
    await skillCertifications(store).update((before) => {
      return { begun: before?.begun ?? [], budget: refillByPerson(spent(before?.budget), decision) };
    }, signal);
  });
}
