import type { z } from 'zod';
import { type SkillRecord, skillRecord } from './skillRecords.js';
import type { SkillStore } from './store.js';

/**
 * The error budget of a skill; its form belongs to the gate. A file that does not verify throws on update and is never
 * taken for a full budget: luck must not add up because a file was tampered with.
 */
export function errorBudgetOf<Budget extends object>(
  store: SkillStore,
  schema: z.ZodType<Budget>,
): SkillRecord<Budget> {
  return skillRecord(store, 'error-budgets', schema);
}
