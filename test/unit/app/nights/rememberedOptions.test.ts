import assert from 'node:assert/strict';
import { rememberedOptions } from '../../../../src/app/nights/rememberedOptions.js';
import { resolveOptions } from '../../../../src/engine/runOptions.js';

/** As the first nights were remembered. What is added to the options from now on must not show here. */
const first = {
  train: { epochs: 4, batchSize: 40, attempts: 1, seed: 42 },
  reflect: { minibatchSize: 8, analysts: 16, failureOnly: false, contrastTasks: 6 },
  merge: { batchSize: 8 },
  edits: { budget: 4, minimum: 2, schedule: 'cosine', scope: 'body' },
  gate: { rule: 'confident', metric: 'hard', mixedWeight: 0.5, noRegression: false, attribution: true },
  stop: { patience: 2 },
  caps: {},
  judge: { repeats: 1 },
  consolidate: { skill: true, memory: false, variants: 0, recall: 0 },
  concurrency: 16,
  preferences: '',
  inlineReferences: false,
};

describe('the options that a night is remembered by', () => {
  it('are what they were before options were added', () => {
    assert.deepEqual(rememberedOptions(resolveOptions('standard', [])), first);
  });

  const said: readonly (readonly [name: string, layer: Readonly<Record<string, unknown>>])[] = [
    ['edits.code', { edits: { code: true } }],
    ['edits.growth', { edits: { growth: 0 } }],
    ['reflect.skillAware', { reflect: { skillAware: true } }],
    ['reflect.reminders', { reflect: { reminders: 5 } }],
    ['train.accumulation', { train: { accumulation: 2 } }],
    ['edits.control', { edits: { control: 'autonomous' } }],
    ['edits.mode', { edits: { mode: 'rewrite_from_suggestions' } }],
    ['answers', { answers: { target: 9_000 } }],
    ['answers.rewrite', { answers: { rewrite: 32_000 } }],
    ['answers.more', { answers: { more: 1 } }],
    ['reflect.trajectoryTokens', { reflect: { trajectoryTokens: 0 } }],
    ['thinking', { thinking: { judge: 500 } }],
    ['timeouts', { timeouts: { judge: 30 } }],
  ];
  for (const [name, layer] of said) {
    it(`tell what the person says of ${name}`, () => {
      assert.notDeepEqual(rememberedOptions(resolveOptions('standard', [layer])), first);
    });
  }
});
