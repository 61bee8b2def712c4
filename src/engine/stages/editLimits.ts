import { learnedBlockPrompt, littleRoomPrompt, measuresPrompt } from '../../prompts/reflection/reflection.js';
import { packageFilesWords, packageScriptsWords, type ShownPackage } from '../../prompts/reflection/packageFiles.js';
import { renderPrompt } from '../../prompts/renderPrompt.js';
import { grownSize, isLittleRoom, roomLeft } from '../../skill/edits/sizeBudget.js';
import { filesIn, type Candidate } from '../candidate.js';
import { costsOf, type CostMeasure } from '../front/choiceOptions.js';
import type { RunContext } from '../runContext.js';
import { documentOf } from './update.js';

/** The documents that the optimizer edits, and what it is told about them. */
export function shownToOptimizer(
  context: RunContext,
  current: Candidate,
  about: string,
): ShownPackage & { readonly about: string } {
  const shown = { skill: current.text, ...(current.files === undefined ? {} : { files: filesIn(current) }) };
  const words = [
    editLimitsText(context, current, about),
    packageFilesWords(shown, context.prompts),
    packageScriptsWords(context.scripts, context.prompts),
  ];
  return { ...shown, about: words.filter((part) => part !== '').join('\n\n') };
}

/**
 * What the optimizer is told about the limits of its edits, before it makes some that would be refused: where they may
 * land, how much the document may still grow, and what counts beside the score. Nothing for a short document that may be changed anywhere. `about` is
 * what it is told of the document already; a memory file says there where to write.
 */
export function editLimitsText(context: RunContext, current: Candidate, about: string): string {
  const { scope, growth } = context.options.edits;
  const { size } = documentOf(current);
  const room = roomLeft(size, grownSize(current.grownFrom ?? size, growth));
  return [
    about,
    ...(scope === 'learned' && about === '' ? [renderPrompt(learnedBlockPrompt, {}, context.prompts)] : []),
    ...(isLittleRoom(room) ? [renderPrompt(littleRoomPrompt, room, context.prompts)] : []),
    ...measuresText(context),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const costWords: Readonly<Record<CostMeasure, string>> = {
  'skill-tokens': 'the tokens of the skill',
  'answer-tokens': 'the tokens of the answers',
  'answer-time': 'the time that answers take',
};

function measuresText({ options, prompts }: RunContext): readonly string[] {
  const costs = costsOf(options.choice).map((measure) => costWords[measure]);
  return costs.length === 0 ? [] : [renderPrompt(measuresPrompt, { measures: { words: costs.join('; ') } }, prompts)];
}
