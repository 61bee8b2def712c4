import * as z from 'zod';
import { evaluateAnswer } from '../checks/judgeAnswer.js';
import type { RejectedEdit, RunContext } from '../engine/runContext.js';
import type { RecordEvent } from '../engine/runEvents.js';
import type { RunOptions } from '../engine/runOptions.js';
import { nodeFiles } from '../storage/nodeFiles.js';
import { nodePrograms } from '../storage/nodePrograms.js';
import { rejectedEditsOf } from '../storage/rejectedEdits.js';
import { openTexts } from '../storage/texts.js';
import { certificationsOf } from './certificationStore.js';
import { environmentsFor } from './environmentsFor.js';
import { gamingEvidenceOf } from './gamingEvidence.js';
import type { OpenSkill } from './openSkill.js';
import { promptOverridesOf } from './promptOverrides.js';
import type { RoleModels } from './runModels.js';
import type { SkillTasks } from './skillTasks.js';
import type { World } from './world.js';

export const RejectedEditSchema: z.ZodType<RejectedEdit> = z.object({
  op: z.string(),
  anchor: z.string().optional(),
  content: z.string().optional(),
  reason: z.string(),
});

interface ContextParts {
  readonly world: World;
  readonly skill: OpenSkill;
  readonly tasks: SkillTasks;
  readonly options: RunOptions;
  readonly models: RoleModels;
  readonly record: RecordEvent;
}

/** What the engine asks of the world, answered by files and models. */
export async function runContextFor(
  { world, skill, tasks, options, models, record }: ContextParts,
  signal: AbortSignal,
): Promise<RunContext> {
  const prompts = await promptOverridesOf(skill);
  const attempt = await environmentsFor({ world, skill, tasks, options, target: models.target, prompts }, signal);
  const services = {
    judge: models.judge,
    programs: nodePrograms,
    consent: world.consent,
    repeats: options.judge.repeats,
    files: nodeFiles,
    folder: skill.folder,
    prompts,
  };
  return {
    options,
    optimizer: models.optimizer,
    attempt,
    judge: (task, answered, sample, abort) => evaluateAnswer(task, answered, { ...services, ...sample }, abort),
    clock: world.clock,
    texts: openTexts(skill.store),
    record,
    prompts,
    gaming: gamingEvidenceOf(tasks.result.split.training),
    rejected: await rejectedEditsOf(skill.store, RejectedEditSchema).all(),
    certifications: certificationsOf(skill.store, signal),
  };
}
