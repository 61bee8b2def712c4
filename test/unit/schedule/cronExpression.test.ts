import assert from 'node:assert/strict';
import { UserError } from '../../../src/errors.js';
import { parseSchedule, printCron, timeOfDay } from '../../../src/schedule/cronExpression.js';

describe('parseSchedule', () => {
  const readable: readonly (readonly [text: string, printed: string])[] = [
    ['03:17', '17 3 * * *'],
    ['3:05', '5 3 * * *'],
    [' 23:59 ', '59 23 * * *'],
    ['17 3 * * *', '17 3 * * *'],
    ['17 3 * * 1-5', '17 3 * * 1,2,3,4,5'],
    ['17 3 * * MON-FRI', '17 3 * * 1,2,3,4,5'],
    ['0  4 1,15 * *', '0 4 1,15 * *'],
    ['0 4 */10 jan-mar *', '0 4 1,11,21,31 1,2,3 *'],
    ['0 4 * * 7', '0 4 * * 0'],
    ['0 4 * * 5-7', '0 4 * * 0,5,6'],
    ['0 4 * * */3', '0 4 * * 0,3,6'],
    ['0 4 1-31/7 6 sun', '0 4 1,8,15,22,29 6 0'],
  ];
  for (const [text, printed] of readable)
    it(`reads “${text}”`, () => {
      assert.equal(printCron(parseSchedule(text)), printed);
    });

  const refused: readonly (readonly [text: string, why: RegExp])[] = [
    ['', /neither a time nor five fields/u],
    ['noon', /neither a time nor five fields/u],
    ['17 3 * *', /neither/u],
    ['0 17 3 * * *', /neither/u],
    ['@daily', /neither/u],
    ['25:00', /“25” is no hour/u],
    ['12:60', /“60” is no minute/u],
    ['*/5 3 * * *', /minute must be one number.*at most once a day/u],
    ['0 1,2 * * *', /hour must be one number/u],
    ['0 3 0 * *', /“0” is no day of the month/u],
    ['0 3 L * *', /“L” is no day/u],
    ['0 3 * 13 *', /“13” is no month/u],
    ['0 3 * * 5-1', /runs backwards/u],
    ['0 3 */0 * *', /step/u],
    ['0 3 * * someday', /“someday” is no weekday/u],
    ['0 3 1,,2 * *', /“” is no day/u],
  ];
  for (const [text, why] of refused)
    it(`refuses “${text}” and says how to write one`, () => {
      assert.throws(
        () => parseSchedule(text),
        (error: unknown) => error instanceof UserError && why.test(error.message) && error.cure.includes('03:17'),
      );
    });

  it('tells the time of day in two digits each', () => {
    assert.equal(timeOfDay(parseSchedule('5 3 * * *')), '03:05');
  });
});
