import { strict as assert } from 'node:assert';
import { measuredPower, powerOf } from '../../../../src/gate/statistics/power.js';

describe('what a task set can detect', () => {
  it('lies between its measured neighbours', () => {
    const { found20 } = powerOf(13);
    assert.ok(found20 > powerOf(12).found20 && found20 < powerOf(14).found20);
  });

  it('is what was measured where it was measured, and nothing below five tasks', () => {
    for (const row of measuredPower) assert.deepEqual(powerOf(row.n), row);
    assert.deepEqual(powerOf(4), { n: 4, found20: 0, found40: 0 });
  });

  it('is a share that rises with the tasks, but for the step at twelve, and is higher for a higher gain', () => {
    for (const [at, { n, found20, found40 }] of measuredPower.entries()) {
      assert.ok(0 < found20 && found20 < found40 && found40 <= 1, `${n} tasks`);
      const before = measuredPower[at - 1];
      if (before === undefined) continue;
      assert.ok(n > before.n && found40 >= before.found40, `${n} tasks`);
      assert.ok(found20 > before.found20 || n === 12, `${n} tasks`);
    }
  });
});
