import { listFixtures } from '../../../../src/tasks/task.js';
import assert from 'node:assert/strict';
import { checkCatalog } from '../../../../src/checks/registry.js';
import { UserError } from '../../../../src/errors.js';
import { publicHashOf } from '../../../../src/tasks/makeTask.js';
import { namedHeldOutFile, readTasks, type ReadTasks } from '../../../../src/tasks/readers/readTasks.js';
import { TasksMalformedError } from '../../../../src/tasks/taskFile.js';
import type { TaskProblemCode } from '../../../../src/tasks/taskProblem.js';
import { aTask } from '../../../builders/aTask.js';

const header = { format: 'whetstone.tasks', version: 1 };

describe('readTasks', () => {
  it('reads the public format as it is', () => {
    const { tasks, problems, skillName } = read({
      skill_name: 'mail',
      evals: [
        {
          id: 1,
          prompt: 'One',
          expected_output: 'A word',
          files: ['evals/files/a.txt'],
          expectations: ['Kind', 'Brief'],
        },
        { id: 'two', prompt: 'Two', assertions: ['Kind', { text: 'Short', extra: 1 }], other: 'kept' },
      ],
    });
    assert.equal(skillName, 'mail');
    assert.deepEqual(problems, []);
    assert.deepEqual(
      tasks.map(({ id, expectedOutput, files, expectations, environment, enabled, draft }) => ({
        id,
        expectedOutput,
        files,
        expectations,
        environment,
        enabled,
        draft,
      })),
      [
        {
          id: '1',
          expectedOutput: 'A word',
          files: ['evals/files/a.txt'],
          expectations: ['Kind', 'Brief'],
          environment: 'chat',
          enabled: true,
          draft: false,
        },
        {
          id: 'two',
          expectedOutput: undefined,
          files: [],
          expectations: ['Kind', 'Short'],
          environment: 'chat',
          enabled: true,
          draft: false,
        },
      ],
    );
  });

  it('joins what only Whetstone knows', () => {
    const { tasks, problems, environments } = read(
      { evals: [{ id: 1, prompt: 'One' }] },
      {
        ...header,
        tasks: {
          1: {
            checks: [{ check: 'max_chars', limit: 600, hidden: true }],
            references: ['R'],
            context: 'C',
            system: 'S {skill}',
            tools: [{ name: 'search', result: 'found' }],
            tags: ['a', 'a', 'b'],
            split: 'heldOut',
            origin: 'o',
            draft: true,
            enabled: false,
          },
        },
        environments: { calc: { command: 'python3', arguments: ['calc.py'] } },
      },
    );
    assert.deepEqual(
      problems.map(({ code }) => code),
      ['shape-only'],
    );
    const task = only(tasks);
    assert.deepEqual(task.checks, [{ check: 'max_chars', hidden: true, arguments: { limit: 600 } }]);
    assert.deepEqual(
      [
        task.references,
        task.context,
        task.system,
        task.environment,
        task.tags,
        task.assigned,
        task.origin,
        task.draft,
        task.enabled,
      ],
      [['R'], 'C', 'S {skill}', 'tools', ['a', 'b'], 'heldOut', 'o', true, false],
    );
    assert.deepEqual(task.tools, [
      { name: 'search', description: '', parameters: { type: 'object', properties: {} }, result: 'found' },
    ]);
    assert.deepEqual(environments.get('calc'), { command: 'python3', arguments: ['calc.py'], timeLimitSeconds: 120 });
  });

  const wholes: readonly (readonly [string, string, string | undefined, RegExp])[] = [
    [
      'JSON that is none',
      '{\n  "evals": [\n    {"id": 1,}\n  ]\n}',
      undefined,
      /evals\.json, line 3, column 14: Expected a name/,
    ],
    ['a list instead of an object', '[]', undefined, /line 1, column 1: expected an object with a list named “evals”/],
    ['evals that is no list', '{"evals": {}}', undefined, /line 1, column 11: expected an object with a list/],
    [
      'whetstone.json of another format',
      '{"evals": []}',
      '{"format": "other", "version": 1}',
      /whetstone\.json, line 1, column 12: expected “format”/,
    ],
    ['whetstone.json without a version', '{"evals": []}', '{"format": "whetstone.tasks"}', /expected “version”: 1/],
    [
      'tasks that are no object',
      '{"evals": []}',
      '{"format": "whetstone.tasks", "version": 1, "tasks": []}',
      /“tasks” must be an object/,
    ],
  ];
  for (const [name, evalsText, whetstoneText, message] of wholes) {
    it(`throws for ${name}, with line and cure`, () => {
      assert.throws(
        () =>
          readTasks(
            { evalsText, evalsPath: 'evals.json', whetstoneText, whetstonePath: 'whetstone.json' },
            checkCatalog,
          ),
        (error) =>
          error instanceof TasksMalformedError &&
          error.code === 'tasks-malformed' &&
          message.test(error.message) &&
          error.cure !== '',
      );
    });
  }

  it('refuses a newer format politely', () => {
    assert.throws(
      () => read({ evals: [] }, { ...header, version: 2 }),
      (error) => error instanceof UserError && error.code === 'store-newer' && /newer Whetstone/.test(error.message),
    );
  });

  it('reads a file with a byte order mark', () => {
    const text = `\uFEFF${JSON.stringify({ evals: [{ id: 1, prompt: 'x', expectations: ['y'] }] })}`;
    const { tasks } = readTasks(
      { evalsText: text, evalsPath: '', whetstoneText: undefined, whetstonePath: '' },
      checkCatalog,
    );
    assert.equal(tasks.length, 1);
  });

  const good = { id: 'good', prompt: 'Good', expectations: ['x'] };
  type Row = readonly [
    name: string,
    evalEntry: Record<string, unknown>,
    entry: Record<string, unknown> | undefined,
    code: TaskProblemCode,
    message: RegExp,
    usable: boolean,
  ];
  const rows: readonly Row[] = [
    ['a task without a prompt', { id: 'bad', expectations: ['x'] }, undefined, 'schema', /“prompt”/, false],
    ['a blank prompt', { id: 'bad', prompt: ' \n' }, undefined, 'schema', /“prompt”: must not be blank/, false],
    [
      'a duplicate id',
      { id: 'good', prompt: 'Other', expectations: ['x'] },
      undefined,
      'duplicate-id',
      /Another task has the id “good” \(line 3\)/,
      false,
    ],
    [
      'an entry that cannot be read',
      { id: 'bad', prompt: 'x', expectations: ['x'] },
      { checks: 'none' },
      'schema',
      /“checks”/,
      false,
    ],
    [
      'an unknown field',
      { id: 'bad', prompt: 'x', expectations: ['x'] },
      { tag: ['a'] },
      'unknown-field',
      /Nothing reads “tag”/,
      true,
    ],
    [
      'an unknown check',
      { id: 'bad', prompt: 'x' },
      { checks: [{ check: 'max_char', limit: 1 }] },
      'unknown-check',
      /no check named “max_char”.*“max_chars”/,
      false,
    ],
    [
      'a bad expression',
      { id: 'bad', prompt: 'x' },
      { checks: [{ check: 'regex', pattern: '(?>a)' }] },
      'malformed-check',
      /The task “bad” cannot be used: There is a fault in its check “regex”: .*atomic/,
      false,
    ],
    [
      'a check without its argument',
      { id: 'bad', prompt: 'x' },
      { checks: [{ check: 'max_chars' }] },
      'malformed-check',
      /“limit”/,
      false,
    ],
    [
      'a tool nobody offers',
      { id: 'bad', prompt: 'x' },
      { checks: [{ check: 'tool_called', tool: 'search' }] },
      'cannot-pass',
      /offers no tool/,
      false,
    ],
    [
      'a task that nothing can fail',
      { id: 'bad', prompt: 'x' },
      undefined,
      'never-fails',
      /No answer can fail the task “bad”/,
      false,
    ],
    [
      'checks that nothing can fail',
      { id: 'bad', prompt: 'x' },
      { checks: [{ check: 'min_chars', limit: 0 }] },
      'never-fails',
      /No answer can fail/,
      false,
    ],
    [
      'checks of form alone',
      { id: 'bad', prompt: 'x' },
      { checks: [{ check: 'max_chars', limit: 9 }] },
      'shape-only',
      /only constrain the form/,
      true,
    ],
    [
      'a pattern that nobody has put into words',
      { id: 'bad', prompt: 'x' },
      { checks: [{ check: 'regex', pattern: String.raw`(\w) \1` }] },
      'not-described',
      /The task “bad” has a check “regex” whose demand is not told to the optimizer/,
      true,
    ],
    [
      'a fixture outside the folder',
      { id: 'bad', prompt: 'x', files: ['a/../../b'], expectations: ['x'] },
      undefined,
      'fixture-outside',
      /outside the folder/,
      false,
    ],
    [
      'an absolute fixture',
      { id: 'bad', prompt: 'x', files: ['C:\\secret'], expectations: ['x'] },
      undefined,
      'fixture-outside',
      /outside the folder/,
      false,
    ],
    [
      'the same task twice',
      { id: 'bad', prompt: 'Good', expectations: ['x'] },
      undefined,
      'same-task',
      /“bad” and “good” are the same/,
      true,
    ],
  ];
  for (const [name, entry, whetstone, code, message, usable] of rows) {
    it(`shows ${name} on its line, and the other tasks still count`, () => {
      const { tasks, broken, problems } = read(
        { evals: [good, entry] },
        { ...header, tasks: whetstone === undefined ? {} : { bad: whetstone } },
      );
      assert.deepEqual(
        problems.map((problem) => problem.code),
        [code],
      );
      const problem = only(problems);
      assert.match(problem.message, message);
      assert.equal(problem.severity, usable ? 'warning' : 'error');
      assert.deepEqual(
        tasks.map((task) => task.id),
        usable ? ['good', 'bad'] : ['good'],
      );
      assert.ok(broken.every(({ reason }) => reason !== ''));
      assert.ok(problem.place.start.line > 1 && problem.place.end.offset > problem.place.start.offset);
    });
  }

  it('points at the very value that is wrong, in the right file', () => {
    const evalsText = '{"evals": [\n  {"id": 1, "prompt": "x"}\n]}';
    const whetstoneText =
      '{"format": "whetstone.tasks", "version": 1, "tasks": {\n  "1": {"checks": [\n    {"check": "max_chars",\n     "limit": "many"}\n  ]}\n}}';
    const { problems } = readTasks({ evalsText, evalsPath: 'E', whetstoneText, whetstonePath: 'W' }, checkCatalog);
    const [problem] = problems;
    assert.deepEqual(
      [problem?.code, problem?.place.path, problem?.place.start.line, problem?.place.start.column],
      ['malformed-check', 'W', 4, 15],
    );
    assert.equal(whetstoneText.slice(problem?.place.start.offset, problem?.place.end.offset), '"many"');
  });

  it('leaves tasks that a program scores without checks of ours', () => {
    const { tasks, problems } = read(
      { evals: [{ id: 1, prompt: 'x' }] },
      { ...header, tasks: { 1: { environment: 'calc' } } },
    );
    assert.deepEqual([tasks.length, problems], [1, []]);
  });
});

describe('the join of both files', () => {
  it('follows the content when the ids were renumbered', () => {
    const evals = [
      { id: 1, prompt: 'New', expectations: ['x'] },
      { id: 2, prompt: 'A' },
      { id: 3, prompt: 'B' },
    ];
    const result = read({ evals }, { ...header, tasks: { 1: entryFor('A', 11), 2: entryFor('B', 22) } });
    assert.deepEqual(limits(result), [
      ['1', undefined],
      ['2', 11],
      ['3', 22],
    ]);
    assert.deepEqual(
      result.problems.map(({ code, taskId }) => [code, taskId]),
      [
        ['task-renamed', '2'],
        ['task-renamed', '3'],
      ],
    );
  });

  it('follows the id when the text was edited, and says so', () => {
    const result = read({ evals: [{ id: 1, prompt: 'A, edited' }] }, { ...header, tasks: { 1: entryFor('A', 11) } });
    assert.deepEqual(limits(result), [['1', 11]]);
    assert.deepEqual(
      result.problems.map(({ code, severity }) => [code, severity]),
      [['task-changed', 'warning']],
    );
  });

  it('says which entries belong to no task', () => {
    const result = read({ evals: [] }, { ...header, tasks: { gone: {} } });
    assert.deepEqual(
      result.problems.map(({ code, taskId }) => [code, taskId]),
      [['entry-without-task', 'gone']],
    );
  });

  it('says which entries stand twice', () => {
    const whetstoneText = '{"format":"whetstone.tasks","version":1,"tasks":{"1":{},"1":{"draft":true}}}';
    const evalsText = '{"evals":[{"id":1,"prompt":"x","expectations":["y"]}]}';
    const { tasks, problems } = readTasks(
      { evalsText, evalsPath: 'E', whetstoneText, whetstonePath: 'W' },
      checkCatalog,
    );
    assert.deepEqual(problems.map(({ code }) => code)[0], 'duplicate-id');
    assert.equal(tasks.length, 0);
  });
});

describe('a separate held-out file', () => {
  it('puts all its tasks on the held-out side', () => {
    const heldOutText = JSON.stringify({ evals: [{ id: 'h', prompt: 'Hold', expectations: ['x'] }] });
    const whetstone = { ...header, heldOutFile: 'held-out.json', tasks: { h: { split: 'training', tags: ['t'] } } };
    const { tasks, problems } = read({ evals: [] }, whetstone, heldOutText);
    assert.deepEqual(
      tasks.map(({ id, assigned, tags }) => [id, assigned, tags]),
      [['h', 'heldOut', ['t']]],
    );
    assert.deepEqual(
      problems.map(({ code }) => code),
      ['held-out-conflict'],
    );
  });

  it('is named by whetstone.json and never leaves its folder', () => {
    assert.equal(named('held-out.json'), 'held-out.json');
    assert.equal(namedHeldOutFile('{}', 'W'), undefined);
    for (const bad of ['../x.json', '/etc/x', 'a/../../b', 'C:\\x', '..', 7])
      assert.throws(() => named(bad), TasksMalformedError);
  });
});

describe('the content hash', () => {
  const base = {
    prompt: 'P',
    expectations: ['a', 'b'],
    checks: [{ check: 'contains', hidden: false, arguments: { text: 'x', caseSensitive: true } }],
  };
  const hash = aTask(base).contentHash;
  const same: readonly (readonly [string, Parameters<typeof aTask>[0]])[] = [
    ['its id', { id: 'other' }],
    ['its tags, side, origin and state', { tags: ['x'], assigned: 'sealed', origin: 'o', draft: true, enabled: false }],
    ['the order of its expectations', { expectations: ['b', 'a'] }],
    [
      'the order of arguments and what is hidden',
      { checks: [{ check: 'contains', hidden: true, arguments: { caseSensitive: true, text: 'x' } }] },
    ],
  ];
  for (const [name, change] of same)
    it(`does not depend on ${name}`, () => assert.equal(aTask({ ...base, ...change }).contentHash, hash));
  const other: readonly (readonly [string, Parameters<typeof aTask>[0]])[] = [
    ['the prompt', { prompt: 'Q' }],
    ['the context', { context: 'C' }],
    ['an argument', { checks: [{ check: 'contains', hidden: false, arguments: { text: 'y', caseSensitive: true } }] }],
    ['a reference', { references: ['r'] }],
    ['the environment', { environment: 'agent' }],
  ];
  for (const [name, change] of other)
    it(`depends on ${name}`, () => assert.notEqual(aTask({ ...base, ...change }).contentHash, hash));
});

describe('listFixtures', () => {
  it('gives each file once, with forward slashes', () => {
    assert.deepEqual(listFixtures(aTask({ files: ['./evals/a.txt', 'evals\\a.txt', 'b.txt'] })), [
      'evals/a.txt',
      'b.txt',
    ]);
  });
});

function only<T>(list: readonly T[]): T {
  const [first] = list;
  assert.ok(first !== undefined && list.length === 1);
  return first;
}

function entryFor(prompt: string, limit: number): object {
  return {
    contentHash: publicHashOf(aTask({ prompt, checks: [] })),
    checks: [
      { check: 'min_chars', limit },
      { check: 'contains', text: prompt },
    ],
  };
}

function limits(result: ReadTasks): readonly unknown[] {
  return result.tasks.map((task) => [task.id, task.checks[0]?.arguments['limit']]);
}

function named(heldOutFile: unknown): string | undefined {
  return namedHeldOutFile(JSON.stringify({ heldOutFile }), 'W');
}

describe('a program that is declared wrongly', () => {
  it('keeps only those tasks from being used that have something to do with it', () => {
    const evals = { evals: [{ id: 'good', prompt: 'x', expectations: ['y'] }] };
    const { tasks, problems } = read(evals, {
      format: 'whetstone.tasks',
      version: 1,
      environments: { robot: { command: 7 } },
    });
    assert.equal(problems.filter(({ severity }) => severity === 'error').length, 1);
    assert.deepEqual(
      tasks.map(({ id }) => id),
      ['good'],
    );
  });

  it('is told the nearest name where it brings something that is not known', () => {
    const robot = { command: 'robot', brings: ['items', 'reprsentatives'] };
    const { problems, environments } = read(
      { evals: [{ id: 'good', prompt: 'x', expectations: ['y'] }] },
      { format: 'whetstone.tasks', version: 1, environments: { robot } },
    );
    const [problem] = problems.filter(({ severity }) => severity === 'error');
    assert.match(
      problem?.message ?? '',
      /“environments\.robot\.brings\.1” must be one of these: items, .* edits\. .* Did you mean “representatives”\?/,
    );
    assert.equal(environments.has('robot'), false);
  });
});

function read(evals: unknown, whetstone?: unknown, heldOutText?: string): ReadTasks {
  return readTasks(
    {
      evalsText: JSON.stringify(evals, null, 2),
      evalsPath: 'evals.json',
      whetstoneText: whetstone === undefined ? undefined : JSON.stringify(whetstone, null, 2),
      whetstonePath: 'whetstone.json',
      heldOutText,
      heldOutPath: 'held-out.json',
    },
    checkCatalog,
  );
}
