import {
  addBlock,
  effectsOf,
  isAttributed,
  keptFactors,
  nextBlock,
  startAttribution,
  type Attribution,
} from '../gate/attribution.js';
import { groupEdits } from '../gate/factorialPlan.js';
import { ModelError } from '../errors.js';
import type { EditWorth } from '../ports/proposal.js';
import { applyEdits } from '../skill/applyEdits.js';
import { hashText } from '../skill/fingerprint.js';
import { parseSkill, printSkill } from '../skill/skillDocument.js';
import type { TrainingTask } from '../tasks/task.js';
import { scoreOf } from './attempts.js';
import { chunksOf } from './batches.js';
import type { Candidate } from './candidate.js';
import { concurrently } from './concurrently.js';
import type { PatchEdit } from './patch.js';
import { attemptOnce } from './rollOut.js';
import type { RunContext } from './runContext.js';

/** What the edits are worth, and the candidate that keeps only those that help. */
export interface Attributed {
  readonly kept: Candidate;
  readonly worths: ReadonlyMap<PatchEdit, EditWorth>;
  readonly dropped: readonly PatchEdit[];
}

const unmeasured: EditWorth = { kind: 'not-measured-singly' };

/**
 * Measures on training tasks what each edit is worth, by trying the skill with and without it in balanced sets, and
 * drops those that do not help. A cap that ends it leaves the bundle whole and says "not measured singly".
 */
export async function attribute(
  context: RunContext,
  { original, best }: { readonly original: Candidate; readonly best: Candidate },
  tasks: readonly TrainingTask[],
  signal: AbortSignal,
): Promise<Attributed> {
  const whole: Attributed = { kept: best, worths: new Map(), dropped: [] };
  if (!context.options.gate.attribution || best.edits.length < 2 || tasks.length === 0) return whole;
  const groups = groupEdits(best.edits);
  try {
    let attribution = startAttribution({ factors: groups.length, tasks: tasks.length });
    while (!isAttributed(attribution))
      attribution = await measureBlock(context, { original, groups, tasks }, attribution, signal);
    return keep(context, { original, best, groups }, attribution);
  } catch (error) {
    if (error instanceof ModelError && error.kind === 'cap') return whole;
    throw error;
  }
}

interface Measured {
  readonly original: Candidate;
  readonly groups: readonly (readonly PatchEdit[])[];
  readonly tasks: readonly TrainingTask[];
}

async function measureBlock(
  context: RunContext,
  { original, groups, tasks }: Measured,
  attribution: Attribution,
  signal: AbortSignal,
): Promise<Attribution> {
  const variants = nextBlock(attribution);
  const block = attribution.blocks + 1;
  context.record({ kind: 'stage', stage: 'attribute', step: block, planned: variants.length * tasks.length });
  const family = `attribution:${context.options.train.seed}:${block}`;
  const jobs = variants.flatMap((variant) => {
    const skill = textWith(
      context,
      original,
      variant.flatMap((factor) => groups[factor] ?? []),
    );
    return tasks.map((task) => ({ skill, task }));
  });
  const scores = await concurrently(jobs, context.options.concurrency, async ({ skill, task }) => {
    const plan = { stage: 'attribute' as const, step: block, skill, memory: undefined, family };
    const attempt = await attemptOnce(context, { task, number: 1 }, plan, signal);
    return attempt.kind === 'scored' ? scoreOf(attempt, context.options.gate) : undefined;
  });
  return addBlock(attribution, chunksOf(scores, tasks.length));
}

function keep(
  context: RunContext,
  {
    original,
    best,
    groups,
  }: { readonly original: Candidate; readonly best: Candidate; readonly groups: Measured['groups'] },
  attribution: Attribution,
): Attributed {
  const effects = effectsOf(attribution);
  const keptGroups = new Set(keptFactors(attribution));
  const numbered = new Map(best.edits.map((each, index) => [each, `E${index + 1}`]));
  const worths = new Map<PatchEdit, EditWorth>();
  for (const [factor, group] of groups.entries()) {
    const measured = effects[factor];
    for (const each of group) {
      worths.set(
        each,
        measured === undefined
          ? unmeasured
          : {
              kind: 'measured',
              effect: measured.effect,
              interval: measured.interval,
              group: group.filter((other) => other !== each).map((other) => numbered.get(other) ?? ''),
            },
      );
    }
  }
  const kept = groups.flatMap((group, factor) => (keptGroups.has(factor) ? group : []));
  const dropped = best.edits.filter((each) => !kept.includes(each));
  const names = (edits: readonly PatchEdit[]): readonly string[] => edits.map((each) => numbered.get(each) ?? '');
  context.record({ kind: 'worths', blocks: attribution.blocks, kept: names(kept), dropped: names(dropped) });
  // Nothing helps singly: what the selection saw was the bundle, or luck. The certification tells which.
  if (kept.length === 0 || dropped.length === 0) return { kept: best, worths, dropped: [] };
  const text = textWith(context, original, kept);
  return { kept: { text, hash: hashText(text), edits: kept }, worths, dropped };
}

/** The original with some of the edits; one whose place another edit made is left out with it. */
function textWith(context: RunContext, original: Candidate, edits: readonly PatchEdit[]): string {
  const limits = { scope: context.options.edits.scope, gaming: context.gaming };
  return printSkill(
    applyEdits(
      parseSkill(original.text),
      edits.map((each) => each.edit),
      limits,
    ).document,
  );
}
