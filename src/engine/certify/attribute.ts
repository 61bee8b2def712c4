import {
  effectsOf,
  isAttributed,
  isBundleBetter,
  isDoubtful,
  keptFactors,
  startAttribution,
  untried,
  type Attribution,
} from '../../gate/statistics/attribution.js';
import type { Subset } from '../../gate/statistics/attributionPlan.js';
import type { Claim } from '../../gate/statistics/certification.js';
import type { Edit } from '../../skill/edits/edit.js';
import { ModelError } from '../../errors.js';
import { attributionNotes } from './attributionNotes.js';
import { editGroups } from './editGroups.js';
import type { Candidate } from '../candidate.js';
import { costsOf, isLengthAlone } from '../front/choiceOptions.js';
import type { PatchEdit } from '../patch.js';
import type { RunContext } from '../runContext.js';
import { withEdits } from '../stages/update.js';
import { measureBlock, plannedTasks, tryVariants, type AttributionInput, type GroupedEdits } from './tryVariants.js';

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
  /** Of those dropped, the ones that a bound on the calls left in doubt: they may be proposed again. */
  readonly doubtful: readonly PatchEdit[];
}

/** The edits that were dropped because they do not help: they need not be proposed again. */
export function uselessOf({ dropped, doubtful }: AttributionResult): readonly PatchEdit[] {
  return dropped.filter((each) => !doubtful.includes(each));
}

/** Nothing was measured singly: all edits stay. */
export function wholeBundle(best: Candidate): AttributionResult {
  return { kept: best, worths: new Map(), dropped: [], doubtful: [] };
}

/**
 * Measures on training tasks what each edit is worth, by trying the skill with and without it in balanced sets, drops
 * those that do not help, and holds what is left against all of them. A cap that ends it, or a bound that does not pay for
 * a single task, leaves the bundle whole and says "not measured singly".
 */
export async function attribute(
  context: RunContext,
  attributing: AttributionInput,
  signal: AbortSignal,
): Promise<AttributionResult> {
  const { best, tasks } = attributing;
  if (!context.options.gate.attribution || best.edits.length < 2 || tasks.length === 0) return wholeBundle(best);
  const { groups, notes } = editGroups(attributing.original, best);
  const planned = plannedTasks({ ...attributing, groups });
  if (planned.plan.blocks.length === 0) {
    context.record({
      kind: 'note',
      text: `The edits were not measured singly. A single task would take more than the ${attributing.budget.left() ?? 0} calls that are left for it (gate.attributionCalls).`,
    });
    return wholeBundle(best);
  }
  const measuring = { ...attributing, groups, notes, tasks: planned.tasks };
  try {
    let attribution = startAttribution({ factors: groups.length, tasks: tasks.length, plan: planned.plan });
    while (!isAttributed(attribution)) attribution = await measureBlock(context, measuring, attribution, signal);
    return await keep(context, measuring, attribution, signal);
  } catch (error) {
    if (!(error instanceof ModelError && error.kind === 'cap')) throw error;
    context.record({ kind: 'note', text: `The edits were not measured singly. ${error.message}` });
    return wholeBundle(best);
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

/** The edits that help singly, or all of them where those do better on training tasks than the ones that help. */
async function keep(
  context: RunContext,
  measuring: GroupedEdits,
  attribution: Attribution,
  signal: AbortSignal,
): Promise<AttributionResult> {
  const { original, best, groups, claim } = measuring;
  const factors = keptFactors(attribution, claimsOf(context, groups, claim));
  const worths = worthsOf(groups, attribution);
  // An edit whose place another one made goes with it.
  const wanted = factors.flatMap((factor) => groups[factor] ?? []);
  const { candidate: kept } = await withEdits(context, original, wanted, signal);
  const dropped = best.edits.filter((each) => !kept.edits.includes(each));
  // Nothing helps singly: what the selection saw was the bundle, or luck. The certification tells which.
  const alone = kept.edits.length === 0 || dropped.length === 0;
  const bundled = alone || (await isBundleTheBetter(context, measuring, { attribution, factors }, signal));
  const doubtful = isDoubtful(attribution) ? dropped.filter((each) => (worths.get(each)?.effect ?? 0) > 0) : [];
  const result = bundled ? { kept: best, worths, dropped: [], doubtful: [] } : { kept, worths, dropped, doubtful };
  const names = (edits: readonly PatchEdit[]): readonly string[] =>
    edits.map((each) => `E${best.edits.indexOf(each) + 1}`);
  const worth = { kept: names(result.kept.edits), dropped: names(result.dropped) };
  context.record({ kind: 'worths', blocks: attribution.blocks, ...worth });
  const tried = new Set(attribution.observations.map(({ task }) => task)).size;
  if (tried < attribution.tasks) {
    const text = `What each edit is worth was measured on ${tried} of ${attribution.tasks} training tasks (gate.attributionCalls).`;
    context.record({ kind: 'note', text });
  }
  for (const text of [...measuring.notes, ...attributionNotes(best, { ...result, without: alone ? [] : dropped })])
    context.record({ kind: 'note', text });
  return result;
}

/** Where the tokens of the skill count too, edits that only make it shorter have to do no harm. */
function claimsOf({ options }: RunContext, groups: GroupedEdits['groups'], claim: Claim = 'better'): readonly Claim[] {
  const { choice } = options;
  const counts = costsOf(choice).includes('skill-tokens') || isLengthAlone(choice.rule);
  return groups.map((group) => (counts && group.every(({ edit }) => isShortening(edit)) ? 'not-worse' : claim));
}

function isShortening(edit: Edit): boolean {
  return edit.op === 'delete' || (edit.op === 'replace' && edit.content.length < edit.anchor.length);
}

/** What the kept edits and the whole bundle were not tried on yet is tried now. */
async function isBundleTheBetter(
  context: RunContext,
  measuring: GroupedEdits,
  { attribution, factors }: { readonly attribution: Attribution; readonly factors: Subset },
  signal: AbortSignal,
): Promise<boolean> {
  const { tasks, budget } = measuring;
  const tried = untried(attribution, factors, { costs: tasks.map(budget.cost), mostCalls: budget.left() });
  const block = attribution.blocks + 1;
  const scores = tried.length === 0 ? [] : await tryVariants(context, measuring, { block, tried }, signal);
  const more = tried.map((each, at) => ({ ...each, score: scores[at] }));
  return isBundleBetter(attribution, factors, more);
}

function worthsOf(groups: GroupedEdits['groups'], attribution: Attribution): AttributionResult['worths'] {
  const worths = new Map<PatchEdit, MeasuredWorth>();
  for (const [factor, { effect, interval }] of effectsOf(attribution).entries()) {
    const group = groups[factor] ?? [];
    for (const each of group) worths.set(each, { effect, interval, group: group.filter((other) => other !== each) });
  }
  return worths;
}
