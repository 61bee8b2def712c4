import assert from 'node:assert/strict';
import { learnedLeaks } from '../../../../src/engine/leakedTasks.js';
import { sameTextKey, storedTextKeys } from '../../../../src/tasks/split/nearDuplicates.js';
import { emptyAssignment } from '../../../../src/tasks/split/splitFile.js';
import { splitTasks } from '../../../../src/tasks/split/splitTasks.js';
import { aHeldOutTask, aTask } from '../../../builders/aTask.js';

const files = ['b.txt', 'a.txt'];
const keyOf = (prompt: string): string => sameTextKey({ prompt, context: undefined, files });

describe('the key of a text, which is stored', () => {
  const golden: readonly (readonly [string, string | undefined, string])[] = [
    ['Summarise the incident, please: naïve café №5!', undefined, 'b85456cc6a7a313cfb5e5727a02543b2'],
    ['请就遗产提供建议。', undefined, '7fc8afccb092668f40ac23af5fa16c5a'],
    ['สวัสดีครับ ช่วยเขียนจดหมาย', undefined, 'dfb7768ef3fae4add1a316436803c4c0'],
    ['Tabs\tand\r\nlines', 'Some context.', '91a9ea2a0de181fc18693fee8bca156c'],
    ['???', undefined, 'e998021dd38df5c0e5f6c5f69b724fea'],
  ];
  for (const [prompt, context, key] of golden) {
    it(`is what it was for ${JSON.stringify(prompt)}`, () => {
      assert.equal(sameTextKey({ prompt, context, files }), key);
      assert.deepEqual(storedTextKeys({ prompt, context, files }), [key]);
    });
  }

  it('does not change with what nobody sees', () => {
    assert.equal(keyOf('Where do bad\u{ad}gers sl\u200Beep?'), keyOf('Where do badgers sleep?'));
    assert.equal(keyOf('?\u3164??'), keyOf('???'));
  });

  const earlier: readonly (readonly [string, string])[] = [
    ['I ❤\uFE0F this', '7ccd4905eb38ef136e5f17774f6a1696'],
    ['می\u200Cخواهم بروم', 'fad77e74d267414200dfb4394adeaacb'],
  ];
  for (const [prompt, key] of earlier) {
    it(`of an earlier version is known of ${JSON.stringify(prompt)}`, () => {
      assert.ok(storedTextKeys({ prompt, context: undefined, files }).includes(key));
      const { split } = splitTasks([aTask({ prompt, files })], emptyAssignment, new Set([key]));
      assert.equal(split.training.length, 1);
      const heldOut = [aHeldOutTask({ prompt, files })];
      assert.equal(learnedLeaks(heldOut, { trainedOn: [key], documents: [] }).length, 1);
    });
  }
});
