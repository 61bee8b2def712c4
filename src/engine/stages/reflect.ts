import type { TrainingTask } from '../../tasks/task.js';
import type { Rollout } from './attempts.js';
import { concurrently } from '../concurrently.js';
import { sourceOf, type Patch, type Reminder } from '../patch.js';
import type { RunContext } from '../runContext.js';
import { skillAware, updateMode } from '../updateMode.js';
import { namingFile, skillValue } from '../../prompts/reflection/packageFiles.js';
import { renderPrompt } from '../../prompts/renderPrompt.js';
import { skillAwarePrompt } from '../../prompts/reflection/skillAware.js';
import { askOptimizer } from './askOptimizer.js';
import { askEnvironments, type AskingStart, type EnvironmentsSaid } from './environmentReflection.js';
import { contrastEvidence, failingCriteria, failureEvidence, outputContract, successEvidence } from './evidence.js';
import { contrastBatch, inBatches, lessonsOf, minibatches, type Minibatch } from './minibatches.js';
import { isSkillAware, readReminders } from './reminders.js';
import { readableItems } from './readableReasons.js';
import { withinSize } from './rewrite.js';
import { historyText, preferencesText, type PastStep } from './history.js';

/**
 * Lets analysts look at what failed and what succeeded, batch by batch: all under the same skill, all at the same time.
 * What environments propose of their own is one more patch each. Only training evidence has the type of the parameter.
 */
export async function reflectOn(
  context: RunContext,
  evidence: readonly Rollout<TrainingTask>[],
  at: Reflection,
  signal: AbortSignal,
): Promise<readonly Patch[]> {
  const { remarksOn, patches } = await askEnvironments(context, evidence, at, signal);
  const files = Object.values({ ...at.files, ...at.texts?.files });
  const under = [at.skill, at.texts?.skill ?? '', at.texts?.memory ?? '', ...files].join('\n');
  const shown = (await context.withoutGivenAway?.(evidence, under, signal)) ?? evidence;
  const analysed = await analysesOf(context, shown, { ...at, remarksOn }, signal);
  if (patches.length > 0) await recordPatches(context, at.step, { patches, lost: [] });
  return [...analysed, ...patches];
}

async function analysesOf(
  context: RunContext,
  evidence: readonly Rollout<TrainingTask>[],
  reflection: Analysing,
  signal: AbortSignal,
): Promise<readonly Patch[]> {
  const batches = inBatches(evidence, reflection.batches);
  const contrasts = batches.flatMap((batch) => contrastBatch(context, batch) ?? []);
  const contrasted = contrasts.length === 0 ? [] : await analyseAll(context, contrasts, reflection, signal);
  const taught = contrasted.filter(({ edits, reminders = [] }) => edits.length + reminders.length > 0);
  const open = batches.filter(({ number }) => !taught.some(({ batch = 0 }) => batch === number));
  if (open.length === 0) return taught;
  const rest = open.flatMap((batch) => minibatches(context, batch, reflection.step));
  return [...taught, ...(await analyseAll(context, rest, reflection, signal))];
}

async function analyseAll(
  context: RunContext,
  batches: readonly Minibatch[],
  reflection: Analysing,
  signal: AbortSignal,
): Promise<readonly Patch[]> {
  context.record({ kind: 'stage', stage: 'reflect', step: reflection.step, planned: batches.length });
  const analysed = await concurrently(batches, context.options.reflect.analysts, (batch, index) =>
    analyse(context, { batch, index }, reflection, signal),
  );
  const patches = analysed.flatMap((each) => each.patch ?? []);
  await recordPatches(context, reflection.step, { patches, lost: analysed.flatMap((each) => each.lost) });
  return patches;
}

async function recordPatches(
  { texts, record }: RunContext,
  step: number,
  { patches, lost }: { readonly patches: readonly Patch[]; readonly lost: readonly string[] },
): Promise<void> {
  const rows = await Promise.all(
    patches.map(async (patch) => ({
      ...sourceOf(patch),
      size: patch.size,
      edits: patch.edits.length,
      ...(patch.batch === undefined ? {} : { batch: patch.batch }),
      textHash: await texts.put(JSON.stringify(patch, undefined, 2)),
    })),
  );
  record({ kind: 'patches', step, patches: rows, failures: patches.flatMap((patch) => patch.failures), lost });
}

/** Where a step stands when it reflects. No analyst proposes more than its budget. */
interface Reflection extends AskingStart {
  /** What the optimizer should know about the document; empty for a skill. */
  readonly about: string;
  readonly earlierSteps: readonly PastStep[];
  /** The tasks by the batches that are accumulated; all in one where it is missing. */
  readonly batches?: readonly (readonly TrainingTask[])[];
}

/** The same once the environments had their say. */
type Analysing = Reflection & Pick<EnvironmentsSaid, 'remarksOn'>;

/** What one analyst proposed, if its reply could be read, and what of it was lost, with the reason. */
interface Analysis {
  readonly patch: Patch | undefined;
  readonly lost: readonly string[];
}

/** Shows one minibatch to the optimizer. `index` tells apart the minibatches of one kind in one step. */
async function analyse(
  context: RunContext,
  { batch, index }: { readonly batch: Minibatch; readonly index: number },
  reflection: Analysing,
  signal: AbortSignal,
): Promise<Analysis> {
  const { reflect, read, whole } = updateMode(context.options);
  const { reply, replySchema } = tellsLapses(context, batch) ? skillAware : reflect;
  const question = {
    prompt: promptFor(context, batch, reflection),
    reply,
    replySchema: namingFile(replySchema, reflection),
    about: 'reflect' as const,
    step: reflection.step,
    part: `${batch.source}:${index}`,
    whole,
  };
  const answer = await askOptimizer(context, question, signal);
  if (answer.kind === 'lost') return { patch: undefined, lost: [`${batch.source} analyst: ${answer.reason}`] };
  const { items, malformed } = withinSize(
    context,
    reflection.skill,
    readableItems(context, read(answer.value.proposed)),
  );
  const { reminders, malformed: unread } = readReminders(answer.value.notes ?? [], reflection.budget);
  const patch: Patch = {
    source: batch.source,
    size: batch.rollouts.length,
    ...((reflection.batches?.length ?? 1) > 1 ? { batch: batch.number } : {}),
    edits: items.slice(0, whole ? 1 : reflection.budget).map(({ tasks, support: _stated, ...item }) => ({
      ...item,
      source: batch.source,
      tasks: lessonsOf(tasks, batch),
      support: batch.rollouts.length,
    })),
    failures: answer.value.failure_summary.map(({ failure_type: type, count, description, cause }) => ({
      type,
      count,
      description,
      ...(cause === undefined ? {} : { cause }),
    })),
    ...remindersOf(reminders, batch),
  };
  return { patch, lost: [...malformed, ...unread].map((reason) => `${batch.source} analyst: ${reason}`) };
}

/** Only who sees failures is asked what caused them. */
function tellsLapses({ options }: RunContext, { source }: Minibatch): boolean {
  return source !== 'success' && isSkillAware(options);
}

function remindersOf(reminders: readonly Reminder[], batch: Minibatch): Pick<Patch, 'reminders'> {
  if (reminders.length === 0) return {};
  return { reminders: reminders.map(({ note, tasks }) => ({ note, tasks: lessonsOf(tasks, batch) })) };
}

const evidenceOf = { failure: failureEvidence, success: successEvidence, contrast: contrastEvidence };

function promptFor(context: RunContext, batch: Minibatch, reflection: Analysing): string {
  const { source, rollouts } = batch;
  const { prompts, options, redact } = context;
  const metric = options.gate;
  const showing = { trajectoryTokens: options.reflect.trajectoryTokens, redact };
  const shown = [evidenceOf[source](rollouts, metric, showing), reflection.remarksOn(rollouts)];
  const shared = {
    budget: reflection.budget,
    skill: skillValue(reflection),
    attempts: { words: shown.filter((part) => part !== '').join('\n\n') },
    guardrail: {
      words: [reflection.about, outputContract(rollouts, redact)].filter((part) => part !== '').join('\n\n'),
    },
    preferences: { words: preferencesText(options.preferences, options.edits) },
    history: { words: historyText(reflection.earlierSteps, context.rejected) },
  };
  const criteria = { words: failingCriteria(rollouts, metric, redact) };
  const question = renderPrompt(updateMode(options).reflect.prompts[source], { ...shared, criteria }, prompts);
  if (!tellsLapses(context, batch)) return question;
  return `${question}\n\n${renderPrompt(skillAwarePrompt, { budget: reflection.budget }, prompts)}`;
}
