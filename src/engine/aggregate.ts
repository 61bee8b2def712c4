import { readEdits } from '../prompts/editReply.js';
import { fence } from '../prompts/fence.js';
import { mergePrompt, mergeReply } from '../prompts/mergeEdits.js';
import { mergeReplySchema } from '../prompts/reflection.js';
import { renderPrompt } from '../prompts/renderPrompt.js';
import { askOptimizer } from './askOptimizer.js';
import { chunksOf } from './batches.js';
import { concurrently } from './concurrently.js';
import { keyOf, type Patch, type PatchEdit } from './patch.js';
import type { RunContext } from './runContext.js';

interface Merge {
  readonly step: number;
  readonly skill: string;
}

interface Merged {
  readonly patch: Patch;
  /** Why a merge fell back to putting the lists one after the other, if one did. */
  readonly fallback: string | undefined;
}

/** One list of edits out of all analysts': failures and successes merged apart, then together, failures first. */
export async function aggregate(
  context: RunContext,
  patches: readonly Patch[],
  merge: Merge,
  signal: AbortSignal,
): Promise<readonly PatchEdit[]> {
  const worth = patches.filter((patch) => patch.edits.length > 0);
  const lessons = await mergeLevels(
    context,
    worth.filter((patch) => patch.source !== 'success'),
    merge,
    signal,
  );
  const habits = await mergeLevels(
    context,
    worth.filter((patch) => patch.source === 'success'),
    merge,
    signal,
  );
  const sides = [lessons, habits].filter((side) => side !== undefined);
  const final =
    sides.length < 2
      ? sides[0]
      : await mergeGroup(
          context,
          sides.map((side) => side.patch),
          { ...merge, level: 'final' },
          signal,
        );
  const edits = final?.patch.edits ?? [];
  const fallback = [...new Set([...sides, ...(final === undefined ? [] : [final])].map((each) => each.fallback))]
    .filter((reason) => reason !== undefined)
    .join('; ');
  context.record({
    kind: 'merged',
    step: merge.step,
    edits: edits.length,
    textHash: await context.texts.put(JSON.stringify(edits, undefined, 2)),
    fallback: fallback === '' ? undefined : fallback,
  });
  return edits;
}

/** Merges in groups, level by level, until one patch is left. */
async function mergeLevels(
  context: RunContext,
  patches: readonly Patch[],
  merge: Merge,
  signal: AbortSignal,
): Promise<Merged | undefined> {
  const fallbacks: string[] = [];
  let left = patches;
  for (let level = 1; left.length > 1; level++) {
    const groups = chunksOf(left, context.options.merge.batchSize);
    const merged = await concurrently(groups, context.options.reflect.analysts, (group, index) =>
      mergeGroup(context, group, { ...merge, level: `${level}:${index}` }, signal),
    );
    fallbacks.push(...merged.map((each) => each.fallback).filter((reason) => reason !== undefined));
    left = merged.map((each) => each.patch);
  }
  const [patch] = left;
  return patch === undefined
    ? undefined
    : { patch, fallback: fallbacks.length === 0 ? undefined : fallbacks.join('; ') };
}

async function mergeGroup(
  context: RunContext,
  group: readonly Patch[],
  merge: Merge & { readonly level: string },
  signal: AbortSignal,
): Promise<Merged> {
  const [only] = group;
  if (only !== undefined && group.length === 1) return { patch: only, fallback: undefined };
  const all = group.flatMap((patch) => patch.edits);
  // Lists that already agree need no call: each edit once, with the support of all.
  const joined = joinEqual(all);
  if (new Set(group.map((patch) => JSON.stringify(patch.edits.map((each) => keyOf(each.edit)).sort()))).size === 1) {
    return { patch: patchOf(group, joined), fallback: undefined };
  }
  context.record({ kind: 'stage', stage: 'aggregate', step: merge.step, planned: 1 });
  const answer = await askOptimizer(
    context,
    {
      prompt: promptFor(context, group, merge),
      reply: mergeReply,
      replySchema: mergeReplySchema,
      family: `merge:${context.options.train.seed}:${merge.step}:${merge.level}`,
    },
    signal,
  );
  if (answer.kind === 'lost')
    return { patch: patchOf(group, joined), fallback: `merged by joining the lists, because ${answer.reason}` };
  const { edits } = readEdits(answer.value.edits);
  if (edits.length === 0)
    return { patch: patchOf(group, joined), fallback: 'merged by joining the lists, because the merge held no edit' };
  const merged = edits.map(({ edit, tasks, support }): PatchEdit => {
    const origin = joined.find((each) => keyOf(each.edit) === keyOf(edit));
    const known = new Set(all.flatMap((each) => each.tasks));
    const named = tasks.filter((id) => known.has(id));
    return {
      edit,
      source: origin?.source ?? 'merged',
      tasks: named.length > 0 ? named : (origin?.tasks ?? [...known]),
      support: Math.max(1, Math.round(support ?? origin?.support ?? 1)),
    };
  });
  return { patch: patchOf(group, joinEqual(merged)), fallback: undefined };
}

function promptFor(context: RunContext, group: readonly Patch[], merge: Merge & { readonly level: string }): string {
  const lists = group.map((patch, index) => {
    const rows = patch.edits.map(({ edit, tasks, support }) => ({ ...edit, tasks, support_count: support }));
    return `From ${patch.size} ${patch.source === 'success' ? 'successful' : 'failed'} attempts:\n${fence(`edits-${index}`, JSON.stringify(rows, undefined, 2))}`;
  });
  return renderPrompt(
    mergePrompt,
    {
      priority: {
        words: merge.level === 'final' ? '; what mends a failure comes before what reinforces a success' : ' ',
      },
      skill: merge.skill,
      patches: { words: lists.join('\n\n') },
    },
    context.prompts,
  );
}

/** Each change once; support and lessons of equal ones are added up. */
function joinEqual(edits: readonly PatchEdit[]): readonly PatchEdit[] {
  const byKey = new Map<string, PatchEdit>();
  for (const each of edits) {
    const key = keyOf(each.edit);
    const known = byKey.get(key);
    byKey.set(
      key,
      known === undefined
        ? each
        : { ...known, support: known.support + each.support, tasks: [...new Set([...known.tasks, ...each.tasks])] },
    );
  }
  return [...byKey.values()];
}

function patchOf(group: readonly Patch[], edits: readonly PatchEdit[]): Patch {
  return {
    source: 'merged',
    size: group.reduce((sum, patch) => sum + patch.size, 0),
    edits,
    failures: group.flatMap((patch) => patch.failures),
  };
}
