import assert from 'node:assert/strict';
import { originalCandidate, type Candidate } from '../../../src/engine/candidate.js';
import { leftOutOf, rejectedEdits } from '../../../src/engine/rejectedEdits.js';
import type { StepEnd } from '../../../src/engine/step.js';
import type { TrainingResult } from '../../../src/engine/train.js';
import type { Edit, EditOutcome } from '../../../src/skill/edits/edit.js';
import { aPatchEdit } from '../../builders/aPatch.js';
import { say } from '../../builders/aRunContext.js';

const nothing = { dropped: [], failed: [] };
const refused: EditOutcome = { kind: 'refused', reason: 'gaming', detail: 'It copies a task.' };
const unmatched: EditOutcome = { kind: 'unmatched', reason: 'anchor-missing', detail: 'Nowhere.' };

describe('what later runs are told not to try again', () => {
  it('is every edit that was tried and is not in the best skill, with the reason', () => {
    const trained = aTrained([step([say('a')]), step([say('b'), say('c')])], [say('b')]);
    assert.deepEqual(
      rejectedEdits(trained, nothing).map(({ content, reason }) => [content, reason]),
      [
        ['- Say “a”.', 'held-out tasks did not score higher with it'],
        ['- Say “c”.', 'held-out tasks did not score higher with it and 1 other edit'],
      ],
    );
  });

  it('is what did not help singly, and what was not certified', () => {
    const trained = aTrained([step([say('a'), say('b')])], [say('a'), say('b')]);
    const rows = rejectedEdits(trained, { dropped: [aPatchEdit(say('b'))], failed: [aPatchEdit(say('a'))] });
    assert.deepEqual(
      rows.map(({ reason }) => reason),
      ['training tasks did not score higher with it', 'fresh attempts at held-out tasks did not show a gain'],
    );
  });

  it('is what was refused, but not what found no place: its lesson was never tried', () => {
    const trained = aTrained([step([say('a')], refused), step([say('b')], unmatched)], []);
    assert.deepEqual(
      rejectedEdits(trained, nothing).map(({ content, reason }) => [content, reason]),
      [['- Say “a”.', 'It copies a task.']],
    );
    assert.equal(leftOutOf(trained).length, 2);
  });

  it('is nothing where an edit failed once and was taken later', () => {
    const trained = aTrained([step([say('a')]), step([say('a')])], [say('a')]);
    assert.deepEqual(rejectedEdits(trained, nothing), []);
  });
});

function step(edits: readonly Edit[], outcome: EditOutcome = { kind: 'applied' }): StepEnd {
  const report = edits.map((edit, index) => ({ index, edit, outcome }));
  const action = 'reject' as const;
  return {
    action,
    current: originalCandidate('text'),
    candidate: originalCandidate('text'),
    selection: undefined,
    trainingScore: 0,
    rollouts: [],
    report,
    history: { step: 1, action, failed: 1, attempted: 1, patterns: [], report },
  };
}

function aTrained(steps: readonly StepEnd[], kept: readonly Edit[]): TrainingResult {
  const original = originalCandidate('text');
  const best: Candidate = { ...original, edits: kept.map((edit) => aPatchEdit(edit)) };
  return { original, best, heldOut: undefined, stopped: 'epochs-done', steps, cap: undefined };
}
