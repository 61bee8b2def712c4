import assert from 'node:assert/strict';
import { UserError } from '../../../src/errors.js';
import { printCron } from '../../../src/schedule/cronExpression.js';
import { parseScheduleSettings } from '../../../src/schedule/scheduleSettings.js';

describe('parseScheduleSettings', () => {
  it('is off, at 03:17 of the machine’s zone, and asks about missed nights, unless told otherwise', () => {
    const settings = parseScheduleSettings(undefined, 'Asia/Tokyo');
    assert.equal(printCron(settings.cron), '17 3 * * *');
    assert.deepEqual(
      { ...settings, cron: undefined },
      { enabled: false, cron: undefined, timezone: 'Asia/Tokyo', catchUp: 'ask', excluded: [], onBattery: 'run' },
    );
  });

  it('takes every setting the person gave', () => {
    const settings = parseScheduleSettings(
      { enabled: true, at: '0 4 * * 1', timezone: 'Europe/Berlin', catchUp: 'run', excluded: ['a'], onBattery: 'skip' },
      'UTC',
    );
    assert.equal(printCron(settings.cron), '0 4 * * 1');
    assert.deepEqual(
      { ...settings, cron: undefined },
      { enabled: true, cron: undefined, timezone: 'Europe/Berlin', catchUp: 'run', excluded: ['a'], onBattery: 'skip' },
    );
  });

  const refused: readonly (readonly [name: string, raw: unknown, why: RegExp])[] = [
    ['a key it does not know', { hour: 3 }, /“hour” is no setting/u],
    ['a list', [], /must be an object/u],
    ['null', null, /must be an object/u],
    ['a switch in quotes', { enabled: 'true' }, /“enabled” must be true or false/u],
    ['a time that is a number', { at: 317 }, /“at” must be a text/u],
    ['an empty time', { at: ' ' }, /“at” must be a text/u],
    ['a zone that does not exist', { timezone: 'Europe/Atlantis' }, /“Europe\/Atlantis” is no time zone/u],
    ['a date that never comes', { at: '0 3 31 2 *' }, /never comes/u],
    ['an unknown policy', { catchUp: 'always' }, /one of ask, run, skip/u],
    ['an unknown battery rule', { onBattery: true }, /one of run, skip/u],
    ['an exclusion that is no list', { excluded: 'a' }, /list of texts/u],
    ['an exclusion with a number', { excluded: [1] }, /list of texts/u],
  ];
  for (const [name, raw, why] of refused)
    it(`refuses ${name}`, () => {
      assert.throws(
        () => parseScheduleSettings(raw, 'UTC'),
        (error: unknown) =>
          error instanceof UserError &&
          error.code === 'options-malformed' &&
          why.test(error.message) &&
          error.cure !== '',
      );
    });

  it('allows a date that comes only in leap years', () => {
    assert.equal(printCron(parseScheduleSettings({ at: '0 3 29 2 *' }, 'UTC').cron), '0 3 29 2 *');
  });
});
