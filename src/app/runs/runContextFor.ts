import { evaluateAnswer } from '../../checks/judgeAnswer.js';
import type { RunContext } from '../../engine/runContext.js';
import type { RunOptions } from '../../engine/runOptions.js';
import type { TextStore } from '../../ports/stores.js';
import { nodeFiles } from '../../storage/files/nodeFiles.js';
import { nodePrograms } from '../../storage/programs/nodePrograms.js';
import { askedOnce } from './askedOnce.js';
import { certificationsOf, conditionsOf } from './certificationStore.js';
import { environmentsFor } from '../environments/environmentsFor.js';
import { gamingEvidenceOf } from './gamingEvidence.js';
import type { OpenSkill } from '../openSkill.js';
import type { GatheredInputs } from './runInputs.js';
import { passCostOf } from './passCost.js';
import type { RunJournal } from './runJournal.js';
import type { RoleModels } from '../models/runModels.js';
import type { SkillTasks } from '../tasks/skillTasks.js';
import type { World } from '../world.js';

interface ContextParts {
  readonly world: World;
  readonly skill: OpenSkill;
  readonly tasks: SkillTasks;
  readonly options: RunOptions;
  readonly models: RoleModels;
  readonly inputs: Pick<GatheredInputs, 'prompts' | 'rejected'>;
  readonly journal: Pick<RunJournal, 'runId' | 'record'>;
  readonly texts: TextStore;
}

/** What the engine asks of the world, answered by files and models. */
export async function runContextFor(
  { world, skill, tasks, options, models, inputs, journal, texts }: ContextParts,
  signal: AbortSignal,
): Promise<RunContext> {
  const { prompts, rejected } = inputs;
  const consent = askedOnce(world.consent);
  const environments = await environmentsFor(
    { world, skill, tasks, options, target: models.target, prompts, consent },
    signal,
  );
  const services = {
    judge: models.judge,
    programs: nodePrograms,
    consent,
    repeats: options.judge.repeats,
    files: nodeFiles,
    folder: skill.folder,
    prompts,
  };
  return {
    options,
    optimizer: models.optimizer,
    ...environments,
    judge: (task, answered, sample, abort) => evaluateAnswer(task, answered, { ...services, ...sample }, abort),
    clock: world.clock,
    texts,
    record: journal.record,
    prompts,
    gaming: gamingEvidenceOf(tasks.result.split.training),
    rejected,
    certifications: certificationsOf(skill.store, { run: journal.runId, under: conditionsOf(models, options) }, signal),
    passCost: passCostOf(models, options, world.prices?.()),
  };
}
