import { chunksOf } from '../stepPlans.js';
import { concurrently } from '../concurrently.js';
import { keyOfItem, rowOf, type Patch, type PatchItem } from '../patch.js';
import type { RunContext } from '../runContext.js';
import { fence, renderPrompt } from '../../prompts/renderPrompt.js';
import { updateMode, type ReadItem } from '../updateMode.js';
import { readableItems } from './readableReasons.js';
import { askOptimizer } from './askOptimizer.js';

/** One list of edits out of all analysts': failures and successes merged apart, then together, failures first. */
export async function aggregate(
  context: RunContext,
  patches: readonly Patch[],
  merge: Omit<Merge, 'part'>,
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
  });
  return merged.edits;
}

/** Merges in groups, level by level, until one patch is left. */
async function mergeLevels(
  context: RunContext,
  patches: readonly Patch[],
  merge: Merge,
  signal: AbortSignal,
): Promise<MergeResult> {
  const notes: string[] = [];
  let left = patches;
  for (let level = 1; left.length > 1; level++) {
    const groups = chunksOf(left, context.options.merge.batchSize);
    const merged = await concurrently(groups, context.options.reflect.analysts, (group, index) =>
      mergeGroup(context, group, { ...merge, part: `${merge.part}:${level}:${index}` }, signal),
    );
    notes.push(...merged.flatMap((each) => each.notes));
    left = merged.map((each) => each.patch);
  }
  const [patch] = left;
  if (patch === undefined) throw new Error('there is nothing to merge');
  return { patch, notes };
}

async function together(
  context: RunContext,
  sides: readonly MergeResult[],
  merge: Merge,
  signal: AbortSignal,
): Promise<{ readonly edits: readonly PatchItem[]; readonly notes: readonly string[] }> {
  const before = sides.flatMap((side) => side.notes);
  if (sides.length === 0) return { edits: [], notes: before };
  const { patch, notes } = await mergeGroup(
    context,
    sides.map((side) => side.patch),
    merge,
    signal,
  );
  return { edits: patch.edits, notes: [...before, ...notes] };
}

interface Merge {
  readonly step: number;
  readonly skill: string;
  /** Which merge of the step this is; `final` is the one of failures with successes. */
  readonly part: string;
}

interface MergeResult {
  readonly patch: Patch;
  /** What did not go as planned, such as a merge that fell back to putting the lists one after the other. */
  readonly notes: readonly string[];
}

/** One patch out of several. A merge that fails falls back to joining the lists, and says so. */
async function mergeGroup(
  context: RunContext,
  group: readonly Patch[],
  merge: Merge,
  signal: AbortSignal,
): Promise<MergeResult> {
  const [only] = group;
  if (only !== undefined && group.length === 1) return { patch: only, notes: [] };
  const joined = joinEqual(group.flatMap((patch) => patch.edits));
  // Lists that already agree need no call: each edit once, with the support of all.
  if (new Set(group.map(contentOf)).size === 1) return { patch: patchOf(group, joined), notes: [] };
  context.record({ kind: 'stage', stage: 'aggregate', step: merge.step, planned: 1 });
  const mode = updateMode(context.options);
  const question = {
    prompt: promptFor(context, group, merge),
    reply: mode.merge.reply,
    replySchema: mode.merge.replySchema,
    about: 'merge' as const,
    step: merge.step,
    part: merge.part,
    whole: mode.whole,
  };
  const answer = await askOptimizer(context, question, signal);
  if (answer.kind === 'lost') return joining(group, joined, answer.reason);
  const { items, malformed } = readableItems(context, mode.read(answer.value));
  if (items.length === 0) return joining(group, joined, 'the merge held no edit');
  const notes = malformed.map((reason) => `merge: ${reason}`);
  const merged = mode.whole ? items.slice(0, 1) : items;
  return { patch: patchOf(group, joinEqual(merged.map((read) => fromReply(read, joined)))), notes };
}

function joining(group: readonly Patch[], joined: readonly PatchItem[], reason: string): MergeResult {
  return { patch: patchOf(group, joined), notes: [`merged by joining the lists, because ${reason}`] };
}

/** An edit of the reply with where it came from; its lessons are those of the lists, whatever the reply claims. */
function fromReply({ tasks, support, ...item }: ReadItem, joined: readonly PatchItem[]): PatchItem {
  const origin = joined.find((each) => keyOfItem(each) === keyOfItem(item));
  const known = new Set(joined.flatMap((each) => each.tasks));
  const named = tasks.filter((id) => known.has(id));
  return {
    ...item,
    source: origin?.source ?? 'merged',
    tasks: named.length > 0 ? named : (origin?.tasks ?? [...known]),
    support: Math.max(1, Math.round(support ?? origin?.support ?? 1)),
  };
}

function promptFor(context: RunContext, group: readonly Patch[], merge: Merge): string {
  const { prompt, list } = updateMode(context.options).merge;
  const lists = group.map((patch, index) => {
    const rows = patch.edits.map((each) => ({ ...rowOf(each), tasks: each.tasks, support_count: each.support }));
    const kind = patch.edits.every((each) => each.source === 'success') ? 'successful' : 'failed';
    return `From ${patch.size} ${kind} attempts:\n${fence(`${list}-${index}`, JSON.stringify(rows, undefined, 2))}`;
  });
  const first = merge.part === 'final' ? '; what mends a failure comes before what reinforces a success' : ' ';
  return renderPrompt(
    prompt,
    { priority: { words: first }, skill: merge.skill, patches: { words: lists.join('\n\n') } },
    context.prompts,
  );
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
  return {
    source: 'merged',
    size: group.reduce((sum, patch) => sum + patch.size, 0),
    edits,
    failures: group.flatMap((patch) => patch.failures),
  };
}
