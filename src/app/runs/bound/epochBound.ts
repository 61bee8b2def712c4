import { longestMetaSkill, mostComparedOverNights } from '../../../engine/epochs/epochOptions.js';
import { keepsFront } from '../../../engine/front/choiceOptions.js';
import type { RunOptions } from '../../../engine/runOptions.js';
import { answerRoom, mostAsks } from '../../../prompts/answerRoom.js';
import { countTokens } from '../../../skill/document/countTokens.js';
import { mostText, usualAnswer, type AttemptBounds, type RunBoundInput } from './attemptBound.js';
import { ofRole, times, type CallBound, type Often } from './callBound.js';

const usualCompared = 1; // most runs end with their second epoch
const frame = 2_000; // tokens of our own words around a question
const usualReply = 600;

/** How often epochs end with a comparison, and how many training tasks each compares. */
export interface Comparisons {
  readonly epochs: Often;
  readonly tasks: number;
  /** Under how many texts the run has not attempted them yet, at most. */
  readonly sides: number;
  /** Guidance of the slow update is tried on held-out tasks. */
  readonly updates: boolean;
  /** Notes are asked for. */
  readonly notes: boolean;
}

/**
 * The ends of the epochs of a run; none where both stages are off, or in a run of one epoch. A night has one end, where
 * the text of an earlier night is compared: its step has attempted every task under today's.
 */
export function comparisonsOf(
  { train, slowUpdate, metaSkill, edits }: RunOptions,
  training: number,
  { comparesNights }: { readonly comparesNights: boolean },
): Comparisons {
  const updates = slowUpdate.on && edits.scope === 'body';
  // More tasks take part where too few of the sample are of the kinds that are wanted.
  const tasks = slowUpdate.pairs === 'mixed' ? Math.min(training, slowUpdate.samples) : training;
  if (comparesNights) {
    const once = updates ? 1 : 0;
    const some = Math.min(tasks, mostComparedOverNights);
    return { epochs: { least: 0, usual: once, most: once }, tasks: some, updates, sides: 1, notes: false };
  }
  const most = updates || metaSkill.on ? Math.max(0, train.epochs - 1) : 0;
  const epochs = { least: 0, usual: Math.min(usualCompared, most), most };
  return { epochs, tasks, updates, sides: 2, notes: metaSkill.on };
}

/** Attempts at training tasks under both texts. Usually those under the first are known already. */
export function comparedBound({ epochs, tasks, sides }: Comparisons, { dearest }: AttemptBounds): CallBound {
  return times(dearest, { least: 0, usual: epochs.usual * tasks, most: epochs.most * sides * tasks });
}

/** How often the held-out tasks are attempted under guidance; with a front training tasks are, which counts there. */
export function guidedOften({ epochs, updates }: Comparisons, options: RunOptions): Often {
  const often = updates && options.gate.rule !== 'off' && !keepsFront(options) ? 1 : 0;
  return { least: 0, usual: often * epochs.usual, most: often * epochs.most };
}

/** One question for guidance and one for notes; what cannot be read, or was cut, is asked for once more. */
export function epochQuestions(
  { text, options, models }: RunBoundInput,
  { epochs, tasks, updates, notes }: Comparisons,
  { longest }: AttemptBounds,
): CallBound {
  const each = (updates ? 1 : 0) + (notes ? 1 : 0);
  const asks = mostAsks('optimizer', options);
  const room = answerRoom({ role: 'optimizer', identity: models.optimizer.identity }, options);
  const usual = each * epochs.usual;
  const questions = each * epochs.most;
  const shown = 2 * Math.min(tasks, options.slowUpdate.samples) * longest + notesTokens(options);
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
