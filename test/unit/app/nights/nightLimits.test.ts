import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { modelNames } from '../../../../src/app/models/runModels.js';
import { chooseModels } from '../../../../src/app/models/chooseModels.js';
import { capLeft, nightCapReached, staysHere } from '../../../../src/app/nights/nightLimits.js';

const nothing = { calls: 0, tokens: 0, usd: 0 };

describe('the cap of a night', () => {
  it('leaves each run what the runs before it did not use, within the run’s own cap', () => {
    const spent = { calls: 10, tokens: 500, usd: 0.2 };
    assert.deepEqual(capLeft({ tokens: 400 }, { calls: 15, tokens: 1000, usd: 1 }, spent), {
      calls: 5,
      tokens: 400,
      usd: 0.8,
    });
    assert.deepEqual(capLeft({}, undefined, spent), { calls: undefined, tokens: undefined, usd: undefined });
    assert.deepEqual(capLeft({ calls: 3 }, { calls: 5 }, { ...nothing, calls: 9 }).calls, 0);
  });

  it('is told in words once it is used up', () => {
    assert.equal(nightCapReached({ calls: 5 }, { ...nothing, calls: 5 }), 'the cap of this night of 5 calls');
    assert.equal(nightCapReached({ usd: 0.5 }, { ...nothing, usd: 0.6 }), 'the cap of this night of 0.50 USD');
    assert.equal(nightCapReached({ calls: 5 }, nothing), undefined);
    assert.equal(nightCapReached(undefined, nothing), undefined);
  });

  it('never gives a run more than the night or the run itself may have', () => {
    const cap = fc.option(fc.nat(1_000), { nil: undefined });
    fc.assert(
      fc.property(cap, cap, fc.nat(2_000), (own, night, spent) => {
        const { calls } = capLeft({ calls: own }, { calls: night }, { ...nothing, calls: spent });
        if (calls === undefined) return own === undefined && night === undefined;
        return calls <= (own ?? Infinity) && calls <= Math.max(0, (night ?? Infinity) - spent);
      }),
    );
  });
});

describe('what a night may do without consent to its models', () => {
  const cases: readonly (readonly [spec: string, staysHere: boolean])[] = [
    ['simulated', true],
    ['simulated?lapse=0.1&seed=2', true],
    ['http://127.0.0.1:4010/v1#simulated-1', false],
    ['https://llm.example/v1#simulated-1', false],
    ['https://llm.example/v1#simulated-1 (simulated)', false],
    ['https://llm.example/v1#large (simulated)', false],
  ];
  for (const [spec, expected] of cases) {
    it(`${spec} ${expected ? 'asks nobody' : 'is asked about'}, whatever it is called`, async () => {
      const specs = { target: spec, optimizer: undefined, judge: undefined };
      const names = modelNames(await chooseModels(specs, { environment: {}, fetch }));
      assert.equal(staysHere(names), expected);
      assert.equal(names.simulated, expected);
      if (expected) assert.equal(staysHere({ ...names, judge: 'custom/other' }), false);
    });
  }
});
