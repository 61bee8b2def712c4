import { isSkillAware } from '../../../engine/stages/reminders.js';
import { answerRoom, mostAsks } from '../../../prompts/answerRoom.js';
import { shownToOptimizer, type RunBoundInput } from './attemptBound.js';
import { nothingAsked, ofRole, type CallBound, type Often } from './callBound.js';
import { notesTokens } from './epochBound.js';

const frame = 2_000; // tokens of our own words around a question
const usualReply = 200;

/** How many edits a step takes; a whole text is not counted in edits. */
export function budgetQuestions(input: RunBoundInput, steps: Omit<Often, 'least'>): CallBound {
  const { control, mode } = input.options.edits;
  return control === 'autonomous' && mode !== 'full_rewrite_minibatch' ? oncePerStep(input, steps) : nothingAsked;
}

/** Fewer reminders, where a step would make them too many. */
export function reminderQuestions(input: RunBoundInput, steps: Omit<Often, 'least'>): CallBound {
  return isSkillAware(input.options) ? oncePerStep(input, steps) : nothingAsked;
}

/** The edits of a step once more, where none of them found its place; what is rewritten has its places already. */
export function placeQuestions(input: RunBoundInput, { most }: Omit<Often, 'least'>): CallBound {
  const { mode, scope } = input.options.edits;
  return mode === 'patch' || scope === 'learned' ? oncePerStep(input, { usual: 0, most }) : nothingAsked;
}

/** One question for each step. What cannot be read, or was cut, is asked for once more. */
function oncePerStep({ options, models, ...edited }: RunBoundInput, { usual, most }: Omit<Often, 'least'>): CallBound {
  const asks = mostAsks('optimizer', options);
  const shown = shownToOptimizer(edited);
  const room = answerRoom({ role: 'optimizer', identity: models.optimizer.identity }, options);
  return ofRole('optimizer', {
    least: { calls: 0, inputTokens: 0, outputTokens: 0 },
    usual: {
      calls: usual,
      inputTokens: usual * (shown.usual + frame / 2),
      outputTokens: usual * usualReply,
    },
    most: {
      calls: most * asks,
      // What was merged is at most as long as a reply.
      inputTokens: most * asks * (shown.most + room.second + notesTokens(options) + frame),
      outputTokens: most * (room.first + (asks - 1) * room.second),
    },
  });
}
