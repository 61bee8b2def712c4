import { epochPrompts, metaSkillReply, metaSkillReplySchema } from '../../prompts/epochs/epochPrompts.js';
import { renderPrompt } from '../../prompts/renderPrompt.js';
import type { RunContext } from '../runContext.js';
import { askOptimizer } from '../stages/askOptimizer.js';
import { historyText, type PastStep } from '../stages/history.js';
import { pairsText, type EpochPair } from './compareEpoch.js';
import { longestMetaSkill } from './epochOptions.js';

/** What the optimizer's notes are made from. */
export interface MetaSkillStart {
  readonly epoch: number;
  readonly step: number;
  readonly skill: string;
  readonly pairs: readonly EpochPair[];
  readonly steps: readonly PastStep[];
}

/**
 * The optimizer's notes for itself after an epoch: what it held before, revised by the same comparison. Of held-out tasks
 * they know no more than the optimizer does. Where it has nothing to say, or cannot be asked, the notes stay.
 */
export async function metaSkill(
  context: RunContext,
  { epoch, step, skill, pairs, steps }: MetaSkillStart,
  signal: AbortSignal,
): Promise<string> {
  const before = context.metaSkill ?? '';
  if (pairs.length === 0) return before;
  context.record({ kind: 'stage', stage: 'meta-skill', step, planned: 1 });
  const values = {
    skill,
    notes: before === '' ? { words: 'There are none yet.' } : before,
    pairs: { words: pairsText(pairs, context) },
    history: { words: historyText(steps, context.rejected) },
    characters: longestMetaSkill,
  };
  const answer = await askOptimizer(
    context,
    {
      prompt: renderPrompt(epochPrompts.metaSkill, values, context.prompts),
      reply: metaSkillReply,
      replySchema: metaSkillReplySchema,
      about: 'meta_skill',
      step,
      part: String(epoch),
    },
    signal,
  );
  const said = answer.kind === 'answered' ? withinBounds(answer.value.meta_skill_content) : '';
  const text = said === '' ? before : said;
  const lost = answer.kind === 'lost' ? answer.reason : undefined;
  context.record({
    kind: 'meta-skill',
    epoch,
    step,
    textHash: await context.texts.put(text),
    changed: text !== before,
    ...(lost === undefined ? {} : { lost }),
  });
  return text;
}

/** As much as is kept: whole lines, the first ones. */
export function withinBounds(notes: string): string {
  const text = notes.trim();
  if (text.length <= longestMetaSkill) return text;
  const cut = text.slice(0, longestMetaSkill);
  return cut.slice(0, cut.includes('\n') ? cut.lastIndexOf('\n') : undefined).trim();
}
