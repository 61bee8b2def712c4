import * as z from 'zod';
import { messageOf, UserError } from '../errors.js';
import { Agent, Answers, Thinking, Timeouts } from './answerOptions.js';
import { MetaSkill, SlowUpdate } from './epochs/epochOptions.js';
import { Choice, choiceProblem, missingMeasure } from './front/choiceOptions.js';
import { unknownOption, wrongValue } from './wrongValue.js';
import { refuseBeyondBounds, refusePartOfCall } from './optionBounds.js';
import { Caps, Consolidate, count, Edits, Gate, Judge, Merge, Nightly, Reflect, Stop, Train } from './optionGroups.js';
import { impliedBy, isLayer, mergeLayers, withLayer, type Layer } from './optionLayers.js';

/** About 64 KB of English: with more than this the skill itself gets lost. */
export const usualReferenceTokens = 16_000;

/**
 * Every knob of a run, with its default. Stored with the run, so that it can be resumed as it was begun; how high each
 * may be set is in `optionBounds`, because a run that is stored is read whatever it was begun with.
 */
export const RunOptions = z
  .strictObject({
    train: Train.prefault({}),
    reflect: Reflect.prefault({}),
    merge: Merge.prefault({}),
    edits: Edits.prefault({}),
    gate: Gate.prefault({}),
    stop: Stop.prefault({}),
    caps: Caps.prefault({}),
    judge: Judge.prefault({}),
    answers: Answers.prefault({}),
    thinking: Thinking.prefault({}),
    timeouts: Timeouts.prefault({}),
    agent: Agent.prefault({}),
    consolidate: Consolidate.prefault({}),
    nightly: Nightly.prefault({}),
    slowUpdate: SlowUpdate.prefault({}),
    metaSkill: MetaSkill.prefault({}),
    choice: Choice.prefault({}),
    concurrency: count(16).describe(
      'The most model calls at the same time; WHETSTONE_WORKERS says it for all workspaces.',
    ),
    preferences: z.string().default('').describe("The person's wishes, shown to the optimizer."),
    inlineReferences: z
      .boolean()
      .default(false)
      .describe('Show the target the Markdown files that the skill points to.'),
    referenceTokens: count(usualReferenceTokens).describe(
      'How many tokens those files may take together, by estimate; one that does not fit is not shown, and the preflight names it.',
    ),
  })
  .refine((options) => options.edits.minimum <= options.edits.budget, {
    path: ['edits', 'minimum'],
    message: 'the minimum must not be above the budget',
  })
  .refine(({ edits: { mode, scope } }) => mode === 'patch' || scope === 'body', {
    path: ['edits', 'mode'],
    message: 'a rewrite needs edits.scope body',
  })
  .refine(({ reflect, edits }) => !reflect.skillAware || (edits.scope === 'body' && edits.mode === 'patch'), {
    path: ['reflect', 'skillAware'],
    message: 'reminders need edits.scope body and edits.mode patch',
  })
  .superRefine(({ choice, gate }, refinement) => {
    const problem = choiceProblem(choice, gate.rule);
    if (problem !== undefined) refinement.addIssue({ code: 'custom', ...problem, path: [...problem.path] });
  });
export type RunOptions = z.infer<typeof RunOptions>;

export const presetNames = ['quick', 'standard', 'paper'] as const;
export type PresetName = (typeof presetNames)[number];

/** The preset of that name; throws where there is none. */
export function presetNamed(name: string): PresetName {
  const found = presetNames.find((each) => each === name);
  if (found !== undefined) return found;
  throw new UserError('usage', `There is no preset “${name}”.`, `The presets are: ${presetNames.join(', ')}.`);
}

/** `paper` is the protocol of the SkillOpt paper; where a run of it is otherwise all the same stands in docs/upstream.md. */
const presets: Readonly<Record<PresetName, Layer>> = {
  quick: { train: { epochs: 1 }, gate: { attribution: false } },
  standard: { slowUpdate: { on: true }, metaSkill: { on: true } },
  paper: {
    slowUpdate: { on: true },
    metaSkill: { on: true },
    train: { epochs: 4, batchSize: 40 },
    reflect: { minibatchSize: 8 },
    merge: { batchSize: 8 },
    edits: { budget: 4, minimum: 2, schedule: 'cosine' },
    gate: { rule: 'strict', metric: 'hard', attribution: false },
    stop: { patience: 1_000 },
  },
};

/** The cure where nobody knows yet in which of the layers the mistake stands. */
export const correctOption = 'Correct the option and run again.';

/** Layers from weakest to strongest: default, preset, the workspace's file, the skill's own part, `--set a.b=v`. */
export function resolveOptions(preset: PresetName, layers: readonly Layer[]): RunOptions {
  const merged = [presets[preset], ...layers].reduce<Layer>(withLayer, {});
  const parsed = RunOptions.safeParse(mergeLayers(impliedBy(merged), merged));
  if (!parsed.success) throw new UserError('options-malformed', sentenceOf(parsed.error), correctOption);
  refuseBeyondBounds(parsed.data);
  refuseUnmeasuredRule(parsed.data.choice);
  refusePartOfCall(parsed.data.caps);
  return parsed.data;
}

/** A rule that chooses by what no candidate is kept for. Looked at here alone: a run that began so goes on. */
function refuseUnmeasuredRule(choice: Choice): void {
  const missing = missingMeasure(choice);
  if (missing === undefined) return;
  throw new UserError(
    'options-malformed',
    `The option “choice.rule” is ${choice.rule}, which chooses by ${missing}, and “choice.measures” lacks it.`,
    `Set choice.measures=${[...choice.measures, missing].join(',')}, or another choice.rule.`,
  );
}

/** `a.b=v` as a layer; the value is read as JSON where it is JSON, as text where it is not, and as a list where the option is one. */
export function layerOfSetting(assignment: string): Layer {
  const at = assignment.indexOf('=');
  if (at < 1)
    throw new UserError('usage', `“${assignment}” is not of the form name=value.`, 'Write for example train.epochs=2.');
  const names = assignment.slice(0, at).split('.');
  const last = names.pop() ?? '';
  const value = readValue(assignment.slice(at + 1));
  const isList = Array.isArray(optionsAt([...names, last]));
  const innermost: Layer = { [last]: isList && typeof value === 'string' ? listOf(value) : value };
  return names.reduceRight<Layer>((inner, name) => ({ [name]: inner }), innermost);
}

function readValue(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}

/** `score,skill-tokens` as a person writes a list. */
function listOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** What stands there where nobody says anything. */
function optionsAt(path: readonly PropertyKey[]): unknown {
  let level: unknown = RunOptions.parse({});
  for (const part of path) level = isLayer(level) && Object.hasOwn(level, part) ? level[String(part)] : undefined;
  return level;
}

/** What is wrong with options one by one, whatever the others say: no such name, a value of another kind, a bound. */
export function wrongOption(layer: Layer): string | undefined {
  const issues = RunOptions.safeParse(layer).error?.issues ?? [];
  const issue = issues.find(({ code }) => code !== 'custom');
  if (issue !== undefined) return sentenceOfIssue(issue);
  try {
    refuseBeyondBounds(layer);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function sentenceOf(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue === undefined ? 'The options are malformed.' : sentenceOfIssue(issue);
}

function sentenceOfIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return unknownOption(issue, namesAt);
  return wrongValue(issue, namesAt);
}

function namesAt(path: readonly PropertyKey[]): readonly string[] {
  const level = optionsAt(path);
  const optional: Readonly<Record<string, object>> = {
    caps: Caps.shape,
    gate: Gate.shape,
    answers: Answers.shape,
    thinking: Thinking.shape,
    timeouts: Timeouts.shape,
  };
  const stated = isLayer(level) ? Object.keys(level) : [];
  const [part = ''] = path;
  const more = Object.hasOwn(optional, part) ? optional[String(part)] : undefined;
  return [...new Set([...stated, ...Object.keys(more ?? {})])];
}

/** What a consolidation starts from where nobody says otherwise: the metric that SkillOpt-Sleep's gate has. */
export const consolidateDefaults: Readonly<Record<string, unknown>> = { gate: { metric: 'mixed' } };
