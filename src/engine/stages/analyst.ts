import { readEdits } from '../../prompts/editReply.js';
import {
  contrastPrompt,
  reflectFailuresPrompt,
  reflectionReply,
  reflectionReplySchema,
  reflectSuccessesPrompt,
} from '../../prompts/reflection.js';
import { renderPrompt } from '../../prompts/renderPrompt.js';
import type { TrainingTask } from '../../tasks/task.js';
import { askOptimizer } from './askOptimizer.js';
import type { Metric, Rollout } from './attempts.js';
import { environmentRemarks } from '../environmentHooks.js';
import { contrastEvidence, failingCriteria, failureEvidence, outputContract, successEvidence } from './evidence.js';
import { historyText, preferencesText, type PastStep } from './history.js';
import type { Patch, PatchSource } from '../patch.js';
import type { RunContext } from '../runContext.js';

/** Where a step stands when it reflects. */
export interface Reflection {
  readonly step: number;
  readonly skill: string;
  /** What the optimizer should know about the document; empty for a skill. */
  readonly about: string;
  /** The scheduled budget: no analyst proposes more. */
  readonly budget: number;
  readonly earlierSteps: readonly PastStep[];
}

/** What one analyst looks at. */
export interface Minibatch {
  readonly source: Exclude<PatchSource, 'merged'>;
  readonly rollouts: readonly Rollout<TrainingTask>[];
}

/** What one analyst proposed, if its reply could be read, and what of it was lost, with the reason. */
export interface Analysis {
  readonly patch: Patch | undefined;
  readonly lost: readonly string[];
}

/** Shows one minibatch to the optimizer. `index` tells apart the minibatches of one kind in one step. */
export async function analyse(
  context: RunContext,
  { batch, index }: { readonly batch: Minibatch; readonly index: number },
  reflection: Reflection,
  signal: AbortSignal,
): Promise<Analysis> {
  const remarks = await environmentRemarks(context, batch.rollouts, signal);
  const question = {
    prompt: promptFor(context, { ...batch, remarks }, reflection),
    reply: reflectionReply,
    replySchema: reflectionReplySchema,
    about: 'reflect' as const,
    step: reflection.step,
    part: `${batch.source}:${index}`,
  };
  const answer = await askOptimizer(context, question, signal);
  if (answer.kind === 'lost') return { patch: undefined, lost: [`${batch.source} analyst: ${answer.reason}`] };
  const { edits, malformed } = readEdits(answer.value.edits);
  const patch: Patch = {
    source: batch.source,
    size: batch.rollouts.length,
    edits: edits.slice(0, reflection.budget).map(({ edit, tasks }) => ({
      edit,
      source: batch.source,
      tasks: lessonsOf(tasks, batch),
      support: batch.rollouts.length,
    })),
    failures: answer.value.failure_summary.map(({ failure_type: type, count, description }) => ({
      type,
      count,
      description,
    })),
  };
  return { patch, lost: malformed.map((reason) => `${batch.source} analyst: ${reason}`) };
}

const evidenceOf = { failure: failureEvidence, success: successEvidence, contrast: contrastEvidence };

function promptFor(
  context: RunContext,
  { source, rollouts, remarks }: Minibatch & { readonly remarks: string },
  reflection: Reflection,
): string {
  const metric: Metric = context.options.gate;
  const evidence = [evidenceOf[source](rollouts, metric), remarks].filter((part) => part !== '');
  const shared = {
    budget: reflection.budget,
    skill: reflection.skill,
    attempts: { words: evidence.join('\n\n') },
    guardrail: { words: [reflection.about, outputContract(rollouts)].filter((part) => part !== '').join('\n\n') },
    preferences: { words: preferencesText(context.options.preferences) },
    history: { words: historyText(reflection.earlierSteps, context.rejected) },
  };
  const criteria = { words: failingCriteria(rollouts, metric) };
  const { prompts } = context;
  switch (source) {
    case 'failure':
      return renderPrompt(reflectFailuresPrompt, { ...shared, criteria }, prompts);
    case 'success':
      return renderPrompt(reflectSuccessesPrompt, shared, prompts);
    case 'contrast':
      return renderPrompt(contrastPrompt, { ...shared, criteria }, prompts);
  }
}

/** The tasks an edit names, as far as the analyst saw them; all of them where it names none. */
function lessonsOf(named: readonly string[], batch: Minibatch): readonly string[] {
  const seen = batch.rollouts.map((rollout) => rollout.task.id);
  const known = named.filter((id) => seen.includes(id));
  return known.length > 0 ? known : seen;
}
