import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { checkCatalog } from '../../../src/checks/registry.js';
import { UserError } from '../../../src/errors.js';
import type { TaskSource } from '../../../src/tasks/makeTask.js';
import { readBenchmarkJsonl } from '../../../src/tasks/readers/benchmarkJsonl.js';
import { exportTasks } from '../../../src/tasks/readers/exportTasks.js';
import type { ImportedTasks, ImportFile } from '../../../src/tasks/readers/importedTasks.js';
import { originsOf, readSleepTasks } from '../../../src/tasks/readers/sleepTasks.js';
import { assignByRatio, parseRatio } from '../../../src/tasks/readers/ratio.js';
import { readSplitFolder } from '../../../src/tasks/readers/splitFolder.js';
import { readTasks } from '../../../src/tasks/readers/readTasks.js';

describe('a benchmark of JSON lines', () => {
  const lines = [
    {
      task_id: 'q1',
      task: 'Find the person',
      judge: {
        kind: 'rule',
        checks: [
          { op: 'tool_called', arg: 'search' },
          { op: 'max_chars', arg: '600' },
        ],
      },
    },
    {
      task_id: 'q2',
      task: 'Cite sources',
      judge: {
        checks: [
          { op: 'min_citations', arg: 2 },
          { op: 'contains', arg: 'source', weight: 2 },
        ],
        rubric: 'Sources are named.',
      },
      difficulty: 'hard',
    },
  ];
  const text = `# remarks\n${lines.map((line) => JSON.stringify(line)).join('\n')}\n\n`;

  it('gives each task its checks under our names', () => {
    const { tasks } = readBenchmarkJsonl({ path: 'b.jsonl', text }, undefined);
    assert.deepEqual(
      tasks.map(({ id, prompt, assigned, draft }) => ({ id, prompt, assigned, draft })),
      [
        { id: 'q1', prompt: 'Find the person', assigned: undefined, draft: false },
        { id: 'q2', prompt: 'Cite sources', assigned: undefined, draft: false },
      ],
    );
    assert.deepEqual(tasks[0]?.checks, [
      { check: 'tool_called', hidden: false, arguments: { tool: 'search' } },
      { check: 'max_chars', hidden: false, arguments: { limit: 600 } },
    ]);
    assert.deepEqual(
      tasks[1]?.checks?.map(({ check }) => check),
      ['contains', 'rubric'],
    );
    assert.deepEqual(
      tasks[0]?.tools?.map(({ name }) => name),
      ['search'],
    );
  });

  it('reports every field that has no equal', () => {
    const { notes } = readBenchmarkJsonl({ path: 'b.jsonl', text }, undefined);
    assert.deepEqual(
      notes.map(({ kind, taskId, field }) => [kind, taskId, field]),
      [
        ['changed', 'q1', 'tools'],
        ['no-equal', 'q2', 'judge.checks[0]'],
        ['no-equal', 'q2', 'judge.checks[1].weight'],
        ['no-equal', 'q2', 'difficulty'],
      ],
    );
  });

  it('puts the tasks of a separate held-out file on their side, with ids of their own', () => {
    const { tasks, notes } = readBenchmarkJsonl(
      { path: 'b.jsonl', text },
      { path: 'h.jsonl', text: JSON.stringify(lines[0]) },
    );
    assert.deepEqual(
      tasks.map(({ id, assigned }) => [id, assigned]),
      [
        ['q1', 'training'],
        ['q2', 'training'],
        ['q1-2', 'heldOut'],
      ],
    );
    assert.ok(notes.some(({ taskId, field }) => taskId === 'q1-2' && field === 'id'));
  });

  it('makes drafts of tasks that await review', () => {
    const { tasks, notes } = readBenchmarkJsonl(
      { path: 'b.jsonl', text: `# BOOTSTRAP_PENDING_REVIEW\n${text}` },
      undefined,
    );
    assert.ok(tasks.every(({ draft }) => draft));
    assert.match(notes[0]?.message ?? '', /drafts/);
  });

  it('never offers a tool whose name is a path or a command', () => {
    const line = JSON.stringify({
      task_id: 1,
      task: 'x',
      judge: { checks: [{ op: 'tool_called', arg: '../bin/sh; rm' }] },
    });
    const { tasks, notes } = readBenchmarkJsonl({ path: 'b.jsonl', text: line }, undefined);
    assert.deepEqual(tasks[0]?.tools, []);
    assert.match(notes.at(-1)?.message ?? '', /cannot be the name of a tool/);
  });

  const badLines: Readonly<Record<string, string>> = {
    '{"task_id": 1}': 'Line 2 needs “prompt” and “expectations”, “task_id” and “task”, or “question” and “answers”.',
    '{"task_id": 1, "task": " "}':
      'Line 2 needs “prompt” and “expectations”, “task_id” and “task”, or “question” and “answers”.',
    '{"prompt": "Say hello."}':
      'Line 2 needs “prompt” and “expectations”, “task_id” and “task”, or “question” and “answers”.',
    '[]': 'Line 2 needs “prompt” and “expectations”, “task_id” and “task”, or “question” and “answers”.',
    'not json': 'Line 2 is not valid JSON.',
    [`{"prompt":${'['.repeat(200)}${']'.repeat(200)}}`]: 'Line 2 is nested too deeply.',
  };
  for (const [bad, said] of Object.entries(badLines))
    it(`says in plain words what is wrong with a line, and reads the others: ${bad.slice(0, 40)}`, () => {
      const good = '{"id": "a", "prompt": "Say hello.", "expectations": ["It is kind."]}';
      const { tasks, notes } = readBenchmarkJsonl({ path: 'b.jsonl', text: `${good}\n${bad}\n${good}` }, undefined);
      assert.deepEqual(
        tasks.map(({ id, expectations }) => [id, expectations]),
        [
          ['a', ['It is kind.']],
          ['a-2', ['It is kind.']],
        ],
      );
      assert.deepEqual(
        notes.filter(({ kind }) => kind === 'refused').map(({ message }) => message),
        [said],
      );
    });
});

describe('a task file of SkillOpt-Sleep', () => {
  const yardsticks: readonly (readonly [string, object, readonly unknown[], readonly string[]])[] = [
    [
      'rule',
      { reference_kind: 'rule', judge: { kind: 'rule', checks: [{ op: 'regex', arg: 'a+' }] } },
      [['regex', { pattern: 'a+' }]],
      [],
    ],
    ['exact', { reference_kind: 'exact', reference: 'Paris' }, [['exact', { match: 'within' }]], ['Paris']],
    ['rubric', { reference_kind: 'rubric', reference: 'Is kind.' }, [['rubric', { rubric: 'Is kind.' }]], []],
    ['none', {}, [['rubric', { rubric: 'The answer does what the task asks for, completely and correctly.' }]], []],
    ['another', { reference_kind: 'answer', reference: 'X' }, [], ['X']],
  ];
  for (const [name, rest, checks, references] of yardsticks) {
    it(`reads the yardstick “${name}”`, () => {
      const { tasks } = readSleepTasks(file([sleepTask(rest)]));
      assert.deepEqual(
        tasks[0]?.checks?.map((check) => [check.check, check.arguments]),
        checks,
      );
      assert.deepEqual(tasks[0]?.references, references);
    });
  }

  it('takes context, system text, tags and side along', () => {
    const { tasks } = readSleepTasks(
      file([
        sleepTask({
          context_excerpt: 'C',
          system: 'S {skill_section}',
          tags: ['tools:bash'],
          split: 'val',
          reference_kind: 'rubric',
          reference: 'r',
        }),
      ]),
    );
    const { context, system, tags, assigned, draft } = tasks[0] ?? {};
    assert.deepEqual(
      { context, system, tags, assigned, draft },
      { context: 'C', system: 'S {skill}', tags: ['tools:bash'], assigned: 'heldOut', draft: false },
    );
  });

  it('knows the old names of the sides, and that dreams only train', () => {
    const sides = ['train', 'val', 'test', 'replay', 'holdout', 'other', 'valid_seen', 'Valid_Unseen', 'selection'].map(
      (split, index) => sleepTask({ id: `t${index}`, split }),
    );
    const { tasks, notes } = readSleepTasks(file([...sides, sleepTask({ id: 'd', split: 'val', origin: 'dream' })]));
    assert.deepEqual(
      tasks.map(({ assigned }) => assigned),
      ['training', 'heldOut', 'sealed', 'training', 'heldOut', undefined, 'heldOut', 'sealed', 'heldOut', 'training'],
    );
    assert.ok(notes.some(({ field, message }) => field === 'split' && /“other”/.test(message)));
  });

  it('keeps tasks of one session, and variants of one task, under one origin', () => {
    const { tasks } = readSleepTasks(
      file([
        sleepTask({ id: 'a', source_sessions: ['s1'] }),
        sleepTask({ id: 'b', source_sessions: ['s2', 's1'] }),
        sleepTask({ id: 'c', derived_from: 'b' }),
        sleepTask({ id: 'd', source_sessions: ['s9'] }),
        sleepTask({ id: 'e' }),
      ]),
    );
    const origins = tasks.map(({ origin }) => origin);
    assert.equal(new Set(origins.slice(0, 3)).size, 1);
    assert.notEqual(origins[3], origins[0]);
    assert.equal(origins[4], undefined);
  });

  it('makes drafts of what nobody reviewed, and reports what has no equal', () => {
    const { tasks, notes } = readSleepTasks(
      file([sleepTask({ outcome: 'fail', attempted_solution: 'x', skill_hint: '', project: 'p' })], { project: 'p' }),
    );
    assert.equal(tasks[0]?.draft, true);
    assert.deepEqual(
      notes.map(({ taskId, field }) => [taskId, field]),
      [
        [undefined, 'project'],
        [undefined, 'reviewed'],
        ['t1', 'outcome'],
        ['t1', 'attempted_solution'],
        ['t1', 'project'],
        ['t1', 'reference_kind'],
      ],
    );
  });

  it('refuses other formats', () => {
    assert.throws(() => readSleepTasks({ path: 'x.json', text: '{"format":"other","tasks":[]}' }), UserError);
    assert.match(readSleepTasks(file([{ id: 1 }])).notes.at(-1)?.message ?? '', /^Task 1 needs “id” and “intent”/);
  });

  it('names an origin the same in any order', () => {
    const descents = [
      { id: 'a', sessions: ['s1'], derivedFrom: undefined },
      { id: 'b', sessions: ['s1', 's2'], derivedFrom: undefined },
      { id: 'c', sessions: ['s2'], derivedFrom: undefined },
      { id: 'd', sessions: [], derivedFrom: 'c' },
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(descents, { minLength: 4 }), (shuffled) => {
        assert.deepEqual(originsOf(shuffled), originsOf(descents));
      }),
    );
  });
});

describe('a folder of train, val and test items', () => {
  it('finds the question, the answers and the type under the names such benchmarks use', () => {
    const { tasks, notes } = readSplitFolder({
      training: items({ context: 'France', task_type: 'geo' }),
      heldOut: items({ source: 'web' }),
    });
    assert.deepEqual(
      tasks.map(({ id, prompt, context, references, tags, assigned }) => ({
        id,
        prompt,
        context,
        references,
        tags,
        assigned,
      })),
      [
        {
          id: '7',
          prompt: 'Capital?',
          context: 'France',
          references: ['Paris', 'Lutetia'],
          tags: ['geo'],
          assigned: 'training',
        },
        {
          id: '7-2',
          prompt: 'Capital?',
          context: undefined,
          references: ['Paris', 'Lutetia'],
          tags: [],
          assigned: 'heldOut',
        },
      ],
    );
    assert.deepEqual(
      notes.map(({ field }) => field),
      ['source', 'id'],
    );
  });

  it('judges an item as the paper’s QA environment does: a reference anywhere in the answer', () => {
    const { tasks } = readSplitFolder({ training: items({}) });
    assert.deepEqual(tasks[0]?.checks, [{ check: 'exact', hidden: false, arguments: { match: 'substring' } }]);
  });

  const shapes: readonly (readonly [string, string, unknown])[] = [
    ['a list under data', 'x.json', { version: '1', data: [{ id: 'a', question: 'Why?', answers: ['So'] }] }],
    ['an object of items by id', 'x.json', { a: { question: 'Why?', answers: 'So' } }],
    ['a line an item', 'x.jsonl', { id: 'a', question: 'Why?', answers: ['So'] }],
    ['a line with other names', 'x.ndjson', { uid: 'a', instruction: 'Why?', ground_truth: 'So' }],
  ];
  for (const [name, path, value] of shapes) {
    it(`reads ${name}`, () => {
      const { tasks } = readSplitFolder({ heldOut: { path, text: JSON.stringify(value) } });
      assert.deepEqual(
        tasks.map(({ id, prompt, references, assigned }) => [id, prompt, references, assigned]),
        [['a', 'Why?', ['So'], 'heldOut']],
      );
    });
  }

  it('keeps what a question expects in words beside its answers', () => {
    const item = { question: 'Capital of France?', answers: ['Paris'], expectations: ['It is short.', ' '] };
    const { tasks, notes } = readSplitFolder({ training: { path: 'train/items.json', text: JSON.stringify([item]) } });
    const [task] = tasks;
    assert.deepEqual([task?.references, task?.expectations, notes], [['Paris'], ['It is short.'], []]);
    const checks = task?.checks?.map(({ check, arguments: given }) => [check, given]);
    assert.deepEqual(checks, [['exact', { match: 'substring' }]]);
  });

  it('says which item has no question, and reads the others', () => {
    const text = '[{"answer": 1}, {"question": "Why?", "answer": "So."}]';
    const { tasks, notes } = readSplitFolder({
      training: { path: 'train/items.json', text },
    });
    assert.deepEqual(
      tasks.map(({ prompt }) => prompt),
      ['Why?'],
    );
    assert.match(notes[0]?.message ?? '', /^Item 1 needs “prompt” and “expectations”, or “answers”\.$/);
  });
});

describe('a ratio', () => {
  const ratios: readonly (readonly [string, readonly number[]])[] = [
    ['2:1:7', [2, 1, 7]],
    [' 4 : 4 : 2 ', [4, 4, 2]],
    ['1:1', [1, 1, 0]],
    ['0.5:0.5:0', [0.5, 0.5, 0]],
  ];
  for (const [text, expected] of ratios) {
    it(`reads ${text}`, () => assert.deepEqual(Object.values(parseRatio(text)), expected));
  }
  for (const text of ['', '2', '2:x', '1:2:3:4', '0:0:0', '-1:2:3', '1:Infinity']) {
    it(`refuses “${text}”`, () => assert.throws(() => parseRatio(text), UserError));
  }

  it('splits by largest remainder, the same for any order', () => {
    const tasks = Array.from({ length: 11 }, (_, index) => ({
      id: `t${index}`,
      prompt: `w${index}a w${index}b w${index}c`,
    }));
    const counts = countSides(assignByRatio(tasks, parseRatio('2:1:7')).tasks);
    assert.deepEqual(counts, { training: 2, heldOut: 1, sealed: 8 });
    const other = assignByRatio(tasks.toReversed(), parseRatio('2:1:7')).tasks.toReversed();
    assert.deepEqual(other, assignByRatio(tasks, parseRatio('2:1:7')).tasks);
  });

  it('keeps what belongs together together, and says what that costs', () => {
    const tasks = Array.from({ length: 10 }, (_, index) => ({
      id: `t${index}`,
      prompt: `w${index}a w${index}b`,
      ...(index < 6 ? { origin: 'one' } : {}),
    }));
    const { tasks: assigned, notes } = assignByRatio(tasks, parseRatio('1:1'));
    assert.equal(new Set(assigned.slice(0, 6).map((task) => task.assigned)).size, 1);
    assert.equal(notes.length, 2);
  });

  it('leaves alone what is on a side already', () => {
    const { tasks } = assignByRatio([{ id: 'a', prompt: 'x', assigned: 'sealed' }], parseRatio('1:1'));
    assert.equal(tasks[0]?.assigned, 'sealed');
  });
});

describe('the export of imported tasks', () => {
  it('reads back as the tasks that were imported, whatever the format', () => {
    const imported: readonly ImportedTasks[] = [
      readBenchmarkJsonl(
        {
          path: 'b',
          text: '{"task_id":"q1","task":"Find","judge":{"checks":[{"op":"tool_called","arg":"search"},{"op":"no_refusal"}]}}',
        },
        undefined,
      ),
      readSleepTasks({
        path: 's',
        text: JSON.stringify({
          format: 'skillopt_sleep.tasks.v1',
          tasks: [
            {
              id: 's1',
              intent: 'Do it well',
              system: 'S',
              source_sessions: ['x'],
              split: 'test',
              reference_kind: 'exact',
              reference: '42',
            },
          ],
        }),
      }),
      readSplitFolder({
        training: { path: 'f', text: '[{"question":"Q","answer":"A"}]' },
      }),
    ];
    const sources = imported.flatMap(({ tasks }) => tasks);
    const { texts, notes } = exportTasks(sources, {
      skillName: 'mail',
      existing: { evalsText: undefined, whetstoneText: undefined },
    });
    assert.deepEqual(notes, []);
    const { tasks, problems } = readTasks(
      { evalsText: texts.evalsText ?? '', evalsPath: 'e', whetstoneText: texts.whetstoneText, whetstonePath: 'w' },
      checkCatalog,
    );
    assert.deepEqual(problems, []);
    assert.deepEqual(
      tasks.map(({ id, prompt, checks, references, system, assigned, origin, draft, tools }) => ({
        id,
        prompt,
        checks,
        references,
        system,
        assigned,
        origin,
        draft,
        tools,
      })),
      sources.map(
        ({ id, prompt, checks = [], references = [], system, assigned, origin, draft = false, tools = [] }) => ({
          id,
          prompt,
          checks,
          references,
          system,
          assigned,
          origin,
          draft,
          tools,
        }),
      ),
    );
  });

  it('gives an id that is taken a number', () => {
    const existing = { evalsText: '{"evals":[{"id":1,"prompt":"x"}]}', whetstoneText: undefined };
    const { texts, notes } = exportTasks([{ id: '1', prompt: 'y' }], { skillName: 'mail', existing });
    assert.equal(texts.evalsText, '{"evals":[{"id":1,"prompt":"x"}, {"id":"1-2","prompt":"y"}]}');
    assert.equal(notes.length, 1);
  });
});

function countSides(tasks: readonly TaskSource[]): object {
  const count = (side: string): number => tasks.filter((task) => task.assigned === side).length;
  return { training: count('training'), heldOut: count('heldOut'), sealed: count('sealed') };
}

function sleepTask(rest: object): object {
  return { id: 't1', intent: 'Write the report', ...rest };
}

function file(tasks: readonly object[], rest: object = { reviewed: true }): ImportFile {
  return { path: 'tasks.json', text: JSON.stringify({ format: 'skillopt_sleep.tasks.v1', tasks, ...rest }) };
}

function items(rest: object): ImportFile {
  return {
    path: 'items.json',
    text: JSON.stringify([{ id: 7, question: 'Capital?', answers: ['Paris', 'Lutetia'], ...rest }]),
  };
}
