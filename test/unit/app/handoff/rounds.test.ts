import assert from 'node:assert/strict';
import { handoffModel, namesHandoff } from '../../../../src/app/handoff/handoffSpec.js';
import { handoffDefaults, handoffSizeOf } from '../../../../src/app/handoff/rounds.js';
import { nameOf } from '../../../../src/app/models/runModels.js';
import { specOfName } from '../../../../src/app/models/specOfName.js';
import { nothingAsked } from '../../../../src/app/runs/bound/callBound.js';
import { resolveOptions } from '../../../../src/engine/runOptions.js';
import { createSimulatedModel } from '../../../../src/simulated/simulatedModel.js';
import { aSplit } from '../../../builders/aSplit.js';

const hand = handoffModel('handoff');
const other = createSimulatedModel();
const all = { target: hand, optimizer: hand, judge: hand };

describe('how often somebody is asked who answers by hand', () => {
  it('is at most six times under the strict rule, also where they judge', () => {
    assert.deepEqual(rounds({ gate: { rule: 'strict' } }), { usual: 3, most: 3 });
    assert.deepEqual(rounds({ gate: { rule: 'strict' } }, all, true), { usual: 5, most: 5 });
  });

  it('is more where the answer stays open, and by as much as the person wants', () => {
    assert.deepEqual(rounds({}), { usual: 4, most: 7 });
    assert.ok((rounds({ train: { epochs: 4 }, reflect: { failureOnly: false } })?.most ?? 0) > 15);
  });

  it('tells whether no server is asked at all', () => {
    assert.deepEqual([sizeOf({}, all)?.wholly, sizeOf({}, { ...all, judge: other })?.wholly], [true, false]);
  });

  it('is once for an optimizer alone, and never where models answer', () => {
    assert.deepEqual(rounds({ gate: { rule: 'strict' } }, { target: other, optimizer: hand, judge: other }), {
      usual: 1,
      most: 1,
    });
    assert.equal(rounds({}, { target: other, optimizer: other, judge: other }), undefined);
  });
});

describe('the name of whoever answers by hand', () => {
  it('is the model’s, and comes back from what a run wrote down', () => {
    assert.equal(nameOf(hand), 'handoff');
    assert.equal(nameOf(handoffModel('handoff/claude.ai')), 'handoff/claude.ai');
    for (const spec of ['handoff', 'handoff/claude.ai']) assert.equal(specOfName(spec), spec);
    assert.deepEqual(['handoff', 'handoff/x', 'handoffs', 'openai/x'].map(namesHandoff), [true, true, false, false]);
    for (const spec of ['handoff/', 'handoff/../x', 'handoff/a b']) {
      assert.throws(() => handoffModel(spec), { code: 'model-not-chosen' });
    }
  });
});

function rounds(settings: object, models = all, judged = false) {
  return sizeOf(settings, models, judged)?.rounds;
}

function sizeOf(settings: object, models = all, judged = false) {
  const split = aSplit({ training: 12, heldOut: 8, sealed: 2 });
  const wanted = judged
    ? { ...split, training: split.training.map((task) => ({ ...task, expectations: ['It is kind.'] })) }
    : split;
  return handoffSizeOf(resolveOptions('standard', [handoffDefaults, { ...settings }]), wanted, models, nothingAsked);
}
