import assert from 'node:assert/strict';
import { checkCatalog } from '../../../../src/checks/registry.js';
import { joiningBrought, type BroughtItems } from '../../../../src/tasks/readers/broughtItems.js';
import { readTasks, type ReadTasks } from '../../../../src/tasks/readers/readTasks.js';
import { atOnce } from '../../../../src/tasks/steps.js';

const place = { path: 'W', start: { offset: 0, line: 3, column: 1 }, end: { offset: 1, line: 3, column: 2 } };

describe('items that an environment brings', () => {
  it('are tasks of that environment, on the side that they were asked for', () => {
    const { tasks, places } = joined({
      train: [{ id: 7, question: 'Who?', answers: ['Ann', 'Anne'], task_type: 'names' }],
      val: [{ prompt: 'Sum up.', expectations: ['It is short.'] }],
      test: [{ id: 'c', intent: 'Buy a lamp.', context: 'The shop is open.', tags: ['web'], system: 'You shop.' }],
    });
    const told = tasks.map(({ id, environment, assigned, tags }) => [id, environment, assigned, tags]);
    assert.deepEqual(told, [
      ['7', 'post', 'training', ['names']],
      ['post-val-1', 'post', 'heldOut', []],
      ['c', 'post', 'sealed', ['web']],
    ]);
    const [who, sum, buy] = tasks;
    assert.deepEqual(who?.references, ['Ann', 'Anne']);
    assert.deepEqual(who?.checks, [{ check: 'exact', hidden: false, arguments: { match: 'substring' } }]);
    assert.deepEqual(sum?.expectations, ['It is short.']);
    assert.deepEqual([buy?.context, buy?.system], ['The shop is open.', 'You shop.']);
    assert.equal(places.get('7'), place);
  });

  it('may name their own checks, and a reference text that is no part of what is asked', () => {
    const checks = [{ check: 'contains', text: 'lamp' }];
    const { tasks } = joined({
      train: [{ id: 'a', question: 'What?', answer: 'A lamp', checks, reference_text: 'It glows.' }],
    });
    const [task] = tasks;
    assert.deepEqual(task?.checks, [{ check: 'contains', hidden: false, arguments: { text: 'lamp' } }]);
    assert.deepEqual([task?.referenceText, task?.context], ['It glows.', undefined]);
    const [plain] = joined({ train: [{ id: 'a', question: 'What?', answer: 'A lamp', checks }] }).tasks;
    assert.equal(task?.contentHash, plain?.contentHash, 'what no model reads makes no other task');
  });

  const broken: readonly (readonly [string, unknown, RegExp])[] = [
    ['no object', 'Who?', /^Item 2 of val that “post” brings is left out: it is no object\.$/],
    ['a list', [1], /it is no object/],
    ['no question', { id: 'x', answer: '42' }, /it asks nothing/],
    ['a mistyped question', { id: 'x', qestion: 'Who?' }, /“prompt” or “question” is missing \(it has: id, qestion\)/],
    ['a question that is no text', { id: 'x', question: 5 }, /val .* left out: “question” is no text\.$/],
    ['a field of the wrong kind', { id: 'x', prompt: 'Who?', files: 'a.txt' }, /left out: .*files/],
    [
      'an unknown check',
      { id: 'x', prompt: 'Who?', checks: [{ check: 'contians', text: 'a' }] },
      /Did you mean “contains”/,
    ],
    [
      'a file outside',
      { id: 'x', prompt: 'Who?', files: ['../../keys.txt'] },
      /could lie outside the folder of the skill/,
    ],
    ['an id that is there', { id: 'good', prompt: 'Who?' }, /has the id “good” of an earlier one/],
  ];
  for (const [what, item, message] of broken) {
    it(`are named like problems of task files where one is or has ${what}, and the others count`, () => {
      const { tasks, problems } = joined({ val: [{ id: 'good', prompt: 'Write.' }, item] });
      assert.deepEqual(
        tasks.map(({ id }) => id),
        ['good'],
      );
      const [problem] = problems.filter(({ severity }) => severity === 'error');
      assert.match(problem?.message ?? '', message);
      assert.equal(problem?.place, place);
    });
  }

  it('keep names that objects have of their own', () => {
    const items: unknown = JSON.parse(
      '[{"id": "__proto__", "prompt": "A", "__proto__": {"files": ["../x"]}}, {"id": "constructor", "prompt": "B"}]',
    );
    const { tasks, problems } = joined({ train: Array.isArray(items) ? items : [] });
    assert.deepEqual(
      tasks.map(({ id, files }) => [id, files]),
      [
        ['__proto__', []],
        ['constructor', []],
      ],
      JSON.stringify(problems),
    );
    assert.equal(({} as { files?: unknown }).files, undefined);
  });

  it('are refused with an id that a task of the files has, and where they are too many', () => {
    const files = { evals: [{ id: 'mine', prompt: 'Write.', expectations: ['Yes.'] }] };
    assert.throws(
      () => joined({ test: [{ id: 'mine', prompt: 'Who?' }] }, files),
      /brings a task with the id “mine”, which a task of the files has/,
    );
    const many = Array.from({ length: 10_000 }, (_, index) => ({ id: index, prompt: `Question ${index}` }));
    assert.throws(() => joined({ train: many }, files), /there are 10001 tasks, and at most 10000/);
  });
});

function joined(items: Partial<BroughtItems>, evals: object = { evals: [] }): ReadTasks {
  const texts = { evalsText: JSON.stringify(evals), evalsPath: 'E', whetstoneText: undefined, whetstonePath: 'W' };
  const brought = [{ environment: 'post', train: [], val: [], test: [], ...items }];
  return atOnce(
    joiningBrought(readTasks(texts, checkCatalog), brought, { catalog: checkCatalog, placeOf: () => place }),
  );
}
