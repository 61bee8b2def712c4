import { evaluateAnswer } from '../../checks/judgeAnswer.js';
import type { JudgeManner } from '../../checks/judgeManner.js';
import type { AheadOfStage, RunContext } from '../../engine/runContext.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import type { ReplyStore, TextStore } from '../../ports/stores.js';
import { certificationsOf, conditionsOf } from './certificationStore.js';
import { heldOutFactsOf } from './certifications/sharedHeldOut.js';
import { runsCutOff } from './unfinishedRuns.js';
import { keptAnswers } from '../environments/keptAnswers.js';
import { containedPrograms, type ContainedPrograms } from '../environments/containedPrograms.js';
import { placedPrograms } from '../environments/placedPrograms.js';
import { environmentsFor } from '../environments/environmentsFor.js';
import { gamingEvidenceOf } from '../environments/gamingEvidence.js';
import { promptsIn, type PromptOverrides } from '../../prompts/renderPrompt.js';
import type { RunMaterial } from './runInputs.js';
import { passCostOf } from './estimates.js';
import type { RunJournal } from './runJournal.js';
import type { RoleModels } from '../models/runModels.js';
import type { RunSetup } from './runStart.js';
import type { ProgramConsent } from '../../ports/programs.js';
import type { PriceOverrides } from '../../models/prices.js';
import { redactedReplies } from '../../models/wrappers/redactedReplies.js';
import type { Redactor } from '../../redaction/redactor.js';
import type { Task, TrainingTask } from '../../tasks/task.js';

/** The models of a run, and those of its attempts that are not as all others. */
export interface RunModels {
  readonly models: RoleModels;
  /** How the judge is best asked, remembered for the run; nothing is where it is left out. */
  readonly manner?: JudgeManner | undefined;
  /** Of attempts that use no reply but those stored for this run. */
  readonly freshFor?: ((run: string) => Pick<RoleModels, 'target' | 'judge'>) | undefined;
  /** Of attempts that are made ahead of their stage; undefined where none are. */
  readonly ahead?: ((at: StageOfRun) => ModelsAhead) | undefined;
}

export type StageOfRun = Parameters<NonNullable<RunContext['ahead']>>[0];

/** Models whose calls are made for a stage that has not begun. */
export interface ModelsAhead extends Pick<AheadOfStage, 'arrive' | 'drop'> {
  readonly models: Pick<RoleModels, 'target' | 'judge'>;
}

interface ContextParts extends RunSetup, RunModels {
  /** Those that are attempted, where they are not all. */
  readonly attempted?: readonly Task[] | undefined;
  readonly inputs: Pick<RunMaterial, 'prompts' | 'rejected' | 'metaSkill' | 'scripts'>;
  readonly journal: Pick<RunJournal, 'runId' | 'record'>;
  readonly texts: TextStore;
  /** What was paid for and stored; nothing is where it is missing. */
  readonly replies?: ReplyStore | undefined;
  readonly redactor: Redactor;
  readonly prices: PriceOverrides;
}

/** What the optimizer is told beside the skill. */
function toldOptimizer({ rejected, metaSkill, scripts }: ContextParts['inputs']) {
  return { rejected, metaSkill, scripts };
}

/** What the engine asks of the world, answered by files and models. */
export async function runContextFor(
  { world, skill, tasks, options, models, inputs, journal, redactor, ahead, freshFor, ...parts }: ContextParts,
  signal: AbortSignal,
): Promise<RunContext> {
  const { prompts } = inputs;
  const said = saidBefore(parts.replies && redactedReplies(parts.replies, redactor), journal);
  const { programs, consent, contents } = programsOfRun(world, skill, { ...said, runId: journal.runId });
  const { attemptWith, ...adding } = await environmentsFor(
    { ...parts, world, skill, tasks, options, target: models.target, prompts, programs, consent, contents, ...said },
    signal,
  );
  const asked = { prompts, repeats: options.judge.repeats, room: options, manner: parts.manner };
  const services = { programs, consent, contents, folder: skill.folder, ...asked };
  const judgeWith =
    (judge: LanguageModel): RunContext['judge'] =>
    (task, answered, sample, abort) =>
      evaluateAnswer(task, answered, { ...services, judge, ...sample }, abort);
  return {
    options,
    optimizer: models.optimizer,
    ...adding,
    ...attemptWith(models.target),
    judge: judgeWith(models.judge),
    ahead: ahead === undefined ? undefined : (at) => withModels(ahead(at), attemptWith, judgeWith),
    freshFor:
      freshFor === undefined ? undefined : (run) => withModels({ models: freshFor(run) }, attemptWith, judgeWith),
    clock: world.clock,
    texts: parts.texts,
    record: journal.record,
    prompts: promptsForTraining(prompts, tasks.result.split.training),
    gaming: gamingEvidenceOf(tasks.result.split.training),
    findSecrets: (text) =>
      redactor.redact(text).found.map(({ kind, placeholder }) => ({ kind, secret: redactor.restore(placeholder) })),
    redact: (text) => redactor.redact(text).text,
    ...toldOptimizer(inputs),
    scriptParser: skill.scriptParser,
    certifications: certificationsOf(
      skill.store,
      {
        run: journal.runId,
        under: conditionsOf(models, options),
        simulated: models.target.identity.simulated,
        facts: heldOutFactsOf(tasks.result),
        cutOff: () => runsCutOff(skill.store),
      },
      signal,
    ),
    passCost: passCostOf(models, options, parts.prices),
  };
}

/** What environments said in this run before, where it goes on, and how they are told of in its report. */
function saidBefore(
  replies: ReplyStore | undefined,
  { runId, record }: ContextParts['journal'],
): Pick<Parameters<typeof environmentsFor>[0], 'kept' | 'note'> {
  const note = (text: string): void => record({ kind: 'note', text });
  return { kept: replies && keptAnswers(replies, runId), note };
}

/** What the optimizer is asked is about many tasks: an environment's own versions count where all of them are in it. */
function promptsForTraining(prompts: PromptOverrides, training: readonly TrainingTask[]): PromptOverrides {
  const [environment, ...others] = new Set(training.map((task) => task.environment));
  return environment === undefined || others.length > 0 ? prompts : promptsIn(prompts, environment);
}

function withModels<More extends object>(
  { models, ...more }: More & Pick<ModelsAhead, 'models'>,
  attemptWith: (target: LanguageModel) => Pick<RunContext, 'attempt' | 'batched'>,
  judgeWith: (judge: LanguageModel) => RunContext['judge'],
): Omit<More, 'models'> & Pick<RunContext, 'attempt' | 'judge' | 'batched'> {
  return { ...attemptWith(models.target), judge: judgeWith(models.judge), ...more };
}

/** Asked about once, and run where they may. */
function programsOfRun(
  world: ContextParts['world'],
  skill: ContextParts['skill'],
  { note, runId }: { readonly note?: (text: string) => void; readonly runId: string },
): ContainedPrograms {
  const { consent, programs, ...parts } = containedPrograms(world, skill, note);
  return { ...parts, consent: askedOnce(consent), programs: placedPrograms(world.attempts, runId, programs) };
}

/**
 * A consent that asks at most once for each content, however many attempts want to know at the same time, and takes a
 * no for the rest of the run as well.
 */
export function askedOnce(consent: ProgramConsent): ProgramConsent {
  const answers = new Map<string, Promise<boolean>>();
  return {
    ...consent,
    allows(request, signal) {
      const key = JSON.stringify([request.what, request.content]);
      const known = answers.get(key) ?? consent.allows(request, signal);
      answers.set(key, known);
      return known;
    },
  };
}
