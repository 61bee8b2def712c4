import type * as z from 'zod';
import { skillValue, type ShownPackage } from '../../prompts/reflection/packageFiles.js';
import { fence, renderPrompt } from '../../prompts/renderPrompt.js';
import { rankPrompt, rankReply, rankReplySchema } from '../../prompts/edits/mergeEdits.js';
import { askOptimizer } from './askOptimizer.js';
import { rowOf, type PatchItem } from '../patch.js';
import type { RunContext } from '../runContext.js';
import { updateMode } from '../updateMode.js';

/** At most `budget` edits: all where they fit, else the ones that the optimizer ranks first. Whole texts are not ranked. */
export async function select(
  context: RunContext,
  edits: readonly PatchItem[],
  choice: ShownPackage & { readonly step: number; readonly budget: number },
  signal: AbortSignal,
): Promise<readonly PatchItem[]> {
  if (updateMode(context.options).whole) return edits.slice(0, 1);
  const chosen =
    edits.length <= choice.budget || choice.budget === 0
      ? { edits: edits.slice(0, choice.budget), fallback: undefined, ranking: undefined }
      : await rank(context, edits, choice, signal);
  context.record({
    kind: 'selected',
    step: choice.step,
    edits: chosen.edits.length,
    budget: choice.budget,
    textHash: await context.texts.put(JSON.stringify(chosen.edits, undefined, 2)),
    fallback: chosen.fallback,
    ...(chosen.ranking === undefined ? {} : { rankingHash: await context.texts.put(JSON.stringify(chosen.ranking)) }),
  });
  return chosen.edits;
}

interface Chosen {
  readonly edits: readonly PatchItem[];
  readonly fallback: string | undefined;
  /** The reply that ranked them, as it was read. */
  readonly ranking: z.infer<typeof rankReply> | undefined;
}

async function rank(
  context: RunContext,
  edits: readonly PatchItem[],
  choice: Parameters<typeof select>[2],
  signal: AbortSignal,
): Promise<Chosen> {
  context.record({ kind: 'stage', stage: 'select', step: choice.step, planned: 1 });
  const numbered = edits.map((each, index) => ({ index, ...rowOf(each), support_count: each.support }));
  const answer = await askOptimizer(
    context,
    {
      prompt: renderPrompt(
        rankPrompt,
        {
          budget: choice.budget,
          skill: skillValue(choice),
          edits: { words: fence('edits', JSON.stringify(numbered, undefined, 2)) },
        },
        context.prompts,
      ),
      reply: rankReply,
      replySchema: rankReplySchema,
      about: 'rank',
      step: choice.step,
      part: '',
    },
    signal,
  );
  const first = edits.slice(0, choice.budget);
  if (answer.kind === 'lost')
    return {
      edits: first,
      fallback: `the first ${choice.budget} were taken, because ${answer.reason}`,
      ranking: undefined,
    };
  const indices = [...new Set(answer.value.selected_indices)].filter(
    (index) => Number.isInteger(index) && edits[index] !== undefined,
  );
  if (indices.length === 0) {
    return {
      edits: first,
      fallback: `the first ${choice.budget} were taken, because the ranking named no edit of the list`,
      ranking: answer.value,
    };
  }
  const ranked = indices.slice(0, choice.budget).flatMap((index) => edits[index] ?? []);
  return { edits: ranked, fallback: undefined, ranking: answer.value };
}
