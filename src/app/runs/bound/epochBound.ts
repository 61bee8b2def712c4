import { longestMetaSkill } from '../../../engine/epochs/epochOptions.js';
import { keepsFront } from '../../../engine/front/choiceOptions.js';
import type { RunOptions } from '../../../engine/runOptions.js';
import { answerRoom, mostAsks } from '../../../prompts/answerRoom.js';
import { countTokens } from '../../../skill/document/countTokens.js';
import { mostText, usualAnswer, type AttemptBounds } from './attemptBound.js';
import { ofRole, times, type CallBound, type Often } from './callBound.js';
import type { RunBoundInput } from './runBound.js';

const usualCompared = 1; // most runs end with their second epoch
const frame = 2_000; // tokens of our own words around a question
const usualReply = 600;

/** How often epochs end with a comparison, and how many training tasks each compares. */
interface Comparisons {
  readonly epochs: Often;
  readonly tasks: number;
  /** Guidance of the slow update is tried on held-out tasks. */
  readonly updates: boolean;
}

/** The ends of the epochs of a run; none where both stages are off, or in a run of one epoch. */
export function comparisonsOf({ train, slowUpdate, metaSkill, edits }: RunOptions, training: number): Comparisons {
  const updates = slowUpdate.on && edits.scope === 'body';
  const most = updates || metaSkill.on ? Math.max(0, train.epochs - 1) : 0;
  const epochs = { least: 0, usual: Math.min(usualCompared, most), most };
  return { epochs, tasks: Math.min(training, slowUpdate.samples), updates };
}

/** Attempts at training tasks under both texts. Usually those under the first are known already. */
export function comparedBound({ epochs, tasks }: Comparisons, { dearest }: AttemptBounds): CallBound {
  return times(dearest, { least: 0, usual: epochs.usual * tasks, most: epochs.most * 2 * tasks });
}

/** How often the held-out tasks are attempted under guidance; with a front training tasks are, which counts there. */
export function guidedOften({ epochs, updates }: Comparisons, options: RunOptions): Often {
  const often = updates && options.gate.rule !== 'off' && !keepsFront(options) ? 1 : 0;
  return { least: 0, usual: often * epochs.usual, most: often * epochs.most };
}

/** One question for guidance and one for notes; what cannot be read, or was cut, is asked for once more. */
export function epochQuestions(
  { text, options, models }: RunBoundInput,
  { epochs, tasks, updates }: Comparisons,
  { longest }: AttemptBounds,
): CallBound {
  const each = (updates ? 1 : 0) + (options.metaSkill.on ? 1 : 0);
  const asks = mostAsks('optimizer', options);
  const room = answerRoom({ role: 'optimizer', identity: models.optimizer.identity }, options);
  const usual = each * epochs.usual;
  const questions = each * epochs.most;
  const shown = 2 * tasks * longest + notesTokens(options);
  return ofRole('optimizer', {
    least: { calls: 0, inputTokens: 0, outputTokens: 0 },
    usual: {
      calls: usual,
      inputTokens: usual * (countTokens(text) + tasks * usualAnswer + frame / 4),
      outputTokens: usual * usualReply,
    },
    most: {
      calls: questions * asks,
      inputTokens: questions * asks * (mostText(text) + shown + room.second + frame),
      outputTokens: questions * (room.first + (asks - 1) * room.second),
    },
  });
}

/** The most tokens of the optimizer's notes, which stand before each of its questions. */
export function notesTokens({ metaSkill }: RunOptions): number {
  return metaSkill.on ? longestMetaSkill : 0;
}
