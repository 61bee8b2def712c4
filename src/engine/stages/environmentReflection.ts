import type { AttemptResult, StepToReflect } from '../../ports/environment.js';
import type { ShownPackage } from '../../prompts/reflection/packageFiles.js';
import { fence } from '../../prompts/renderPrompt.js';
import type { TrainingTask } from '../../tasks/task.js';
import type { TargetInput } from '../candidate.js';
import type { Patch } from '../patch.js';
import type { EnvironmentWords, RunContext } from '../runContext.js';
import { updateMode, type UpdateMode } from '../updateMode.js';
import type { Attempt, Rollout } from './attempts.js';
import { lessonsOf } from './minibatches.js';
import { readableItems } from './readableReasons.js';
import { shortened } from './shortened.js';

/** Where a step stands when its environments are asked. */
export interface AskingStart extends ShownPackage {
  readonly step: number;
  /** The document that is changed. */
  readonly skill: string;
  /** The most edits that one of them proposes. */
  readonly budget: number;
  /** What the attempts were made under; the document alone where it is missing. */
  readonly texts?: TargetInput;
}

/** What environments had to say on a step: remarks for whoever looks at their attempts, and patches of their own. */
export interface EnvironmentsSaid {
  /** As fenced data; empty where no environment of these tasks says anything. */
  readonly remarksOn: (rollouts: readonly Rollout<TrainingTask>[]) => string;
  readonly patches: readonly Patch[];
}

/**
 * Asks each environment once about the attempts that it made in this step. Only training evidence has the type of the
 * parameter. What is left out of their words is written down with the reason; nothing that they do ends the step.
 */
export async function askEnvironments(
  context: RunContext,
  rollouts: readonly Rollout<TrainingTask>[],
  start: AskingStart,
  signal: AbortSignal,
): Promise<EnvironmentsSaid> {
  if (context.hooks === undefined) return { remarksOn: () => '', patches: [] };
  const attempts = rollouts.flatMap(({ task, attempts: made }) =>
    made.map((attempt) => ({ task, result: resultOf(attempt) })),
  );
  const { fromEdit } = updateMode(context.options);
  const at = { ...stepOf(context, start), takesEdits: fromEdit !== undefined };
  const said = await context.hooks.reflect(attempts, at, signal);
  for (const { lost } of said) for (const text of lost) context.record({ kind: 'note', text });
  return {
    remarksOn: (seen) => remarksOn(context, said, seen),
    patches: said.flatMap((words) => patchOf(context, words, { rollouts, budget: start.budget, fromEdit })),
  };
}

function stepOf({ options }: RunContext, { step, skill, budget, texts }: AskingStart): StepToReflect {
  const under = texts ?? { skill, memory: undefined };
  const document = under.memory === skill && under.skill !== skill ? 'memory' : 'skill';
  return { step, ...under, document, scope: options.edits.scope, budget, seed: options.train.seed };
}

/** Long enough for a page of advice; the optimizer is asked about the attempts, not about the environment. */
export const mostRemarkCharacters = 4_000;

function remarksOn(
  { redact = (text) => text }: Pick<RunContext, 'redact'>,
  said: readonly EnvironmentWords[],
  rollouts: readonly Rollout<TrainingTask>[],
): string {
  const present = new Set(rollouts.map(({ task }) => task.environment));
  const remarks = said.filter((each) => present.has(each.environment) && each.remarks.trim() !== '');
  if (remarks.length === 0) return '';
  const texts = remarks.map((each) => fence('environment', shortened(each.remarks, mostRemarkCharacters, redact)));
  return ['# What the environment says about the attempts of this step', ...texts].join('\n\n');
}

interface Making {
  readonly rollouts: readonly Rollout<TrainingTask>[];
  readonly budget: number;
  readonly fromEdit: UpdateMode['fromEdit'];
}

/** One more patch of the step; none where it proposes nothing. */
function patchOf(
  context: RunContext,
  { environment, edits }: EnvironmentWords,
  { rollouts: all, budget, fromEdit }: Making,
): readonly Patch[] {
  if (edits.length === 0 || fromEdit === undefined) return [];
  const rollouts = all.filter(({ task }) => task.environment === environment);
  const { items } = readableItems(context, { items: edits.slice(0, budget), malformed: [] });
  const origin = { source: 'environment' as const, environment, support: rollouts.length };
  const proposed = items.flatMap(({ tasks, support: _stated, ...item }) =>
    'edit' in item ? [{ ...fromEdit(item.edit), ...origin, tasks: lessonsOf(tasks, { rollouts }) }] : [],
  );
  return [{ source: 'environment', environment, size: rollouts.length, edits: proposed, failures: [] }];
}

function resultOf(attempt: Attempt): AttemptResult {
  if (attempt.kind === 'invalid') return { kind: 'invalid', reason: attempt.reason };
  const { answer, transcript, cached, failure, extras, hard, soft } = attempt;
  return {
    kind: 'answered',
    answer,
    toolsCalled: transcript.flatMap((turn) =>
      turn.kind === 'tool' ? [{ name: turn.name, arguments: turn.arguments }] : [],
    ),
    transcript,
    usage: { inputTokens: 0, outputTokens: attempt.tokens, exact: false },
    cached,
    failure,
    scores: { hard, soft, reason: failure },
    extras,
  };
}
