import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { UserError } from '../../../../src/errors.js';
import { seeded } from '../../../../src/gate/rules/random.js';
import { parseOutcomes, passesOf, settledTasks } from '../../../../src/gate/rules/recordedOutcomes.js';
import { outcomesPath } from '../../../bench/truth/page.js';

describe('recorded outcomes', () => {
  it('are the attempts of arms with the same text, task by task, under their licence', () => {
    const text = readFileSync(outcomesPath, 'utf8');
    assert.match(text, /"licence":"Apache-2\.0"/);
    assert.match(text, /"source":"github\.com\/skillberry-ai\/cap-evolve/);
    const [outcomes, ...more] = parseOutcomes(JSON.parse(text));
    assert.ok(outcomes !== undefined && more.length === 0);
    assert.deepEqual(
      outcomes.scores.map((row) => row.length),
      Array.from({ length: 12 }, () => 20),
    );
    assert.deepEqual(settledTasks(outcomes), { passed: 3, failed: 1 });
    assert.equal(outcomes.compared.length, 12, 'four arms in pairs, either way round');
  });

  it('may be a person’s own table, with an edit or without', () => {
    const [own] = parseOutcomes({
      before: [
        [1, 0, null],
        [1, 1, 1],
      ],
      after: [
        [1, 1, 1],
        [1, 1, 0],
      ],
    });
    assert.deepEqual(
      [own?.scores, own?.grid, own?.compared.length],
      [
        [
          [1, 0],
          [1, 1, 1],
        ],
        1,
        1,
      ],
    );
    const [alone] = parseOutcomes({
      before: [
        [1, 0],
        [0, 0.5],
      ],
    });
    assert.deepEqual(
      [alone?.scores, alone?.grid, alone?.compared.length],
      [
        [
          [100, 0],
          [0, 50],
        ],
        100,
        0,
      ],
    );
  });

  it('give passes at the recorded rates, and better by the gain as far as full marks', () => {
    const [rates] = parseOutcomes({ before: [[1, 1, 1], [0, 0, 0], [1, 0, 0, 1].slice(1)] });
    assert.ok(rates);
    const next = passesOf(rates, 1, seeded(3));
    for (let pass = 0; pass < 20; pass++) {
      const [always, never] = next() ?? [];
      assert.deepEqual([always?.before, always?.after, never?.before, never?.after], [1, 1, 0, 1]);
    }
    const [soft] = parseOutcomes({
      before: [
        [0.4, 0.4],
        [0.9, 0.9],
      ],
    });
    assert.ok(soft);
    assert.deepEqual(passesOf(soft, 0.2, seeded(3))(), [
      { task: 0, before: 40, after: 60 },
      { task: 1, before: 90, after: 100 },
    ]);
  });

  const malformed: readonly { readonly name: string; readonly input: unknown; readonly says: RegExp }[] = [
    { name: 'no object', input: 3, says: /"before" is not an array of rows/ },
    { name: 'a row of lost attempts', input: { before: [[1], [null]] }, says: /Row 2 of "before" has no valid result/ },
    { name: 'a scale of hundred', input: { before: [[85]] }, says: /is 85, and scores lie between 0 and 1/ },
    {
      name: 'another version',
      input: { format: 'whetstone.recorded-outcomes', version: 2, sets: [] },
      says: /another version than 1/,
    },
    { name: 'no set', input: { format: 'whetstone.recorded-outcomes', version: 1, sets: [] }, says: /"sets" is not/ },
    { name: 'no arm', input: recorded({ outcomes: {} }), says: /Set 1: "sameText" names no arm/ },
    { name: 'an arm that is not there', input: recorded({ sameText: ['a'] }), says: /no outcomes of the arm a/ },
    { name: 'an arm without tasks', input: recorded({ sameText: ['a'], outcomes: { a: {} } }), says: /has no tasks/ },
    {
      name: 'a task that one arm lacks',
      input: recorded({ sameText: ['a', 'b'], outcomes: { a: { t: [1] }, b: {} } }),
      says: /arm 2 of "sameText" has no attempts at task t/,
    },
    {
      name: 'a word for a score',
      input: recorded({ sameText: ['a'], outcomes: { a: { t: ['pass'] } } }),
      says: /task t: Row 1, pass 1 of "before" is not a number or null/,
    },
  ];
  for (const { name, input, says } of malformed) {
    it(`refuse ${name}, and say what is wanted instead`, () => {
      assert.throws(
        () => parseOutcomes(input),
        (error: unknown) =>
          error instanceof UserError &&
          error.code === 'scores-malformed' &&
          says.test(error.message) &&
          error.cure !== '',
      );
    });
  }
});

function recorded(set: unknown): unknown {
  return { format: 'whetstone.recorded-outcomes', version: 1, sets: [set] };
}
