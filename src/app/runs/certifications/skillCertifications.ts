import * as z from 'zod';
import type { StoredCertification } from '../../../engine/runContext.js';
import type { ErrorBudget } from '../../../gate/statistics/errorBudget.js';
import { skillState, type SkillState } from '../../../storage/state/skillState.js';
import type { SkillStore } from '../../../storage/state/store.js';

/** One certification that was begun: what it compared, and where it stands. */
export interface BegunCertification {
  readonly id: string;
  readonly subject: string;
  /** The run that began it. */
  readonly run?: string | undefined;
  /** The run whose replies it uses, and no others; missing where an earlier version began it, which used any. */
  readonly storedFor?: string | undefined;
  readonly stored: StoredCertification | undefined;
}

/** What is stored of the certifications of a skill. */
export interface SkillCertifications {
  readonly budget: ErrorBudget;
  readonly begun: readonly BegunCertification[];
}

const schema = z.custom<SkillCertifications>(
  (value) =>
    z
      .object({
        budget: z.object({
          remaining: z.number(),
          knownTasks: z.array(z.string()),
          knownTexts: z.array(z.string()).optional(),
        }),
        begun: z.array(z.object({ id: z.string(), subject: z.string() })),
      })
      .safeParse(value).success,
);

/** Error budget and certifications of one skill, in user state: nights repeat, and luck must not add up. */
export function skillCertifications(store: SkillStore): SkillState<SkillCertifications> {
  return skillState(store, 'certifications', schema);
}
