import { rememberSkill } from './knownSkills.js';
import type { Receipt } from '../adoption/receipts.js';
import type { SkillStore } from './store.js';

/** Notes what the skill holds now, so that it is recognised if it is moved before Whetstone sees it again. */
export async function rememberContent({ folder, places }: SkillStore, { documents }: Receipt): Promise<void> {
  const contentHash = documents.find(({ kind }) => kind === 'skill')?.after;
  if (contentHash !== undefined) await rememberSkill(folder, { ...places, contentHash }, places);
}
