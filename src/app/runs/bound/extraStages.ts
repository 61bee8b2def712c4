import type { StageCalls } from '../../../wording/preflightLines.js';
import type { AttemptBounds, RunBoundInput } from './attemptBound.js';
import { callsOf, nothingAsked, sumOfBounds, times, type CallBound, type Often } from './callBound.js';
import { comparedBound, epochQuestions, guidedOften, type Comparisons } from './epochBound.js';
import { rewriteBound } from './rewriteBound.js';
import { budgetQuestions, reminderQuestions } from './stepQuestions.js';

/** What a stage that options turn on takes: questions to the optimizer, and attempts beyond those of the run's steps. */
export interface ExtraBound {
  readonly stage: StageCalls['stage'];
  readonly questions: CallBound;
  readonly attempts: CallBound;
}

/** What those stages are made with. */
interface ExtraInput {
  readonly steps: Omit<Often, 'least'>;
  readonly compared: Comparisons;
  readonly attempts: AttemptBounds;
  /** One attempt at each held-out task. */
  readonly heldOut: CallBound;
}

/** Each stage of a run that is there because an option says so. A comparison of epochs is the slow update's where there is one. */
export function extraBounds(
  input: RunBoundInput,
  { steps, compared, attempts, heldOut }: ExtraInput,
): readonly ExtraBound[] {
  const both = comparedBound(compared, attempts);
  const asked = (only: Partial<Comparisons>): CallBound => epochQuestions(input, { ...compared, ...only }, attempts);
  const guided = times(heldOut, guidedOften(compared, input.options));
  const all: readonly ExtraBound[] = [
    { stage: 'rewrite', questions: rewriteBound(input, steps), attempts: nothingAsked },
    { stage: 'edit-budget', questions: budgetQuestions(input, steps), attempts: nothingAsked },
    { stage: 'reminders', questions: reminderQuestions(input, steps), attempts: nothingAsked },
    {
      stage: 'slow-update',
      questions: asked({ notes: false }),
      attempts: compared.updates ? sumOfBounds([both, guided]) : nothingAsked,
    },
    { stage: 'meta-skill', questions: asked({ updates: false }), attempts: compared.updates ? nothingAsked : both },
  ];
  return all.filter(({ questions }) => callsOf(questions.most) > 0);
}

/** A stage of a run, and what it takes. */
export interface StageBound {
  readonly stage: StageCalls['stage'];
  readonly bound: CallBound;
}

/** The stages that ask anything, in calls, for a person. */
export function stageCallsOf(bounds: readonly StageBound[]): readonly StageCalls[] {
  return bounds
    .map(({ stage, bound: { usual, most } }) => {
      return { stage, usual: Math.ceil(callsOf(usual)), most: Math.ceil(callsOf(most)) };
    })
    .filter(({ most }) => most > 0);
}
