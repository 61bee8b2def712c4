import {
  addBlock,
  effectsOf,
  isAttributed,
  keptFactors,
  nextBlock,
  startAttribution,
  type Attribution,
  groupEdits,
} from '../../gate/statistics/attribution.js';
import type { Claim } from '../../gate/statistics/certification.js';
import { ModelError } from '../../errors.js';
import type { TrainingTask } from '../../tasks/task.js';
import { scoreOf } from '../stages/attempts.js';
import { chunksOf } from '../stepPlans.js';
import type { Candidate, DocumentSlot } from '../candidate.js';
import { concurrently } from '../concurrently.js';
import type { PatchEdit } from '../patch.js';
import { attemptOnce } from '../stages/rollOut.js';
import { refuseSilence } from '../stages/silence.js';
import type { RunContext } from '../runContext.js';
import { withEdits } from '../stages/update.js';

/** What one edit is worth on training tasks, measured with all the others of its group on board. */
interface MeasuredWorth {
  readonly effect: number;
  readonly interval: readonly [number, number];
  readonly group: readonly PatchEdit[];
}

/** What the edits are worth, as far as it was measured, and the candidate that keeps only those that help. */
export interface AttributionResult {
  readonly kept: Candidate;
  readonly worths: ReadonlyMap<PatchEdit, MeasuredWorth>;
  readonly dropped: readonly PatchEdit[];
}

interface AttributionInput {
  readonly original: Candidate;
  readonly best: Candidate;
  readonly tasks: readonly TrainingTask[];
  readonly slot: DocumentSlot;
  /** What the kept edits are to show: a gain, or no loss where the text gets shorter. */
  readonly claim?: Claim | undefined;
}

/**
 * Measures on training tasks what each edit is worth, by trying the skill with and without it in balanced sets, and
 * drops those that do not help. A cap that ends it leaves the bundle whole and says "not measured singly".
 */
export async function attribute(
  context: RunContext,
  attributing: AttributionInput,
  signal: AbortSignal,
): Promise<AttributionResult> {
  const { best, tasks } = attributing;
  const whole: AttributionResult = { kept: best, worths: new Map(), dropped: [] };
  if (!context.options.gate.attribution || best.edits.length < 2 || tasks.length === 0) return whole;
  const groups = groupEdits(best.edits);
  try {
    let attribution = startAttribution({ factors: groups.length, tasks: tasks.length });
    while (!isAttributed(attribution)) {
      attribution = await measureBlock(context, { ...attributing, groups }, attribution, signal);
    }
    return keep(context, { ...attributing, groups }, attribution);
  } catch (error) {
    if (!(error instanceof ModelError && error.kind === 'cap')) throw error;
    context.record({ kind: 'note', text: `The edits were not measured singly. ${error.message}` });
    return whole;
  }
}

/** The same for edits whose worth was not to be measured, or could not be: now that it is needed, it is. */
export function attributeAfterAll(
  context: RunContext,
  attributing: AttributionInput,
  signal: AbortSignal,
): Promise<AttributionResult> {
  const { options } = context;
  const measuring = { ...options, gate: { ...options.gate, attribution: true } };
  return attribute({ ...context, options: measuring }, attributing, signal);
}

type AttributionGroups = AttributionInput & { readonly groups: readonly (readonly PatchEdit[])[] };

async function measureBlock(
  context: RunContext,
  { original, groups, tasks, slot }: AttributionGroups,
  attribution: Attribution,
  signal: AbortSignal,
): Promise<Attribution> {
  const variants = nextBlock(attribution);
  const block = attribution.blocks + 1;
  context.record({ kind: 'stage', stage: 'attribute', step: block, planned: variants.length * tasks.length });
  const family = `attribution:${context.options.train.seed}:${block}`;
  const jobs = variants.flatMap((variant) => {
    const edits = variant.flatMap((factor) => groups[factor] ?? []);
    const reading = slot(withEdits(context, original, edits).candidate);
    return tasks.map((task) => ({ reading, task }));
  });
  const scores = await concurrently(jobs, context.options.concurrency, async ({ reading, task }) => {
    const plan = { stage: 'attribute' as const, step: block, ...reading, family };
    const attempt = await attemptOnce(context, { task, number: 1 }, plan, signal);
    return attempt.kind === 'scored' ? scoreOf(attempt, context.options.gate) : undefined;
  });
  await refuseSilence(context, 'attempts', signal);
  return addBlock(attribution, chunksOf(scores, tasks.length));
}

function keep(
  context: RunContext,
  { original, best, groups, claim }: AttributionGroups,
  attribution: Attribution,
): AttributionResult {
  const helping = new Set(keptFactors(attribution, claim));
  const wanted = groups.flatMap((group, factor) => (helping.has(factor) ? group : []));
  const worths = worthsOf(groups, attribution);
  // An edit whose place another one made goes with it.
  const kept = withEdits(context, original, wanted).candidate;
  const dropped = best.edits.filter((each) => !kept.edits.includes(each));
  const names = (edits: readonly PatchEdit[]): readonly string[] =>
    edits.map((each) => `E${best.edits.indexOf(each) + 1}`);
  context.record({ kind: 'worths', blocks: attribution.blocks, kept: names(kept.edits), dropped: names(dropped) });
  // Nothing helps singly: what the selection saw was the bundle, or luck. The certification tells which.
  return kept.edits.length === 0 || dropped.length === 0
    ? { kept: best, worths, dropped: [] }
    : { kept, worths, dropped };
}

function worthsOf(groups: AttributionGroups['groups'], attribution: Attribution): AttributionResult['worths'] {
  const worths = new Map<PatchEdit, MeasuredWorth>();
  for (const [factor, { effect, interval }] of effectsOf(attribution).entries()) {
    const group = groups[factor] ?? [];
    for (const each of group) worths.set(each, { effect, interval, group: group.filter((other) => other !== each) });
  }
  return worths;
}
