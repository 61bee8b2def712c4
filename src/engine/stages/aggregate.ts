import { mergeTemplate } from '../../prompts/upstreamPrompts.js';
import { chunksOf } from '../stepPlans.js';
import { concurrently } from '../concurrently.js';
import { drawnFrom, keyOfItem, rowOf, sourceOf, type Patch, type PatchItem } from '../patch.js';
import type { RunContext } from '../runContext.js';
import { namingFile, packageFilesWords, skillValue, type ShownPackage } from '../../prompts/reflection/packageFiles.js';
import { fence, renderPrompt } from '../../prompts/renderPrompt.js';
import { updateMode, type ReadItem } from '../updateMode.js';
import { readableItems } from './readableReasons.js';
import { askOptimizer } from './askOptimizer.js';

/** One list of edits out of all analysts': failures and successes merged apart, then together, failures first. */
export async function aggregate(
  context: RunContext,
  patches: readonly Patch[],
  merge: Omit<Merge, 'part' | 'level'>,
  signal: AbortSignal,
): Promise<readonly PatchItem[]> {
  const worth = patches.filter((patch) => patch.edits.length > 0);
  const apart = [
    { part: 'failures', patches: worth.filter((patch) => patch.source !== 'success') },
    { part: 'successes', patches: worth.filter((patch) => patch.source === 'success') },
  ].filter((side) => side.patches.length > 0);
  const sides = await concurrently(apart, apart.length, (side) =>
    mergeLevels(context, side.patches, { ...merge, part: side.part }, signal),
  );
  const merged = await together(context, sides, { ...merge, part: 'final' }, signal);
  const said = [...new Set(merged.notes)];
  context.record({
    kind: 'merged',
    step: merge.step,
    edits: merged.edits.length,
    textHash: await context.texts.put(JSON.stringify(merged.edits, undefined, 2)),
    fallback: said.length === 0 ? undefined : said.join('; '),
    ...(merged.reasons.length === 0 ? {} : { reasoningHash: await context.texts.put(JSON.stringify(merged.reasons)) }),
  });
  return merged.edits;
}

/** Merges in groups, level by level, until one patch is left. */
async function mergeLevels(
  context: RunContext,
  patches: readonly Patch[],
  merge: Omit<Merge, 'level'>,
  signal: AbortSignal,
): Promise<MergeResult & { readonly level: number }> {
  const notes: string[] = [];
  const reasons: MergeReason[] = [];
  let left = patches;
  let level = 0;
  while (left.length > 1) {
    level += 1;
    const groups = chunksOf(left, context.options.merge.batchSize);
    const merged = await concurrently(groups, context.options.reflect.analysts, (group, index) =>
      mergeGroup(context, group, { ...merge, level, part: `${merge.part}:${level}:${index}` }, signal),
    );
    notes.push(...merged.flatMap((each) => each.notes));
    reasons.push(...merged.flatMap((each) => each.reasons));
    left = merged.map((each) => each.patch);
  }
  const [patch] = left;
  if (patch === undefined) throw new Error('there is nothing to merge');
  return { patch, notes, reasons, level };
}

async function together(
  context: RunContext,
  sides: readonly (MergeResult & { readonly level: number })[],
  merge: Omit<Merge, 'level'>,
  signal: AbortSignal,
): Promise<Omit<MergeResult, 'patch'> & { readonly edits: readonly PatchItem[] }> {
  const before = { notes: sides.flatMap((side) => side.notes), reasons: sides.flatMap((side) => side.reasons) };
  if (sides.length === 0) return { edits: [], ...before };
  const { patch, notes, reasons } = await mergeGroup(
    context,
    sides.map((side) => side.patch),
    { ...merge, level: Math.max(...sides.map((side) => side.level)) + 1 },
    signal,
  );
  return { edits: patch.edits, notes: [...before.notes, ...notes], reasons: [...before.reasons, ...reasons] };
}

interface Merge extends ShownPackage {
  readonly step: number;
  /** Which merge of the step this is; `final` is the one of failures with successes. */
  readonly part: string;
  /** How deep it is in the tree of merges, from 1. */
  readonly level: number;
}

/** Why the optimizer merged as it did. */
interface MergeReason {
  readonly part: string;
  readonly level: number;
  readonly reasoning: string;
}

interface MergeResult {
  readonly patch: Patch;
  /** What did not go as planned, such as a merge that fell back to putting the lists one after the other. */
  readonly notes: readonly string[];
  /** In the order of the merges; only where one was given. */
  readonly reasons: readonly MergeReason[];
}

/** One patch out of several. A merge that fails falls back to joining the lists, and says so. */
async function mergeGroup(
  context: RunContext,
  group: readonly Patch[],
  merge: Merge,
  signal: AbortSignal,
): Promise<MergeResult> {
  const [only] = group;
  if (only !== undefined && group.length === 1) return { patch: only, notes: [], reasons: [] };
  const joined = joinEqual(group.flatMap((patch) => patch.edits)).map((item) => ({ mergeLevel: merge.level, ...item }));
  // Lists that already agree need no call: each edit once, with the support of all.
  if (new Set(group.map(contentOf)).size === 1) return { patch: patchOf(group, joined), notes: [], reasons: [] };
  context.record({ kind: 'stage', stage: 'aggregate', step: merge.step, planned: 1 });
  const mode = updateMode(context.options);
  const question = {
    prompt: promptFor(context, group, merge),
    reply: mode.merge.reply,
    replySchema: namingFile(mode.merge.replySchema, merge),
    about: 'merge' as const,
    step: merge.step,
    part: merge.part,
    whole: mode.whole,
  };
  const answer = await askOptimizer(context, question, signal);
  if (answer.kind === 'lost') return joining(group, joined, answer.reason);
  const { items, malformed } = readableItems(context, mode.read(answer.value.proposed));
  if (items.length === 0) return joining(group, joined, 'the merge held no edit');
  const notes = malformed.map((reason) => `merge: ${reason}`);
  const merged = (mode.whole ? items.slice(0, 1) : items).map((read) => fromReply(read, joined, merge));
  return { patch: patchOf(group, joinEqual(merged)), notes, reasons: reasonsOf(merge, answer.value.reasoning) };
}

function joining(group: readonly Patch[], joined: readonly PatchItem[], reason: string): MergeResult {
  return { patch: patchOf(group, joined), notes: [`merged by joining the lists, because ${reason}`], reasons: [] };
}

function reasonsOf({ part, level }: Merge, reasoning: string): readonly MergeReason[] {
  return reasoning.trim() === '' ? [] : [{ part, level, reasoning: reasoning.trim() }];
}

/** An edit of the reply with where it came from; its lessons are those of the lists, whatever the reply claims. */
function fromReply(
  { tasks, support, ...item }: ReadItem,
  joined: readonly PatchItem[],
  { level }: Pick<Merge, 'level'>,
): PatchItem {
  const origin = joined.find((each) => keyOfItem(each) === keyOfItem(item));
  const known = new Set(joined.flatMap((each) => each.tasks));
  const named = tasks.filter((id) => known.has(id));
  return {
    ...item,
    ...sourceOf(origin),
    tasks: named.length > 0 ? named : (origin?.tasks ?? [...known]),
    support: Math.max(1, Math.round(support ?? origin?.support ?? 1)),
    mergeLevel: level,
  };
}

function promptFor(context: RunContext, group: readonly Patch[], merge: Merge): string {
  const { prompt, list } = updateMode(context.options).merge;
  const lists = group.map((patch, index) => {
    const rows = patch.edits.map((each) => ({ ...rowOf(each), tasks: each.tasks, support_count: each.support }));
    return `${drawnFrom(patch)}:\n${fence(`${list}-${index}`, JSON.stringify(rows, undefined, 2))}`;
  });
  const first = merge.part === 'final' ? '; what mends a failure comes before what reinforces a success' : ' ';
  const question = renderPrompt(
    mergeTemplate(prompt, merge.part, context.prompts),
    { priority: { words: first }, skill: skillValue(merge), patches: { words: lists.join('\n\n') } },
    context.prompts,
  );
  return [question, packageFilesWords(merge, context.prompts)].filter((part) => part !== '').join('\n\n');
}

function contentOf(patch: Patch): string {
  return JSON.stringify(patch.edits.map((each) => keyOfItem(each)).sort());
}

/** Each change once; support and lessons of equal ones are added up. */
function joinEqual(edits: readonly PatchItem[]): readonly PatchItem[] {
  const byKey = new Map<string, PatchItem>();
  for (const each of edits) {
    const key = keyOfItem(each);
    const known = byKey.get(key);
    const support = (known?.support ?? 0) + each.support;
    const tasks = [...new Set([...(known?.tasks ?? []), ...each.tasks])];
    byKey.set(key, { ...(known ?? each), support, tasks });
  }
  return [...byKey.values()];
}

function patchOf(group: readonly Patch[], edits: readonly PatchItem[]): Patch {
  const size = group.reduce((sum, patch) => sum + patch.size, 0);
  return { source: 'merged', size, edits, failures: group.flatMap((patch) => patch.failures) };
}
