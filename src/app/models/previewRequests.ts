import { editableFiles, shownScripts } from '../environments/editableFiles.js';
import { askJudge } from '../../checks/askJudge.js';
import { criteriaOf } from '../../checks/criteria.js';
import type { ScoredAttempt } from '../../engine/stages/attempts.js';
import { shownToOptimizer } from '../../engine/stages/editLimits.js';
import { originalCandidate } from '../../engine/candidate.js';
import { reflectOn } from '../../engine/stages/reflect.js';
import type { RunContext } from '../../engine/runContext.js';
import { UserError } from '../../errors.js';
import { redactRequest } from '../../models/wrappers/withRedaction.js';
import type { LanguageModel, ModelRequest, ModelRole } from '../../ports/languageModel.js';
import type { Redactor } from '../../redaction/redactor.js';
import { metaSkillOf } from '../../storage/proposals/metaSkills.js';
import type { SidedTask, Task, TrainingTask } from '../../tasks/task.js';
import { plainAnswer } from '../results/answerChecks.js';
import { promptOverridesOf } from '../promptOverrides.js';
import { redactorFor, nameOf, type RoleModels } from './runModels.js';
import { runContextFor } from '../runs/runContextFor.js';
import { rejectedNow } from '../runs/runInputs.js';
import type { RunStart } from '../runs/runStart.js';

/** One request as it would leave the machine. */
export interface PreviewedRequest {
  readonly role: ModelRole;
  /** What it is about, in words; says so where an answer that nobody has given yet is stood in for. */
  readonly about: string;
  readonly model: string;
  /** Undefined where nothing leaves the machine. */
  readonly url: string | undefined;
  readonly body: unknown;
  /** The kinds of what was replaced by placeholders, one for each place. */
  readonly redacted: readonly string[];
}

/** In place of what a model has not said yet. */
const standIn = '‹the answer that the target gives›';
const onItsWay = '‹what it does before it answers, with the tools it calls and what they answer›';

/**
 * What a run would send, byte for byte as far as it is known before the run: the target's request for a task, the
 * judge's about its answer, the optimizer's about training tasks that failed. Asks no model and runs no program of the skill.
 */
export async function previewRequests(
  start: RunStart,
  taskId: string | undefined,
  signal: AbortSignal,
): Promise<readonly PreviewedRequest[]> {
  const bare = await start.world.models(signal);
  const kept: ModelRequest[] = [];
  const task = taskFor(start, taskId);
  const { skill } = start;
  const prompts = await promptOverridesOf(skill);
  const rejected = await rejectedNow(start);
  const metaSkill = start.options.metaSkill.on ? await metaSkillOf(skill.store).read() : '';
  const redactor = await redactorFor(start.world, start.skill.store);
  const context = await quietContext(
    start,
    {
      models: keepingModels(bare, kept),
      inputs: { prompts, rejected, metaSkill, scripts: await shownScripts(start) },
      redactor,
    },
    signal,
  );
  await askTarget(context, { task, skill: skill.text }, signal);
  await askAboutAnswer(start, { task, judge: keeping(bare.judge, kept), prompts }, signal);
  await askForEdits(context, start, signal);
  const first = (['target', 'judge', 'optimizer'] as const).flatMap((role) => {
    const request = kept.find((each) => each.role === role);
    return request === undefined ? [] : [request];
  });
  return first.map((request) => previewed(request, { bare, redactor, task }));
}

function taskFor({ tasks, skill }: RunStart, id: string | undefined): SidedTask {
  const { training, heldOut, sealed } = tasks.result.split;
  const all = [...training, ...heldOut, ...sealed];
  const found = id === undefined ? all[0] : all.find((task) => task.id === id);
  if (found !== undefined) return found;
  const ids = all.map((task) => task.id).join(', ');
  throw new UserError('usage', `${skill.name} has no task “${id ?? ''}”.`, `Its tasks are: ${ids}.`);
}

/** A run's own context, with models that keep what they are asked, a journal that writes nothing, and nobody who says yes. */
async function quietContext(
  { world, skill, tasks, options }: RunStart,
  { models, inputs, redactor }: Pick<Parameters<typeof runContextFor>[0], 'models' | 'inputs' | 'redactor'>,
  signal: AbortSignal,
): Promise<RunContext> {
  const { split } = tasks.result;
  const chatted = {
    ...split,
    training: split.training.filter(isAskedByUs),
    heldOut: split.heldOut.filter(isAskedByUs),
    sealed: split.sealed.filter(isAskedByUs),
  };
  return runContextFor(
    {
      world: { ...world, environments: undefined, consent: { allows: () => Promise.resolve(false) } },
      skill,
      tasks: { ...tasks, result: { ...tasks.result, split: chatted } },
      options,
      models,
      inputs,
      redactor,
      prices: {},
      journal: { runId: 'preview', record: () => undefined },
      texts: { put: () => Promise.resolve(''), get: () => Promise.resolve(undefined) },
    },
    signal,
  );
}

/** Programs and other people's environments send what they like; we see nothing of it. */
function isAskedByUs({ environment }: Task): boolean {
  return environment === 'chat' || environment === 'tools';
}

async function askTarget(
  context: RunContext,
  { task, skill }: { readonly task: SidedTask; readonly skill: string },
  signal: AbortSignal,
): Promise<void> {
  if (!isAskedByUs(task)) return;
  const { seed } = context.options.train;
  const sample = { phase: task.side, seed, attempt: 1, family: 'preview' };
  await context.attempt({ task, skill, memory: undefined, ...sample }, signal);
}

async function askAboutAnswer(
  { options }: RunStart,
  { task, judge, prompts }: Pick<Parameters<typeof askJudge>[1], 'judge' | 'prompts'> & { readonly task: SidedTask },
  signal: AbortSignal,
): Promise<void> {
  const found = criteriaOf(task);
  if (found.kind === 'malformed') return;
  const criteria = found.criteria.flatMap(({ evaluation }) => (evaluation.by === 'judge' ? [evaluation.question] : []));
  if (criteria.length === 0) return;
  const attempt = plainAnswer(standIn);
  const sample = { repeats: options.judge.repeats, attempt: 1, family: 'preview' };
  const services = { judge, prompts, ...sample, room: options };
  await askJudge({ task, attempt, criteria }, services, signal);
}

async function askForEdits(context: RunContext, start: RunStart, signal: AbortSignal): Promise<void> {
  const { tasks, skill, options } = start;
  const evidence = tasks.result.split.training
    .slice(0, options.reflect.minibatchSize)
    .map((task) => ({ task, attempts: [failedAttempt(task)] }));
  const current = originalCandidate(skill.text, await editableFiles(start, signal));
  const shown = shownToOptimizer(context, current, '');
  const at = { step: 1, ...shown, budget: options.edits.budget, earlierSteps: [] };
  await reflectOn(context, evidence, at, signal);
}

function failedAttempt(task: TrainingTask): ScoredAttempt {
  const found = criteriaOf(task);
  const criteria = found.kind === 'criteria' ? found.criteria : [];
  return {
    kind: 'scored',
    number: 1,
    hard: 0,
    soft: 0,
    checks: criteria.map(({ name, criterion, hidden }) => ({
      name,
      criterion,
      hidden,
      pass: false,
      soft: 0,
      reason: '‹why it failed›',
    })),
    answer: standIn,
    answerHash: '',
    toolsCalled: [],
    transcript: task.environment === 'chat' ? [] : [{ kind: 'message', role: 'assistant', text: onItsWay }],
    failure: undefined,
    extras: {},
    tokens: 0,
    latencyMs: 0,
    cached: false,
  };
}

function keepingModels(bare: RoleModels, kept: ModelRequest[]): RoleModels {
  return {
    target: keeping(bare.target, kept),
    optimizer: keeping(bare.optimizer, kept),
    judge: keeping(bare.judge, kept),
  };
}

/** Keeps what it is asked and says something that is of no use. */
function keeping({ identity }: LanguageModel, kept: ModelRequest[]): LanguageModel {
  return {
    identity,
    complete: (request) => {
      kept.push(request);
      return Promise.resolve({
        text: standIn,
        finish: 'stop',
        toolCalls: [],
        usage: { inputTokens: 0, outputTokens: 0, exact: true },
        cached: false,
      });
    },
  };
}

function previewed(
  request: ModelRequest,
  { bare, redactor, task }: { readonly bare: RoleModels; readonly redactor: Redactor; readonly task: SidedTask },
): PreviewedRequest {
  const clean = redactRequest(request, redactor);
  const found = request.messages.map(({ content }) => redactor.redact(content));
  const model = bare[request.role];
  const { role: _, attempt: __, dependsOn: ___, ...plain } = clean;
  const wire = model.wire?.(clean);
  return {
    role: request.role,
    about: about[request.role](task.id),
    model: nameOf(model),
    url: wire?.url,
    body: wire?.body ?? plain,
    redacted: found.flatMap((each) => each.found.map(({ kind }) => kind)),
  };
}

const about: Readonly<Record<ModelRole, (task: string) => string>> = {
  target: (task) => `the task ${task} under the skill`,
  judge: (task) => `the answer to ${task}, which is not given yet`,
  optimizer: () => 'training tasks as if all of them had failed, their answers not given yet',
};
