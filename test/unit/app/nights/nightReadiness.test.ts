import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { macPower, powerSource } from '../../../../src/app/nights/nightReadiness.js';

interface Supply {
  readonly type: string;
  readonly online?: string;
  readonly status?: string;
  readonly scope?: string;
}

const rows: readonly { readonly name: string; readonly supplies: readonly Supply[]; readonly power: string }[] = [
  {
    name: 'a laptop on its charger',
    supplies: [
      { type: 'Mains', online: '1' },
      { type: 'Battery', status: 'Charging' },
    ],
    power: 'mains',
  },
  {
    name: 'a laptop on the train',
    supplies: [
      { type: 'Mains', online: '0' },
      { type: 'Battery', status: 'Discharging' },
    ],
    power: 'battery',
  },
  { name: 'a full battery without a listed charger', supplies: [{ type: 'Battery', status: 'Full' }], power: 'mains' },
  {
    name: 'a mouse with a battery',
    supplies: [{ type: 'Battery', status: 'Discharging', scope: 'Device' }],
    power: 'unknown',
  },
  { name: 'a server', supplies: [], power: 'unknown' },
];

describe('where the power comes from', () => {
  for (const { name, supplies, power } of rows) {
    it(`${name}: ${power}`, async () => {
      const folder = mkdtempSync(path.join(os.tmpdir(), 'whetstone-power-'));
      try {
        for (const [index, supply] of supplies.entries()) {
          mkdirSync(path.join(folder, `S${index}`));
          for (const [field, value] of Object.entries(supply))
            writeFileSync(path.join(folder, `S${index}`, field), `${value}\n`);
        }
        assert.equal(await powerSource('linux', folder), power);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  }

  it('is read from what macOS says', () => {
    assert.equal(macPower("Now drawing from 'Battery Power'\n -InternalBattery-0 58%"), 'battery');
    assert.equal(macPower("Now drawing from 'AC Power'"), 'mains');
    assert.equal(macPower(''), 'unknown');
  });

  it('is unknown where the machine does not tell, which stops nothing', async () => {
    assert.equal(await powerSource('linux', '/no/such/folder'), 'unknown');
    assert.equal(await powerSource('aix'), 'unknown');
  });
});
