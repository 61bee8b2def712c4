import assert from 'node:assert/strict';
import { withWorkers } from '../../../../src/app/options/workers.js';
import { resolveOptions } from '../../../../src/engine/runOptions.js';

describe('WHETSTONE_WORKERS', () => {
  it('says how many calls go on at the same time, over the workspace and under --set', () => {
    assert.equal(concurrencyWith('4'), 4);
    assert.equal(concurrencyWith(' 1 '), 1);
    assert.equal(concurrencyWith('4', { concurrency: 2 }), 2);
  });

  it('says nothing where it is not set', () => {
    assert.equal(concurrencyWith(undefined), 9);
    assert.equal(concurrencyWith(''), 9);
  });

  for (const wrong of ['0', '-1', 'many', '1.5', '257', '1e2'])
    it(`is refused as ${wrong}, with what it takes`, () => {
      assert.throws(
        () => concurrencyWith(wrong),
        /WHETSTONE_WORKERS is “.*”, and it takes a whole number from 1 to 256/,
      );
    });
});

function concurrencyWith(said: string | undefined, ...settings: readonly object[]): number {
  const request = { preset: 'standard' as const, settings: settings.map((each) => ({ ...each })) };
  const { settings: layers } = withWorkers({ environment: { WHETSTONE_WORKERS: said } }, request);
  return resolveOptions('standard', [{ concurrency: 9 }, ...layers]).concurrency;
}
