import { chunksOf } from './batches.js';
import { concurrently } from '../concurrently.js';
import { mergeGroup, type Merge, type MergeResult } from './mergeGroup.js';
import type { Patch, PatchEdit } from '../patch.js';
import type { RunContext } from '../runContext.js';

/** One list of edits out of all analysts': failures and successes merged apart, then together, failures first. */
export async function aggregate(
  context: RunContext,
  patches: readonly Patch[],
  merge: Omit<Merge, 'part'>,
  signal: AbortSignal,
): Promise<readonly PatchEdit[]> {
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
): Promise<{ readonly edits: readonly PatchEdit[]; readonly notes: readonly string[] }> {
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
