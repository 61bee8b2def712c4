import path from 'node:path';
import { bringsOf } from '../../environments/askEnvironment.js';
import { createAgentEnvironment } from '../../environments/agent.js';
import { createChatEnvironment } from '../../environments/chat.js';
import { declaredReflection } from '../../environments/declaredReflection.js';
import { createProgramEnvironment, type StartSources } from '../../environments/program.js';
import { createRegisteredEnvironment, registeredReflection } from '../../environments/registered.js';
import { createToolsEnvironment } from '../../environments/tools.js';
import { targetServers } from '../../wire/serveTarget.js';
import { throwAwayNotes } from './agentNotes.js';
import { refuseSecrets } from './agentSecrets.js';
import { refuseTooLarge } from './queuedFolders.js';
import { agentSources, agentTrees } from './agentSources.js';
import { batchedIn } from './batchedAttempts.js';
import { withDeclaredPlans } from './declaredPlans.js';
import type { KeptAnswers } from './keptAnswers.js';
import { noteProgramsAtStart } from './programsAtStart.js';
import { reflectionsOf, type Reflecting, type ReflectionParts } from './environmentReflections.js';
import { gamingEvidenceOf } from './gamingEvidence.js';
import { withoutGivenAway } from './givenAwayParts.js';
import { messageOf, UserError } from '../../errors.js';
import type { RunContext, BatchPlan, EnvironmentHooks } from '../../engine/runContext.js';
import type { Environment, RegisteredEnvironment } from '../../ports/environment.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import type { ContainedPrograms } from './containedPrograms.js';
import type { PromptOverrides } from '../../prompts/renderPrompt.js';
import { filesInside } from '../../storage/files/filesInside.js';
import { moduleProgram } from '../../storage/programs/moduleProgram.js';
import { meantName } from '../../tasks/nearestName.js';
import { leavesFolder, listFixtures, type Task } from '../../tasks/task.js';
import { attemptedTasks, type SkillTasks } from '../tasks/skillTasks.js';
import { referenceTexts } from './unseenFiles.js';
import { refuseAgentTasks, targetOf } from '../models/agentTasks.js';
import type { OpenSkill } from '../openSkill.js';
import type { RunSetup } from '../runs/runStart.js';
import type { GamingEvidence } from '../../skill/edits/gaming.js';

interface EnvironmentParts extends RunSetup, ContainedPrograms {
  readonly target: LanguageModel;
  readonly prompts: PromptOverrides;
  /** Those that are attempted, where they are not all. */
  readonly attempted?: readonly Task[] | undefined;
  /** What environments said in this run before, where it goes on. */
  readonly kept?: KeptAnswers | undefined;
  /** A sentence for the report. */
  readonly note?: (text: string) => void;
}

/** Attempts each task in the environment that it names: ours, a declared program, or one that an extension brought. */
export async function environmentsFor(parts: EnvironmentParts, signal: AbortSignal): Promise<Environments> {
  const attempted = attemptedTasks(parts.tasks);
  const use = { declared: parts.tasks.read.environments, tasks: attempted, target: parts.target };
  await noteProgramsAtStart(use, startSources(parts.skill, parts), signal);
  const registered = (parts.world.environments?.() ?? []).filter(({ name }) =>
    attempted.some((task) => task.environment === name),
  );
  refuseAgentTasks(parts.attempted ?? attempted, targetOf(parts.target), parts.skill.places.skillPath);
  const knownWith = await knownEnvironments(parts, registered, signal);
  refuseUnknown(attempted, [...knownWith(parts.target).keys()], parts.tasks.read.misdeclared);
  if (attempted.some(({ environment }) => environment === 'agent') && !parts.target.identity.simulated)
    for (const said of await throwAwayNotes(parts.world)) parts.note?.(said);
  for (const each of registered) await setUp(each, parts, signal);
  const hooks = environmentHooksOf(registered, {
    unseen: () => unseenBy(parts.tasks),
    kept: parts.kept,
    declared: declaredReflecting(parts),
  });
  return {
    hooks: await withDeclaredPlans(hooks, planParts(parts), signal),
    withoutGivenAway: withoutGivenAway({
      unseen: () => unseenAlone(parts.tasks),
      filesOf: (task, abort) => fixtureTexts(parts.skill, task, abort),
      note: parts.note ?? (() => undefined),
    }),
    attemptWith: (target) => {
      const known = knownWith(target);
      return { attempt: attemptIn(known), batched: batchedIn(known) };
    },
  };
}

function planParts(parts: EnvironmentParts): Parameters<typeof withDeclaredPlans>[1] {
  const { skill, tasks, kept, note = () => undefined, options } = parts;
  const { read, result } = tasks;
  const sources = startSources(skill, parts);
  return { declared: read.environments, split: result.split, sources, seed: options.train.seed, kept, note };
}

/** What attempts are made in. */
interface Environments extends Pick<RunContext, 'hooks' | 'withoutGivenAway'> {
  /** Attempts a task in its environment, ours with this model. */
  readonly attemptWith: (target: LanguageModel) => Pick<RunContext, 'attempt' | 'batched'>;
}

function attemptIn(known: ReadonlyMap<string, Environment>): RunContext['attempt'] {
  return (request, abort) => {
    const environment = known.get(request.task.environment);
    if (environment !== undefined) return environment.attempt(request, abort);
    const reason = `The environment “${request.task.environment}” is not known here.`;
    return Promise.resolve({ kind: 'invalid', reason });
  };
}

function refuseUnknown(
  tasks: readonly Task[],
  known: readonly string[],
  misdeclared: ReadonlyMap<string, string> = new Map(),
): void {
  const unknown = tasks.find((task) => !known.includes(task.environment));
  if (unknown === undefined) return;
  const wrong = misdeclared.get(unknown.environment);
  if (wrong !== undefined) {
    throw new UserError(
      'environment-refused',
      `The declaration of the environment “${unknown.environment}” has an error. ${wrong}`,
      'Correct it in evals/whetstone.json, or disable its tasks.',
    );
  }
  const meant = meantName(unknown.environment, known);
  throw new UserError(
    'environment-refused',
    meant === undefined
      ? `The task ${unknown.id} asks for the environment “${unknown.environment}”, which is not known here.`
      : `The task ${unknown.id} asks for the environment “${unknown.environment}”, which is not known here. Did you mean “${meant}”?`,
    `Known are: ${known.join(', ')}. Declare a program under “environments” in evals/whetstone.json, install the extension that brings it, or disable the task.`,
  );
}

async function knownEnvironments(
  parts: EnvironmentParts,
  registered: readonly RegisteredEnvironment[],
  signal: AbortSignal,
): Promise<(target: LanguageModel) => ReadonlyMap<string, Environment>> {
  const { skill, tasks } = parts;
  const files = filesInside(skill.folder);
  const references = await referenceTexts(skill, parts.options, signal);
  const sources = { files, folder: skill.folder, prompts: parts.prompts, references, room: parts.options };
  const declared = { ...startSources(skill, parts), servers: targetServers, room: parts.options };
  const others = registered.map(createRegisteredEnvironment);
  const trees = agentTrees(skill, parts.world.environment);
  await refuseTooLarge(parts, trees, signal);
  await refuseSecrets(parts, trees, signal);
  const agents = agentSources({ ...parts, trees });
  return (target) => {
    const programs = [...tasks.read.environments].map(([name, declaration]) =>
      createProgramEnvironment(name, declaration, { ...declared, target }),
    );
    const ours = [
      createChatEnvironment(target, sources),
      createToolsEnvironment(target, sources),
      createAgentEnvironment(target, agents),
    ];
    const known = new Map(ours.map((each) => [each.name, each]));
    for (const each of [...programs, ...others]) {
      if (known.has(each.name)) throw takenName(each.name);
      known.set(each.name, each);
    }
    return known;
  };
}

/** What a skill's declared programs and modules are started with. */
export function startSources(
  { folder }: Pick<OpenSkill, 'folder'>,
  { programs, consent, contents }: ContainedPrograms,
): StartSources {
  return { programs, contents, moduleStart: moduleProgram, consent, folder };
}

function takenName(name: string): UserError {
  return new UserError(
    'environment-refused',
    `Two environments are named “${name}”: one of them is declared in evals/whetstone.json.`,
    'Give the declared program another name.',
  );
}

async function setUp(given: RegisteredEnvironment, parts: EnvironmentParts, signal: AbortSignal): Promise<void> {
  const tasks = attemptedTasks(parts.tasks).filter((task) => task.environment === given.name);
  try {
    await given.setup?.({ skillPath: parts.skill.places.skillPath, tasks }, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw new UserError(
      'environment-refused',
      `The environment “${given.name}” could not be set up: ${messageOf(error)}`,
      'See what the extension that brings it says.',
      { cause: error },
    );
  }
}

/** The declared programs and modules that bring edits. */
function declaredReflecting({ skill, tasks, programs, consent, contents }: EnvironmentParts): readonly Reflecting[] {
  const bringing = [...tasks.read.environments].filter(([, declared]) => bringsOf(declared, 'edits'));
  return bringing.map(([name, declared]) => ({
    name,
    reflect: (attempts, step, signal) =>
      declaredReflection(declared, { attempts, step }, startSources(skill, { programs, consent, contents }), signal),
  }));
}

/** What environments see and the optimizer must not: the tasks of the other sides. */
function unseenBy({ result: { split } }: SkillTasks): GamingEvidence {
  return gamingEvidenceOf([...split.heldOut, ...split.sealed]);
}

/** The same without answers and patterns that a training task has too: labels, and forms that all of them ask for. */
function unseenAlone(tasks: SkillTasks): GamingEvidence {
  const seen = gamingEvidenceOf(tasks.result.split.training);
  const [references, sources] = [new Set(seen.references), new Set(seen.regexSources)];
  const unseen = unseenBy(tasks);
  return {
    ...unseen,
    references: unseen.references.filter((text) => !references.has(text)),
    regexSources: unseen.regexSources.filter((text) => !sources.has(text)),
  };
}

/** What of a task's files can be read. */
async function fixtureTexts({ folder }: OpenSkill, task: Task, signal: AbortSignal): Promise<string> {
  const files = filesInside(folder);
  const read = listFixtures(task)
    .filter((file) => !leavesFolder(file))
    .map((file) => files.read(path.join(folder, file), signal).catch(() => undefined));
  return (await Promise.all(read)).map((bytes) => new TextDecoder().decode(bytes)).join('\n');
}

/** What environments add to training, each for its own tasks; undefined where none of them adds anything. */
export function environmentHooksOf(
  environments: readonly RegisteredEnvironment[],
  { declared = [], ...reflection }: ReflectionParts & { readonly declared?: readonly Reflecting[] },
): EnvironmentHooks | undefined {
  const adding = environments.filter(addsToTraining);
  if (adding.length + declared.length === 0) return undefined;
  const byName = new Map(adding.map((environment) => [environment.name, environment]));
  return {
    taskType: (task) => byName.get(task.environment)?.taskType?.(task),
    planBatches: (tasks, plan) => ({
      planned: adding.flatMap((environment) => plannedBy(environment, tasks, plan)),
      rest: tasks.filter((task) => byName.get(task.environment)?.planBatches === undefined),
    }),
    reflect: reflectionsOf([...declared, ...adding.flatMap(registeredReflecting)], reflection),
  };
}

function registeredReflecting(given: RegisteredEnvironment): readonly Reflecting[] {
  if (given.reflect === undefined) return [];
  const { name } = given;
  return [{ name, reflect: (attempts, step, signal) => registeredReflection(given, { attempts, step }, signal) }];
}

function addsToTraining(environment: RegisteredEnvironment): boolean {
  return (['taskType', 'planBatches', 'reflect'] as const).some((name) => environment[name] !== undefined);
}

function plannedBy<T extends Task>(
  environment: RegisteredEnvironment,
  tasks: readonly T[],
  plan: BatchPlan,
): readonly (readonly T[])[] {
  const own = new Map(tasks.filter((task) => task.environment === environment.name).map((task) => [task.id, task]));
  if (environment.planBatches === undefined || own.size === 0) return [];
  const batches = environment.planBatches([...own.values()], plan).map((ids) => ids.map((id) => taskNamed(id)));
  return batches.filter((batch) => batch.length > 0);

  function taskNamed(id: string): T {
    const task = own.get(id);
    if (task !== undefined) return task;
    throw new UserError(
      'environment-refused',
      `The environment “${environment.name}” planned the task “${id}”, which is not one of its training tasks.`,
      'This is a mistake of the extension that brings the environment.',
    );
  }
}
