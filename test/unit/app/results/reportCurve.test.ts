import assert from 'node:assert/strict';
import { curveOf } from '../../../../src/app/results/reportCurve.js';
import { heatOf } from '../../../../src/app/results/reportHeat.js';
import type { RunEvent } from '../../../../src/engine/journal/runEvents.js';
import type { StepSummary } from '../../../../src/engine/journal/runSummary.js';
import type { GateMetric } from '../../../../src/gate/verdict/verdict.js';
import { anAttemptAt } from '../../../builders/runEvents.js';

/** The first candidate is taken after one of two tasks, and tried on the other while step 2 looks for a better one. */
const attempts = [
  anAttemptAt('baseline', 0, { of: 'original', at: 'a', hard: 0 }),
  anAttemptAt('baseline', 0, { of: 'original', at: 'b', hard: 0 }),
  anAttemptAt('evaluate', 1, { of: 'first', at: 'a', hard: 1 }),
  anAttemptAt('evaluate', 2, { of: 'first', at: 'b', hard: 0 }),
  anAttemptAt('evaluate', 2, { of: 'second', at: 'a', hard: 0 }),
  anAttemptAt('certify', 2, { of: 'first', at: 'b', hard: 1 }),
];

describe('the score over the steps of a report', () => {
  it('is of each candidate over every task that the table of tasks by step shows for it', () => {
    const events = [...attempts, ...stepEnds('hard')];
    assert.deepEqual(figures(events), [
      { candidate: 0, on: 2, best: 0, bestOn: 2 },
      { candidate: 0.5, on: 2, best: 0.5, bestOn: 2 },
      { candidate: 0, on: 1, best: 0.5, bestOn: 2 },
    ]);
    const { columns, rows } = heatOf(events);
    const at = columns.findIndex(({ label }) => label === 'step 1, candidate');
    assert.deepEqual(
      rows.map(({ scores }) => scores[at]),
      [1, 0],
    );
  });

  it('is the score of the metric that the steps were decided by', () => {
    const halves = attempts.map((event) => ({ ...event, outcome: { kind: 'scored' as const, hard: 0, soft: 0.5 } }));
    assert.equal(figures([...halves, ...stepEnds('soft')])[1]?.candidate, 0.5);
  });

  it('is what the step wrote down where the journal alone does not tell it', () => {
    const stored = { candidate: 1, on: 1, best: 1, bestOn: 1 };
    assert.deepEqual(figures([...attempts, ...stepEnds('mixed')])[1], stored, 'the weight is not written down');
    const beside = attempts.map((event) => ({ ...event, memoryHash: 'memory' }));
    assert.deepEqual(figures([...beside, ...stepEnds('hard')])[1], stored, 'a memory file was read beside it');
    assert.deepEqual(figures([])[1], stored, 'the journal is gone');
  });
});

function figures(events: readonly RunEvent[]) {
  return curveOf({ steps }, events).map(({ candidate, best, scoredOn }) => {
    return { candidate, on: scoredOn?.candidate, best, bestOn: scoredOn?.best };
  });
}

const on = { training: 1, trainingTasks: 1, original: 2, current: 1, heldOutTasks: 2 };
const step1 = { step: 1, epoch: 1, trainingScore: 0, reason: '', originalScore: 0 };
const steps: readonly StepSummary[] = [
  {
    ...step1,
    action: 'accept_new_best',
    decision: 'accept_new_best',
    candidateScore: 1,
    currentScore: 1,
    bestScore: 1,
    scoredOn: { ...on, candidate: 1, best: 1 },
  },
  {
    ...step1,
    step: 2,
    action: 'reject',
    decision: 'reject',
    candidateScore: 0,
    currentScore: 0.5,
    bestScore: 0.5,
    scoredOn: { ...on, candidate: 1, best: 2 },
  },
];

function stepEnds(metric: GateMetric): readonly RunEvent[] {
  return steps.flatMap(({ decision, ...step }) => [
    {
      kind: 'applied',
      step: step.step,
      applied: 1,
      unmatched: 0,
      refused: 0,
      candidateHash: step.step === 1 ? 'first' : 'second',
      reportHash: '',
    },
    { ...step, kind: 'step-ended', action: decision, metric, bestHash: 'first', currentHash: 'first' },
  ]);
}
