import assert from 'node:assert/strict';
import { measureSizeOf } from '../../../../../src/app/runs/bound/measureBound.js';
import { RunOptions } from '../../../../../src/engine/runOptions.js';
import type { ModelIdentity } from '../../../../../src/ports/languageModel.js';
import { aSplit } from '../../../../builders/aSplit.js';
import { ScriptedModel } from '../../../../fakes/ScriptedModel.js';

const priced = { provider: 'openai', model: 'gpt-5-mini' };

describe('what measuring a text may cost', () => {
  const eight = aSplit({ heldOut: 8 }).heldOut;
  const judged = aSplit({ heldOut: 8 }, (_side, index) => ({ expectations: index < 4 ? ['It is kind.'] : [] })).heldOut;
  const rows: readonly (readonly [string, Parameters<typeof price>[0], { low: number; high: number } | undefined])[] = [
    ['from one pass to eight for a gain', {}, { low: 16, high: 256 }],
    ['up to sixteen for a text that gets shorter', { after: '' }, { low: 16, high: 512 }],
    ['with the calls of the judge', { heldOut: judged }, { low: 24, high: 384 }],
    ['one pass by the strict rule, less where the answer is known early', { rule: 'strict' }, { low: 9, high: 32 }],
    ['no second try where answers are given no more room', { more: 1 }, { low: 16, high: 128 }],
    ['the sealed tasks once under both', { sealed: 3 }, { low: 22, high: 268 }],
    ['the sealed tasks alone with too few others', { heldOut: eight.slice(0, 4), sealed: 3 }, { low: 6, high: 12 }],
    ['nothing with the gate off', { rule: 'off', sealed: 3 }, undefined],
    ['nothing with too few tasks', { heldOut: eight.slice(0, 4) }, undefined],
  ];
  for (const [name, given, calls] of rows) {
    it(`is ${name}`, async () => assert.deepEqual((await price(given))?.calls, calls));
  }

  it('is a range of money too, where the prices are known: every answer as long as it may be', async () => {
    const usd = (await price({}))?.usd;
    const answers = (8 * 16 * (4_096 + 4 * 4_096) * 2) / 1e6;
    assert.ok(usd !== undefined && usd.low > 0 && usd.high > answers, JSON.stringify(usd));
    assert.equal((await price({ target: {} }))?.usd, undefined);
  });

  it('knows a claim of a gain where training tasks told it', async () => {
    const shorter = { after: '', onTraining: 'higher' as const };
    assert.equal((await price(shorter))?.calls.high, 256);
    assert.equal((await price({ ...shorter, onTraining: 'equal' }))?.calls.high, 512);
  });

  it('sees that skill and memory together get shorter', async () => {
    const memory = { before: 'Remember much of it.', after: '' };
    assert.equal((await price({ memory }))?.calls.high, 512);
  });

  function price(given: {
    readonly heldOut?: typeof eight;
    readonly sealed?: number;
    readonly after?: string;
    readonly memory?: { readonly before: string; readonly after: string };
    readonly onTraining?: 'higher' | 'equal';
    readonly rule?: 'confident' | 'strict' | 'off';
    readonly more?: number;
    readonly target?: Partial<ModelIdentity>;
  }) {
    const options = RunOptions.parse({ gate: { rule: given.rule ?? 'confident' }, answers: { more: given.more ?? 4 } });
    const other = new ScriptedModel(priced);
    const models = { target: new ScriptedModel(given.target ?? priced), judge: other, optimizer: other };
    const { heldOut = eight, memory, onTraining } = given;
    const texts = {
      before: { skill: 'Answer.', memory: memory?.before },
      after: { skill: given.after ?? 'Answer in words.', memory: memory?.after },
      onTraining,
      sealed: aSplit({ sealed: given.sealed ?? 0 }).sealed,
    };
    return measureSizeOf({ heldOut, folder: '', programs: new Map(), options, models, prices: undefined }, texts);
  }
});
