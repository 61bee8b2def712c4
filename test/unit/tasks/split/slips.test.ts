import assert from 'node:assert/strict';
import { atOnce } from '../../../../src/tasks/steps.js';
import { similarHeldOut } from '../../../../src/tasks/split/similarHeldOut.js';
import { slipsAmong } from '../../../../src/tasks/split/slips.js';
import { emptyAssignment } from '../../../../src/tasks/split/splitFile.js';
import { splitTasks, type SplitResult } from '../../../../src/tasks/split/splitTasks.js';
import type { TaskSource } from '../../../../src/tasks/makeTask.js';
import type { Task } from '../../../../src/tasks/task.js';
import { aCheck, aTask } from '../../../builders/aTask.js';
import { assertLinear } from '../../../builders/linearTime.js';

const sentence = 'Please tell me where the old grey badger sleeps during a cold winter night near the river';
const chinese = '请告诉我那只年老的灰色獾在寒冷的冬夜里会睡在河边的什么地方，并说明它为什么不怕寒冷和大雪';
const words =
  'otter heron lynx moose raven stork tapir wombat gecko hyena ibis jaguar kiwi lemur newt okapi puma quail seal tiger viper walrus xerus yak zebra bison crane dingo emu finch'.split(
    ' ',
  );

describe('thirty copies of one sentence', () => {
  const slips: readonly (readonly [string, (copy: number) => string])[] = [
    ...[
      0x00ad, 0xfe0f, 0x200b, 0x3164, 0x115f, 0x1160, 0xffa0, 0x034f, 0x2060, 0x200c, 0xe0061, 0x180b, 0x2062, 0x0001,
    ].map((code): (typeof slips)[number] => [
      `U+${code.toString(16).toUpperCase().padStart(4, '0')} inside words`,
      (copy) => spelt(sentence, copy, String.fromCodePoint(code)),
    ]),
    ['a hyphen inside words', (copy) => spelt(sentence, copy, '-')],
    ['an apostrophe inside words', (copy) => spelt(sentence, copy, '’')],
    ['a space inside words', (copy) => spelt(sentence, copy, ' ')],
    ['a letter too many in words', (copy) => spelt(sentence, copy, 'x')],
    ['a running number', (copy) => `${sentence} (ref ${8000 + copy * 37})`],
    ['a running number that hangs on a word', (copy) => `${sentence}, ticket${copy}`],
    ['a running number and a letter too many', (copy) => `${spelt(sentence, copy, 'x')} (ref ${8000 + copy * 37})`],
    ['a running number in Chinese', (copy) => `${chinese}（编号${8000 + copy}）`],
  ];
  for (const [name, text] of slips) {
    it(`are one task that proves nothing about itself, told apart by ${name}`, () => {
      const { split } = splitOf(copies(30, (copy) => ({ prompt: text(copy) })));
      const sidesInUse = [split.training, split.heldOut, split.sealed].filter((side) => side.length > 0);
      assert.equal(sidesInUse.length, 1);
    });
  }

  it('are one task also where a typo stands in the first letter', () => {
    const [first, second] = [sentence, sentence.replace('badger', 'padger')];
    const texts = [first, second, ...words.slice(0, 8).map((word) => sentence.replace('badger', word))];
    assert.ok(bonds(texts.map((prompt) => ({ prompt }))).some((bond) => bond.includes(0) && bond.includes(1)));
  });
});

describe('a family of tasks', () => {
  const families: readonly (readonly [string, (word: string, index: number) => Partial<TaskSource>])[] = [
    ['that convert numbers', (_, index) => ({ prompt: `Convert ${index + 3} km to miles` })],
    ['that share a long instruction', (word) => ({ prompt: `${sentence}, and then the same of a ${word}.` })],
    [
      'whose numbers have answers of their own',
      (_, index) => ({ prompt: `${sentence}: ${index}`, checks: [aCheck('exact', { text: String(index * 7) })] }),
    ],
    [
      'whose numbers have expectations of their own',
      (_, index) => ({ prompt: `${sentence}: ${index}`, checks: [], expectations: [`It says ${index}.`] }),
    ],
    [
      'with one number that a judge looks at',
      (_, index) => ({ prompt: `${sentence}: ${index}`, checks: [aCheck('rubric', { question: 'Is it right?' })] }),
    ],
    ['with two numbers', (_, index) => ({ prompt: `${sentence}: ${index * 17} and ${index * 23}` })],
    ['with files of their own', (word) => ({ prompt: sentence, files: [`${word}.txt`] })],
    ['with short words that differ in a letter', (_, index) => ({ prompt: `Say a${String.fromCharCode(97 + index)}` })],
    [
      'of numbers in neighbouring places',
      (_, index) => ({ prompt: `Add ${String(2 ** 20 + index).slice(0, 3)} ${String(2 ** 20 + index).slice(3)}` }),
    ],
  ];
  for (const [name, make] of families) {
    it(`is usable on every side: one ${name}`, () => {
      const tasks = words.slice(0, 25).map((word, index) => aTask({ id: word, ...make(word, index) }));
      const { split, leaks } = splitTasks(tasks, emptyAssignment);
      assert.deepEqual([split.training.length, split.heldOut.length, split.sealed.length], [10, 10, 5]);
      assert.deepEqual(leaks, []);
    });
  }

  it('whose numbers alone tell held-out from training tasks is named, for it proves less', () => {
    const told = similarHeldOut(splitOf(copies(30, (copy) => ({ prompt: `Convert ${copy} km to miles` }))));
    assert.equal(told.length, 1);
    assert.match(
      told[0] ?? '',
      /^Only numbers tell them from training tasks: the held-out tasks “copy-\d+”, .* and 8 more\. /,
    );
  });

  it('whose numbers change what is right is not', () => {
    const tasks = copies(30, (copy) => ({ prompt: `Double ${copy} for me`, expectedOutput: `${copy * 2}` }));
    assert.deepEqual(similarHeldOut(splitOf(tasks)), []);
  });

  it('of held-out tasks alone is named too, and one with a single held-out task is not', () => {
    const [a, b, c] = copies(3, (copy) => ({ prompt: `Convert ${copy} km to miles` }));
    assert.ok(a !== undefined && b !== undefined && c !== undefined);
    const both = splitOf([
      { ...a, assigned: 'heldOut' },
      { ...b, assigned: 'heldOut' },
    ]);
    assert.match(similarHeldOut(both).join(), /^Only numbers tell them apart: the held-out tasks “copy-/);
    const one = splitOf([
      { ...a, assigned: 'heldOut' },
      { ...c, assigned: 'sealed' },
    ]);
    assert.deepEqual(similarHeldOut(one), []);
  });
});

describe('thousands of copies', () => {
  it('are gone through in time linear in their number', () => {
    assertLinear((count) => {
      const tasks = copies(count, (copy) => ({
        prompt: `${spelt(sentence, copy, 'x')} ${words[copy % words.length]}`,
      }));
      atOnce(slipsAmong(tasks));
    }, 300);
  });
});

function splitOf(tasks: readonly Task[]): SplitResult {
  return splitTasks(tasks, emptyAssignment);
}

function copies(count: number, make: (copy: number) => Partial<TaskSource>): readonly Task[] {
  return Array.from({ length: count }, (_, copy) => aTask({ id: `copy-${copy}`, ...make(copy + 1) }));
}

function bonds(sources: readonly Partial<TaskSource>[]): readonly (readonly number[])[] {
  return atOnce(slipsAmong(sources.map((source, index) => aTask({ id: `t${index}`, ...source })))).bonds;
}

/** The sign inside the words that the bits of the number choose. */
function spelt(text: string, copy: number, sign: string): string {
  const isChosen = (word: string, at: number): boolean => word.length > 2 && ((copy >> (at % 5)) & 1) === 1;
  return text
    .split(' ')
    .map((word, at) => (isChosen(word, at) ? `${word.slice(0, 2)}${sign}${word.slice(2)}` : word))
    .join(' ');
}
