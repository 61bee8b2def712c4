import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { checkCatalog } from '../../../src/checks/registry.js';
import { UserError } from '../../../src/errors.js';
import { readTasks } from '../../../src/tasks/readers/readTasks.js';
import {
  putBackTask,
  takeOutTask,
  writeTasks,
  type TaskChange,
  type TaskTexts,
} from '../../../src/tasks/writeTasks.js';
import { aCheck } from '../../builders/aTask.js';

const evals = `{
    "skill_name": "mail",
    "note": "kept",
    "evals": [
        {"id": 1, "prompt": "One", "x-tool": {"keep": [1,2 ,3]}},
        {
            "prompt": "Two",
            "id": "two",
            "assertions": [ "It is kind." ]
        }
    ],
    "last": true
}
`;
const skill = { skillName: 'mail' };

function many(count: number): TaskChange {
  const tasks = Array.from({ length: count }, (_, at) => ({ id: `t${at}`, prompt: `Say ${at}.` }));
  return { kind: 'add', tasks };
}

describe('writeTasks', () => {
  it('adds a task at the end and touches nothing else', () => {
    const { evalsText, whetstoneText } = change({ kind: 'add', tasks: [{ id: '3', prompt: 'Three' }] });
    const added = `,
        {
            "id": 3,
            "prompt": "Three"
        }`;
    assert.equal(evalsText, evals.replace('        }\n    ],', `        }${added}\n    ],`));
    assert.equal(whetstoneText, undefined);
  });

  it('adds no more than are read again', () => {
    change(many(9_998));
    assert.throws(() => change(many(9_999)), /With these 9999 tasks the skill would have 10001, and at most 10000/);
  });

  it('creates both files where there are none', () => {
    const texts = { evalsText: undefined, whetstoneText: undefined };
    const source = { id: 'a', prompt: 'Hello', checks: [aCheck('max_chars', { limit: 9 }, true)], draft: true };
    const written = writeTasks(texts, { kind: 'add', tasks: [source] }, skill);
    assert.equal(
      written.evalsText,
      `{
  "skill_name": "mail",
  "evals": [
    {
      "id": "a",
      "prompt": "Hello"
    }
  ]
}
`,
    );
    const [task] = read(written).tasks;
    assert.deepEqual([task?.draft, task?.checks], [true, source.checks]);
    assert.match(written.whetstoneText ?? '', /"contentHash": "[0-9a-f]{32}"/);
  });

  it('edits only the fields given, under the name that is in use', () => {
    const { evalsText } = change({ kind: 'edit', id: 'two', fields: { expectations: ['It is brief.'] } });
    const list = '"assertions": [\n                "It is brief."\n            ]';
    assert.equal(evalsText, evals.replace('"assertions": [ "It is kind." ]', list));
  });

  it('keeps an entry that stands on one line on it', () => {
    const { evalsText } = change({ kind: 'edit', id: '1', fields: { prompt: 'Uno', expectedOutput: 'A word' } });
    assert.equal(
      evalsText,
      evals.replace(
        '"prompt": "One", "x-tool": {"keep": [1,2 ,3]}}',
        '"prompt": "Uno", "x-tool": {"keep": [1,2 ,3]}, "expected_output": "A word"}',
      ),
    );
  });

  it('disables and enables a task in whetstone.json alone', () => {
    const disabled = change({ kind: 'disable', id: 'two' });
    assert.equal(disabled.evalsText, evals);
    assert.equal(read(disabled).tasks.find((task) => task.id === 'two')?.enabled, false);
    const enabled = writeTasks(disabled, { kind: 'enable', id: 'two' }, skill);
    assert.equal(read(enabled).tasks.find((task) => task.id === 'two')?.enabled, true);
    assert.ok(!(enabled.whetstoneText ?? '').includes('enabled'));
  });

  it('confirms a draft', () => {
    const drafted = change({ kind: 'add', tasks: [{ id: 'd', prompt: 'Draft', expectations: ['x'], draft: true }] });
    assert.equal(read(drafted).tasks.find((task) => task.id === 'd')?.draft, true);
    const confirmed = writeTasks(drafted, { kind: 'confirm', id: 'd' }, skill);
    assert.equal(read(confirmed).tasks.find((task) => task.id === 'd')?.draft, false);
  });

  it('removes a task with what is known of it', () => {
    const drafted = change({ kind: 'add', tasks: [{ id: 'd', prompt: 'Draft', draft: true }] });
    const removed = writeTasks(drafted, { kind: 'remove', id: 'd' }, skill);
    assert.equal(removed.evalsText, evals);
    assert.ok(!(removed.whetstoneText ?? '').includes('"d"'));
  });

  it('brings a task back that was taken out: to the byte, or at the end where somebody wrote since', () => {
    const own = '{"evals": [{"id": "a", "prompt": "One", "theirs": {"x": 1}}, {"id": "b", "prompt": "Two"}]}';
    const whetstoneText = '{"format": "whetstone.tasks", "version": 1, "tasks": {"a": {"tags": ["t"], "theirs": 2}}}';
    const texts = { evalsText: own, whetstoneText };
    const removed = takeOutTask(texts, 'a', skill);
    assert.doesNotMatch(`${removed.after.evalsText}${removed.after.whetstoneText}`, /"a"|theirs/);
    assert.deepEqual(putBackTask(removed.after, removed, skill), texts);
    const since = writeTasks(removed.after, { kind: 'disable', id: 'b' }, skill);
    const back = putBackTask(since, removed, skill);
    assert.deepEqual(JSON.parse(back.evalsText ?? '').evals, [
      { id: 'b', prompt: 'Two' },
      { id: 'a', prompt: 'One', theirs: { x: 1 } },
    ]);
    const { tasks } = JSON.parse(back.whetstoneText ?? '');
    assert.deepEqual(tasks.a, { tags: ['t'], theirs: 2 });
    assert.equal(tasks.b.enabled, false);
    assert.throws(() => putBackTask(back, removed, skill), /already a task “a”/);
  });

  it('changes a task of the separate held-out file there, and leaves the others as they are', () => {
    const heldOutText =
      '{\n  "evals": [\n    {"id": "far", "prompt": "Far"},\n    {"id": "off", "prompt": "Off"}\n  ]\n}\n';
    const texts = { evalsText: evals, whetstoneText: undefined, heldOutText };
    const disabled = writeTasks(texts, { kind: 'disable', id: 'far' }, skill);
    assert.deepEqual([disabled.evalsText, disabled.heldOutText], [evals, heldOutText]);
    assert.match(disabled.whetstoneText ?? '', /"far": \{[^}]*"enabled": false/);
    const edited = writeTasks(texts, { kind: 'edit', id: 'off', fields: { prompt: 'Away' } }, skill);
    assert.equal(edited.heldOutText, heldOutText.replace('"Off"', '"Away"'));
    const removed = writeTasks(texts, { kind: 'remove', id: 'far' }, skill);
    assert.deepEqual([removed.evalsText, removed.heldOutText?.includes('"far"')], [evals, false]);
    assert.throws(
      () => writeTasks(texts, { kind: 'add', tasks: [{ id: 'far', prompt: 'x' }] }, skill),
      /already a task/,
    );
  });

  it('keeps to the first of two tasks with one id, as reading does', () => {
    const twice = '{"evals": [{"id": "a", "prompt": "One"}, {"id": "a", "prompt": "Two"}]}';
    const checked = writeTasks(
      { evalsText: twice, whetstoneText: undefined },
      { kind: 'edit', id: 'a', fields: { checks: [aCheck('contains', { text: 'x' })] } },
      skill,
    );
    const again = writeTasks(checked, { kind: 'disable', id: 'a' }, skill);
    assert.equal((again.whetstoneText ?? '').split('"a"').length, 2);
    assert.deepEqual(
      read(again).tasks.map(({ prompt, enabled }) => [prompt, enabled]),
      [['One', false]],
    );
  });

  it('writes the hash of the edited task beside its checks, so that they still belong to it', () => {
    const checked = change({ kind: 'edit', id: '1', fields: { checks: [aCheck('contains', { text: 'a' })] } });
    const edited = writeTasks(checked, { kind: 'edit', id: '1', fields: { prompt: 'New words' } }, skill);
    assert.deepEqual(
      read(edited).problems.filter((problem) => problem.code === 'task-changed'),
      [],
    );
    assert.equal(read(edited).tasks.find((task) => task.id === '1')?.prompt, 'New words');
  });

  it('keeps a byte order mark, tabs and carriage returns', () => {
    const own = `\uFEFF{\r\n\t"evals": [\r\n\t\t{ "id": 1, "prompt": "x" }\r\n\t]\r\n}`;
    const { evalsText } = writeTasks(
      { evalsText: own, whetstoneText: undefined },
      { kind: 'add', tasks: [{ id: '2', prompt: 'y' }] },
      skill,
    );
    assert.equal(evalsText, own.replace('"x" }', '"x" },\r\n\t\t{\r\n\t\t\t"id": 2,\r\n\t\t\t"prompt": "y"\r\n\t\t}'));
  });

  it('keeps a file of one line on one line', () => {
    const own = '{"evals":[]}';
    const { evalsText } = writeTasks(
      { evalsText: own, whetstoneText: undefined },
      { kind: 'add', tasks: [{ id: '2', prompt: 'y' }] },
      skill,
    );
    assert.equal(evalsText, '{"evals":[{"id":2,"prompt":"y"}]}');
  });

  it('refuses an id that is taken and a task that is not there', () => {
    assert.throws(() => change({ kind: 'add', tasks: [{ id: '1', prompt: 'x' }] }), UserError);
    assert.throws(() => change({ kind: 'disable', id: 'none' }), /no task “none”/);
  });

  it('reads back whatever it wrote', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((prompt) => prompt.trim() !== '');
    fc.assert(
      fc.property(fc.uniqueArray(text, { minLength: 1, maxLength: 5 }), fc.array(text), (prompts, references) => {
        const tasks = prompts.map((prompt, index) => ({
          id: `t${index}`,
          prompt,
          references,
          context: prompt,
          checks: [aCheck('contains', { text: prompt })],
        }));
        const written = change({ kind: 'add', tasks });
        const back = read(written).tasks.filter((task) => task.id.startsWith('t') && task.id !== 'two');
        assert.deepEqual(
          back.map(({ id, prompt, references: found, context, checks }) => ({
            id,
            prompt,
            references: [...found],
            context,
            checks: [...checks],
          })),
          tasks,
        );
      }),
      { numRuns: 50 },
    );
  });
});

function change(one: TaskChange): TaskTexts {
  return writeTasks({ evalsText: evals, whetstoneText: undefined }, one, skill);
}

function read({ evalsText, whetstoneText }: TaskTexts): ReturnType<typeof readTasks> {
  return readTasks(
    { evalsText: evalsText ?? '', evalsPath: 'evals.json', whetstoneText, whetstonePath: 'whetstone.json' },
    checkCatalog,
  );
}
