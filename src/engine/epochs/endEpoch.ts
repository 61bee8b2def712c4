import { ModelError } from '../../errors.js';
import type { TrainingTask } from '../../tasks/task.js';
import { originalCandidate, type Candidate, type DocumentSlot } from '../candidate.js';
import type { TrainingFront } from '../front/trainingFront.js';
import type { RunContext } from '../runContext.js';
import type { HeldOutScores } from '../stages/heldOutScores.js';
import type { PastStep } from '../stages/history.js';
import { randomFor, shuffled } from '../random.js';
import { compareEpoch, type EpochTexts, type KnownAttempts, type EpochPair } from './compareEpoch.js';
import { mostComparedOverNights } from './epochOptions.js';
import { metaSkill } from './metaSkill.js';
import { slowUpdate, type SlowUpdateEnd } from './slowUpdate.js';

/** The text that an earlier night began with, which is no longer today's, and the tasks on which both are compared. */
export interface EarlierText {
  readonly text: string;
  readonly tasks: readonly TrainingTask[];
}

/** Where a run stands after the last step of an epoch. */
export interface EpochToEnd {
  readonly epoch: number;
  readonly step: number;
  readonly original: Candidate;
  /** The skill that the epoch began with. */
  readonly first: Candidate;
  readonly current: Candidate;
  readonly best: Candidate;
  readonly slot: DocumentSlot;
  readonly tasks: readonly TrainingTask[];
  /** Held against the run's original at the end of the first epoch. */
  readonly earlier?: EarlierText | undefined;
  readonly known: readonly KnownAttempts[];
  readonly heldOut: HeldOutScores | undefined;
  readonly front?: TrainingFront | undefined;
  readonly steps: readonly PastStep[];
}

/** What the end of an epoch gives: the slow update where there was one, and the optimizer's notes. */
export interface EpochEnd {
  readonly slowUpdate: SlowUpdateEnd | undefined;
  readonly metaSkill: string | undefined;
}

/** The first epoch has nothing before it to be held against, unless an earlier night has. */
const firstCompared = 2;

/**
 * Whether this epoch ends with a comparison: of its first skill with its last, or of an earlier night's with today's.
 * Edits of the learned block alone leave no place for guidance.
 */
export function endsWithComparison(
  { options }: Pick<RunContext, 'options'>,
  { epoch, earlier }: Pick<EpochToEnd, 'epoch' | 'earlier'>,
): boolean {
  if (epoch < firstCompared) return earlier !== undefined && makesSlowUpdate(options);
  return makesSlowUpdate(options) || options.metaSkill.on;
}

function makesSlowUpdate({ slowUpdate: { on }, edits }: RunContext['options']): boolean {
  return on && edits.scope === 'body';
}

/**
 * The same tasks under the first and the last skill of the epoch; guidance for the agent and notes for the optimizer from
 * that. A run can do without either: a question that fails costs no more than its answer, and a server that is gone is
 * found by the next stage.
 */
export async function endEpoch(context: RunContext, ending: EpochToEnd, signal: AbortSignal): Promise<EpochEnd> {
  const { epoch, step, current, slot, known } = ending;
  const updates = makesSlowUpdate(context.options);
  const texts = { epoch, step, slot, known, ...comparedAt(context, ending) };
  const compared = await compareEpoch(context, texts, updates ? 'slow-update' : 'meta-skill', signal);
  const pairs = await pairsToShow(context, texts, compared, signal);
  const updated = updates ? await slowUpdate(context, { ...ending, pairs }, signal) : undefined;
  const noted = { epoch, step, skill: current.text, pairs, steps: ending.steps };
  const takesNotes = context.options.metaSkill.on && epoch >= firstCompared;
  const notes = takesNotes ? await notesWithinCaps(context, noted, signal) : context.metaSkill;
  return { slowUpdate: updated, metaSkill: notes };
}

/** Which texts are compared, and on what: of the night before nothing is known, of today's the attempts of the step are. */
function comparedAt(
  { options }: RunContext,
  { epoch, earlier, original, first, current, tasks }: EpochToEnd,
): Pick<EpochTexts, 'first' | 'last' | 'tasks'> {
  if (epoch >= firstCompared || earlier === undefined) return { first, last: current, tasks };
  const some = shuffled(earlier.tasks, randomFor('over-nights', options.train.seed, epoch));
  return { first: originalCandidate(earlier.text), last: original, tasks: some.slice(0, mostComparedOverNights) };
}

/** A cap that leaves no room for notes does not cost the guidance before them: the next call meets it. */
async function notesWithinCaps(
  context: RunContext,
  noted: Parameters<typeof metaSkill>[1],
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    return await metaSkill(context, noted, signal);
  } catch (error) {
    if (error instanceof ModelError && error.kind === 'cap') return context.metaSkill;
    throw error;
  }
}

/** Compared attempts without what the optimizer must not see of them. */
async function pairsToShow(
  { withoutGivenAway }: RunContext,
  { first, last }: EpochTexts,
  pairs: readonly EpochPair[],
  signal: AbortSignal,
): Promise<readonly EpochPair[]> {
  if (withoutGivenAway === undefined) return pairs;
  const known = `${first.text}\n${last.text}`;
  const [before, after] = await Promise.all([
    withoutGivenAway(
      pairs.map((pair) => pair.before),
      known,
      signal,
    ),
    withoutGivenAway(
      pairs.map((pair) => pair.after),
      known,
      signal,
    ),
  ]);
  return pairs.map((pair, at) => ({ ...pair, before: before[at] ?? pair.before, after: after[at] ?? pair.after }));
}
