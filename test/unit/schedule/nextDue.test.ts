import assert from 'node:assert/strict';
import { parseSchedule } from '../../../src/schedule/cronExpression.js';
import { countNights, latestNight, nextNight, type NightPlan } from '../../../src/schedule/nextDue.js';

describe('nextNight', () => {
  const table: readonly {
    readonly name: string;
    readonly at: string;
    readonly zone: string;
    readonly after: string;
    readonly due: readonly string[];
  }[] = [
    {
      name: 'Berlin in spring: the day has 23 hours, 03:17 exists',
      at: '03:17',
      zone: 'Europe/Berlin',
      after: '2026-03-28T12:00:00Z',
      due: ['2026-03-29T01:17:00Z', '2026-03-30T01:17:00Z'],
    },
    {
      name: 'Berlin in spring: 02:30 does not exist and is due at 03:00',
      at: '02:30',
      zone: 'Europe/Berlin',
      after: '2026-03-28T12:00:00Z',
      due: ['2026-03-29T01:00:00Z', '2026-03-30T00:30:00Z'],
    },
    {
      name: 'Berlin in autumn: 02:30 comes twice and is due at its first coming',
      at: '02:30',
      zone: 'Europe/Berlin',
      after: '2026-10-24T12:00:00Z',
      due: ['2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z'],
    },
    {
      name: 'Berlin in autumn: between the two 02:30 the next night is tomorrow’s',
      at: '02:30',
      zone: 'Europe/Berlin',
      after: '2026-10-25T00:45:00Z',
      due: ['2026-10-26T01:30:00Z'],
    },
    {
      name: 'New York in spring: 02:30 does not exist and is due at 03:00',
      at: '02:30',
      zone: 'America/New_York',
      after: '2026-03-07T12:00:00Z',
      due: ['2026-03-08T07:00:00Z', '2026-03-09T06:30:00Z'],
    },
    {
      name: 'New York in autumn: 01:30 comes twice and is due once',
      at: '01:30',
      zone: 'America/New_York',
      after: '2026-10-31T12:00:00Z',
      due: ['2026-11-01T05:30:00Z', '2026-11-02T06:30:00Z'],
    },
    {
      name: 'Lord Howe in spring: half an hour is skipped, 02:15 is due at 02:30',
      at: '02:15',
      zone: 'Australia/Lord_Howe',
      after: '2026-10-03T00:00:00Z',
      due: ['2026-10-03T15:30:00Z', '2026-10-04T15:15:00Z'],
    },
    {
      name: 'Lord Howe in autumn: half an hour comes twice, 01:45 is due once',
      at: '01:45',
      zone: 'Australia/Lord_Howe',
      after: '2026-04-04T00:00:00Z',
      due: ['2026-04-04T14:45:00Z', '2026-04-05T15:15:00Z'],
    },
    {
      name: 'Havana in spring: midnight itself is skipped',
      at: '00:30',
      zone: 'America/Havana',
      after: '2026-03-07T12:00:00Z',
      due: ['2026-03-08T05:00:00Z', '2026-03-09T04:30:00Z'],
    },
    {
      name: 'weekdays only: from Friday to Monday',
      at: '17 3 * * 1-5',
      zone: 'UTC',
      after: '2026-06-05T12:00:00Z',
      due: ['2026-06-08T03:17:00Z', '2026-06-09T03:17:00Z'],
    },
    {
      name: 'a time that is due this very second is past',
      at: '03:17',
      zone: 'UTC',
      after: '2026-06-05T03:17:00Z',
      due: ['2026-06-06T03:17:00Z'],
    },
  ];
  for (const { name, at, zone, after, due } of table)
    it(name, () => {
      let from = Date.parse(after);
      for (const expected of due) {
        const night = nextNight(plan(at, zone), from, []);
        assert.equal(night && new Date(night.due).toISOString(), new Date(expected).toISOString());
        from = Date.parse(expected);
      }
    });

  it('passes over nights that are settled', () => {
    const settled = ['2026-06-06 03:17', '2026-06-07 03:17'];
    const night = nextNight(plan('03:17', 'UTC'), Date.parse('2026-06-05T12:00Z'), settled);
    assert.deepEqual(night, { key: '2026-06-08 03:17', due: Date.parse('2026-06-08T03:17Z') });
  });

  it('names a skipped time by its scheduled hour, so that the night keeps its key', () => {
    const night = nextNight(plan('02:30', 'Europe/Berlin'), Date.parse('2026-03-28T12:00Z'), []);
    assert.equal(night?.key, '2026-03-29 02:30');
  });
});

describe('latestNight', () => {
  const table: readonly (readonly [name: string, zone: string, at: string, now: string, key: string])[] = [
    ['counts a night that is due this millisecond', 'UTC', '03:17', '2026-06-05T03:17:00.000Z', '2026-06-05 03:17'],
    ['does not count one due a millisecond later', 'UTC', '03:17', '2026-06-05T03:16:59.999Z', '2026-06-04 03:17'],
    ['counts half a second after', 'UTC', '03:17', '2026-06-05T03:17:00.500Z', '2026-06-05 03:17'],
    ['finds a skipped time', 'Europe/Berlin', '02:30', '2026-03-29T01:00:00Z', '2026-03-29 02:30'],
    ['finds a doubled time in its second hour', 'Europe/Berlin', '02:30', '2026-10-25T01:30:00Z', '2026-10-25 02:30'],
  ];
  for (const [name, zone, at, now, key] of table)
    it(name, () => {
      assert.equal(latestNight(plan(at, zone), Date.parse(now))?.key, key);
    });
});

describe('countNights', () => {
  it('counts both ends, and stops where counting further tells nothing', () => {
    const daily = plan('03:17', 'Europe/Berlin');
    const first = Date.parse('2026-03-27T02:17Z');
    const last = Date.parse('2026-03-30T01:17Z');
    assert.equal(countNights(daily, first, last, 30), 4);
    assert.equal(countNights(daily, first, first, 30), 1);
    assert.equal(countNights(daily, first, Date.parse('2036-01-01T00:00Z'), 30), 30);
  });
});

function plan(at: string, timezone: string): NightPlan {
  return { cron: parseSchedule(at), timezone };
}
