import * as z from 'zod';
import { UserError } from '../errors.js';
import { nearestName } from '../checks/nearestName.js';
import { usualGrowth } from '../skill/edits/sizeBudget.js';
import { Answers, Thinking } from './answerOptions.js';
import { MetaSkill, SlowUpdate } from './epochs/epochOptions.js';
import { refuseBeyondBounds } from './optionBounds.js';
import { impliedBy, isLayer, mergeLayers, usualMinimum, withLayer, type Layer } from './optionLayers.js';

const count = (fallback: number) => z.int().min(1).default(fallback);
const cap = z.number().positive().optional();

const Train = z.strictObject({
  epochs: count(4).describe('How often the training tasks are gone through.'),
  batchSize: count(40).describe('How many training tasks a step looks at.'),
  attempts: count(1).describe('How often each training task is attempted in a step; several show what luck does.'),
  seed: z.int().default(42).describe('Decides batches, minibatches and the simulated model.'),
});
const Reflect = z.strictObject({
  minibatchSize: count(8).describe('How many attempts one analyst call looks at.'),
  analysts: count(16).describe('How many analyst calls run side by side.'),
  failureOnly: z.boolean().default(false).describe('Learn from failures alone.'),
  contrastTasks: z.int().min(0).default(6).describe('How many tasks whose attempts disagree are contrasted.'),
  trajectoryTokens: z
    .int()
    .min(0)
    .default(8_000)
    .describe('The most tokens of turns, tool calls and observations that one analyst call is shown; 0: none.'),
});
const Merge = z.strictObject({
  batchSize: z.int().min(2).default(8).describe('How many patches one merge call takes; at least 2.'),
});
const Edits = z.strictObject({
  budget: count(4).describe('The most edits of each step, not of the whole run: the textual learning rate.'),
  minimum: count(usualMinimum).describe('Where the schedule ends; the budget, where that is smaller.'),
  schedule: z.enum(['constant', 'linear', 'cosine']).default('cosine'),
  scope: z.enum(['body', 'learned']).default('body').describe('Where edits may land.'),
  mode: z
    .enum(['patch', 'rewrite_from_suggestions', 'full_rewrite_minibatch'])
    .default('patch')
    .describe('Whether a step proposes edits, or rewrites the skill, which is made into edits.'),
  code: z
    .boolean()
    .default(false)
    .describe('Let edits change code in fences; they are marked, and adopted by hand alone.'),
  growth: z
    .int()
    .min(0)
    .default(usualGrowth)
    .describe('Lines by which a skill may grow that is as long as the Agent Skills advice says, or longer.'),
});
const Gate = z.strictObject({
  rule: z.enum(['confident', 'strict', 'off']).default('confident'),
  metric: z.enum(['hard', 'soft', 'mixed']).default('hard'),
  mixedWeight: z.number().min(0).max(1).default(0.5).describe('The share of the soft score in the mixed metric.'),
  noRegression: z
    .boolean()
    .default(false)
    .describe('Veto an acceptance when a held-out task got worse beyond its noise.'),
  attribution: z
    .boolean()
    .default(true)
    .describe('Measure what each edit is worth before certifying; with the gate off only where this is set.'),
  attributionCalls: z
    .union([z.int().min(1), z.literal('unbounded')])
    .optional()
    .describe('The most calls for that; by default 80, or a quarter of the calls planned where that is more.'),
  sealed: z
    .boolean()
    .optional()
    .describe('Score the sealed tasks before and after; by default unless the gate is off.'),
});
const Stop = z.strictObject({
  patience: count(2).describe('Steps without a better skill after which a run ends.'),
});
const Caps = z.strictObject({
  calls: cap,
  tokens: cap,
  usd: cap,
  minutes: cap,
});
const Judge = z.strictObject({ repeats: count(1).describe('How often a judge is asked; the median counts.') });
const Consolidate = z.strictObject({
  skill: z.boolean().default(true),
  memory: z.boolean().default(false).describe('Also evolve the memory file, inside its learned block.'),
  variants: z.int().min(0).default(0).describe('Synthetic variants of each training task.'),
  recall: z.int().min(0).default(0).describe('How many similar past tasks are recalled.'),
});

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
    consolidate: Consolidate.prefault({}),
    slowUpdate: SlowUpdate.prefault({}),
    metaSkill: MetaSkill.prefault({}),
    concurrency: count(16).describe('The most model calls at the same time.'),
    preferences: z.string().default('').describe("The person's wishes, shown to the optimizer."),
    inlineReferences: z
      .boolean()
      .default(false)
      .describe('Show the target the Markdown files that the skill points to.'),
  })
  .refine((options) => options.edits.minimum <= options.edits.budget, {
    path: ['edits', 'minimum'],
    message: 'the minimum must not be above the budget',
  })
  .refine(({ edits: { mode, scope } }) => mode === 'patch' || scope === 'body', {
    path: ['edits', 'mode'],
    message: 'a rewrite needs edits.scope body',
  });
export type RunOptions = z.infer<typeof RunOptions>;

export const presetNames = ['quick', 'standard', 'paper'] as const;
export type PresetName = (typeof presetNames)[number];

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
    gate: { metric: 'hard' },
    stop: { patience: 1_000 },
  },
};

/** Layers from weakest to strongest: default, preset, the workspace's file, the skill's own part, `--set a.b=v`. */
export function resolveOptions(preset: PresetName, layers: readonly Layer[]): RunOptions {
  const merged = [presets[preset], ...layers].reduce<Layer>(withLayer, {});
  const parsed = RunOptions.safeParse(mergeLayers(impliedBy(merged), merged));
  if (parsed.success) {
    refuseBeyondBounds(parsed.data);
    return parsed.data;
  }
  throw new UserError('options-malformed', sentenceOf(parsed.error), 'Correct the option and run again.');
}

/** `a.b=v` as a layer; the value is read as JSON where it is JSON, as text where it is not. */
export function layerOfSetting(assignment: string): Layer {
  const at = assignment.indexOf('=');
  if (at < 1)
    throw new UserError('usage', `“${assignment}” is not of the form name=value.`, 'Write for example train.epochs=2.');
  const names = assignment.slice(0, at).split('.');
  const last = names.pop() ?? '';
  const innermost: Layer = { [last]: readValue(assignment.slice(at + 1)) };
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

function sentenceOf(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return 'The options are malformed.';
  const where = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const [unknown = ''] = issue.keys;
    const near = nearestName(unknown, namesAt(issue.path));
    const named = (name: string): string => [where, name].filter((part) => part !== '').join('.');
    const hint = near === undefined ? '' : ` Did you mean “${named(near)}”?`;
    return `There is no option “${named(unknown)}”.${hint}`;
  }
  return `The option “${where}” is not right: ${issue.message}.`;
}

function namesAt(path: readonly PropertyKey[]): readonly string[] {
  let level: unknown = RunOptions.parse({});
  for (const part of path) level = isLayer(level) ? level[String(part)] : undefined;
  const optional: Readonly<Record<string, object>> = {
    caps: Caps.shape,
    gate: Gate.shape,
    answers: Answers.shape,
    thinking: Thinking.shape,
  };
  const stated = isLayer(level) ? Object.keys(level) : [];
  return [...new Set([...stated, ...Object.keys(optional[String(path[0])] ?? {})])];
}

/** What a consolidation starts from where nobody says otherwise: the metric that SkillOpt-Sleep's gate has. */
export const consolidateDefaults: Readonly<Record<string, unknown>> = { gate: { metric: 'mixed' } };
