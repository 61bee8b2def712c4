import assert from 'node:assert/strict';
import { describeTime } from '../../../src/wording/describeTime.js';
import { english } from '../../../src/wording/translate.js';

describe('describeTime', () => {
  const now = '2026-10-24T22:30:00Z'; // half past midnight of the 25th in Berlin, the day the clocks go back
  const table: readonly (readonly [at: string, zone: string, said: string])[] = [
    ['2026-10-25T01:17:00Z', 'Europe/Berlin', 'today 02:17'],
    ['2026-10-25T02:17:00Z', 'Europe/Berlin', 'today 03:17'],
    ['2026-10-26T02:17:00Z', 'Europe/Berlin', 'tomorrow 03:17'],
    ['2026-10-24T01:17:00Z', 'Europe/Berlin', 'yesterday 03:17'],
    ['2026-10-25T03:17:00Z', 'UTC', 'tomorrow 03:17'],
    ['2026-10-24T00:05:00Z', 'UTC', 'today 00:05'],
    ['2026-10-28T02:17:00Z', 'Europe/Berlin', 'on Wed 28 Oct 03:17'],
    ['2027-01-04T02:17:00Z', 'Europe/Berlin', 'on Mon 4 Jan 03:17'],
  ];
  for (const [at, zone, said] of table)
    it(`says “${said}” in ${zone}`, () => {
      assert.equal(describeTime(Date.parse(at), { now: Date.parse(now), timezone: zone }, english), said);
    });
});
