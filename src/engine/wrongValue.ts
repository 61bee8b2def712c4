import type * as z from 'zod';
import { nearestName } from '../tasks/nearestName.js';

type NamesAt = (path: readonly PropertyKey[]) => readonly string[];

/** In words, that there is no such option, and which one was most likely meant. */
export function unknownOption(
  { keys: [unknown = ''], path }: z.core.$ZodIssueUnrecognizedKeys,
  namesAt: NamesAt,
): string {
  if (unknown === 'queue' && path.length === 0)
    return 'There is no option “queue”: a workspace cannot say where attempts are made. Name the queue with --queue or WHETSTONE_QUEUE.';
  const near = nearestOption(unknown, path, namesAt);
  const hint = near === undefined ? '' : ` Did you mean “${near}”?`;
  return `There is no option “${[...path, unknown].join('.')}”.${hint}`;
}

/** The whole name of the option that is most likely meant: it may stand in another part, or be named as SkillOpt does. */
function nearestOption(unknown: string, path: readonly PropertyKey[], namesAt: NamesAt): string | undefined {
  const all = namesAt([]).flatMap((part) => {
    const below = namesAt([part]);
    return below.length === 0 ? [part] : below.map((name) => `${part}.${name}`);
  });
  const ofUpstream = Object.hasOwn(upstreamNames, unknown) ? upstreamNames[unknown] : undefined;
  const elsewhere = all.find((name) => name.split('.').at(-1) === unknown) ?? ofUpstream;
  const here = nearestName(unknown, namesAt(path));
  if (elsewhere !== undefined) return elsewhere;
  return here === undefined ? nearestName([...path, unknown].join('.'), all) : [...path, here].join('.');
}

/** How SkillOpt and skillrl name what is an option here too. */
export const upstreamNames: Readonly<Record<string, string>> = {
  num_epochs: 'train.epochs',
  batch_size: 'train.batchSize',
  rollouts_k: 'train.attempts',
  minibatch_size: 'reflect.minibatchSize',
  analyst_workers: 'reflect.analysts',
  failure_only: 'reflect.failureOnly',
  use_skill_aware_reflection: 'reflect.skillAware',
  merge_batch_size: 'merge.batchSize',
  edit_budget: 'edits.budget',
  learning_rate: 'edits.budget',
  min_edit_budget: 'edits.minimum',
  min_learning_rate: 'edits.minimum',
  lr_scheduler: 'edits.schedule',
  lr_control_mode: 'edits.control',
  skill_update_mode: 'edits.mode',
  use_gate: 'gate.rule',
  gate_mode: 'gate.rule',
  gate_metric: 'gate.metric',
  gate_mixed_weight: 'gate.mixedWeight',
  eval_test: 'gate.sealed',
  use_slow_update: 'slowUpdate.on',
  slow_update_samples: 'slowUpdate.samples',
  longitudinal_pair_policy: 'slowUpdate.pairs',
  use_meta_skill: 'metaSkill.on',
  evolve_skill: 'consolidate.skill',
  evolve_memory: 'consolidate.memory',
  optimizer_max_completion_tokens: 'answers.optimizer',
  rewrite_max_completion_tokens: 'answers.rewrite',
  workers: 'concurrency',
};

/**
 * In words, what is wrong with the value of an option, with an example of how it is written. `namesAt` are the options
 * that stand below a name.
 */
export function wrongValue(issue: z.core.$ZodIssue, namesAt: NamesAt): string {
  // What is wrong with one value of a list is told of the list.
  const path = issue.path.filter((part) => typeof part !== 'number');
  const name = path.join('.');
  if (issue.code === 'invalid_type') return wrongKind(name, issue.expected, namesAt(path));
  if (issue.code === 'too_small') return tooSmall(name, issue);
  if (issue.code === 'too_big') return `The option “${name}” must be at most ${issue.maximum}.`;
  if (issue.code !== 'invalid_value') return `The option “${name}” is not right: ${issue.message}.`;
  return path.length < issue.path.length
    ? `The option “${name}” takes a list of these: ${issue.values.join(', ')}.`
    : `The option “${name}” takes one of these: ${issue.values.join(', ')}.`;
}

function tooSmall(name: string, { minimum, inclusive }: z.core.$ZodIssueTooSmall): string {
  return inclusive === false
    ? `The option “${name}” must be above ${minimum}.`
    : `The option “${name}” must be at least ${minimum}.`;
}

function wrongKind(name: string, expected: string, below: readonly string[]): string {
  switch (expected) {
    case 'object':
      return `“${name}” is no option but a group of them: set one by one, such as ${name}.${below[0] ?? '…'}. It holds: ${below.join(', ')}.`;
    case 'array':
      return `The option “${name}” takes a list, such as ${name}=score,skill-tokens.`;
    case 'boolean':
      return `The option “${name}” takes true or false.`;
    case 'int':
      return `The option “${name}” takes a whole number.`;
    case 'number':
      return `The option “${name}” takes a number.`;
    default:
      return `The option “${name}” takes a text.`;
  }
}
