import assert from 'node:assert/strict';
import { originalCandidate, type Candidate } from '../../../src/engine/candidate.js';
import { leftOutOf, rejectedEdits, stillRejected } from '../../../src/engine/rejectedEdits.js';
import type { Selection } from '../../../src/engine/stages/gate.js';
import type { StepEnd } from '../../../src/engine/step.js';
import type { TrainingResult } from '../../../src/engine/train.js';
import type { Verdict } from '../../../src/gate/verdict/verdict.js';
import type { Edit, EditOutcome } from '../../../src/skill/edits/edit.js';
import { aPatchEdit } from '../../builders/aPatch.js';
import { someFigures } from '../../builders/aReviewProposal.js';
import { say } from '../../builders/aRunContext.js';
import { aTask } from '../../builders/aTask.js';

const heldOut = [aTask({ prompt: 'One.' }), aTask({ prompt: 'Two.' })];
const nothing = { dropped: [], failed: [], heldOut };
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
    const rows = rejectedEdits(trained, { dropped: [aPatchEdit(say('b'))], failed: [aPatchEdit(say('a'))], heldOut });
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

describe('what later runs may try again once there are new held-out tasks', () => {
  const unmoved = new Set<string>();
  const grown = [...heldOut, aTask({ prompt: 'Three.' })];
  const tasks = 'Not shown to be better across tasks: 7 held-out tasks went from 70 % to 100 % in 8 passes';
  const verdicts: readonly (readonly [string, Verdict, boolean])[] = [
    ['too few of the tasks carried it', rejected(0.3, `${tasks}, but too few of the tasks carry it.`), true],
    ['luck gives the gain often enough', rejected(0.05, `${tasks}, which luck gives often enough.`), true],
    ['held-out tasks fell', rejected(-0.05, `${tasks}, which luck gives often enough.`), false],
    [
      'a task got worse',
      rejected(0.2, 'Better on average, but worse beyond noise on a, and no task may get worse.'),
      false,
    ],
  ];
  for (const [why, verdict, isOpen] of verdicts)
    it(`is ${isOpen ? '' : 'not '}what was not certified because ${why}`, () => {
      const trained = aTrained([step([say('a')])], [say('a')]);
      const rows = rejectedEdits(trained, { ...nothing, failed: [aPatchEdit(say('a'))], verdict });
      assert.deepEqual(stillRejected(rows, heldOut, unmoved), rows, 'nothing is new');
      assert.deepEqual(stillRejected(rows, grown, unmoved), isOpen ? [] : rows);
    });

  const selections: readonly (readonly [string, Selection, boolean])[] = [
    ['the same', selected('equal'), true],
    ['lower', selected('lower'), false],
    ['higher, with one that got worse', { ...selected('higher'), worse: ['task'] }, false],
  ];
  for (const [how, selection, isOpen] of selections)
    it(`is ${isOpen ? '' : 'not '}what a step did not take where held-out tasks scored ${how}`, () => {
      const rows = rejectedEdits(aTrained([{ ...step([say('a')]), selection }], []), nothing);
      assert.deepEqual(stillRejected(rows, grown, unmoved), isOpen ? [] : rows);
    });

  it('is never what the law of edits refused, nor what an earlier version noted', () => {
    const rows = rejectedEdits(aTrained([{ ...step([say('a')], refused), selection: selected('equal') }], []), nothing);
    assert.deepEqual(stillRejected(rows, grown, unmoved), rows);
  });

  it('is nothing for a task that only its marks tell from a known one, nor for one that was moved there', () => {
    const verdict = rejected(0.3, `${tasks}, but too few of the tasks carry it.`);
    const failed = [aPatchEdit(say('a'))];
    const rows = rejectedEdits(aTrained([step([say('a')])], [say('a')]), { ...nothing, failed, verdict });
    const [, , third] = grown;
    assert.deepEqual(stillRejected(rows, [...heldOut, aTask({ id: 'again', prompt: 'ONE!' })], unmoved), rows);
    assert.deepEqual(stillRejected(rows, grown, new Set([third?.contentHash ?? ''])), rows);
    assert.deepEqual(stillRejected(rows, heldOut.slice(1), unmoved), rows, 'fewer are not new');
  });
});

function rejected(difference: number, reason: string): Verdict {
  return { kind: 'rejected', reason, figures: someFigures({ difference }) };
}

function selected(outcome: Selection['outcome']): Selection {
  return { outcome, before: 0.5, after: 0.5, open: [] };
}

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
