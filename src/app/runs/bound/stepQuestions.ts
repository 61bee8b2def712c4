import { isSkillAware } from '../../../engine/stages/reminders.js';
import { answerRoom, mostAsks } from '../../../prompts/answerRoom.js';
import { countTokens } from '../../../skill/document/countTokens.js';
import { mostText } from './attemptBound.js';
import { ofRole, type CallBound, type Often } from './callBound.js';
import { notesTokens } from './epochBound.js';
import type { RunBoundInput } from './runBound.js';

const frame = 2_000; // tokens of our own words around a question
const usualReply = 200;

/**
 * What a step asks only where its options say so: how many edits to take, and for fewer reminders. What cannot be read,
 * or was cut, is asked for once more.
 */
export function stepQuestions({ text, options, models }: RunBoundInput, steps: Omit<Often, 'least'>): CallBound {
  const each = (options.edits.control === 'autonomous' ? 1 : 0) + (isSkillAware(options) ? 1 : 0);
  const asks = mostAsks('optimizer', options);
  const room = answerRoom({ role: 'optimizer', identity: models.optimizer.identity }, options);
  const [usual, most] = [each * steps.usual, each * steps.most];
  return ofRole('optimizer', {
    least: { calls: 0, inputTokens: 0, outputTokens: 0 },
    usual: {
      calls: usual,
      inputTokens: usual * (countTokens(text) + frame / 2),
      outputTokens: usual * usualReply,
    },
    most: {
      calls: most * asks,
      // What was merged is at most as long as a reply.
      inputTokens: most * asks * (mostText(text) + room.second + notesTokens(options) + frame),
      outputTokens: most * (room.first + (asks - 1) * room.second),
    },
  });
}
