import { strict as assert } from 'node:assert';
import { groups } from '../../bench/gate/bars.js';
import { taskCounts } from '../../bench/gate/cells.js';
import { fullScale, smallScale } from '../../bench/gate/finding.js';

const full = process.env['WHETSTONE_FULL'] === '1';

describe(full ? 'the gate, every bar in full' : 'the gate, one small case of every bar', () => {
  const onlyInFull = new Set(taskCounts.filter((n) => !smallScale.tasks.includes(n)).map((n) => `${n} tasks`));
  for (const [name, run] of Object.entries(groups)) {
    if (!full && onlyInFull.has(name)) continue;
    it(`holds the bars of: ${name}`, function () {
      this.timeout(full ? 600_000 : 180_000);
      const { findings } = run(full ? fullScale : smallScale);
      assert.ok(findings.length > 0, 'a group without a bar proves nothing');
      assert.deepEqual(
        findings.filter((finding) => !finding.holds),
        [],
      );
    });
  }
});
