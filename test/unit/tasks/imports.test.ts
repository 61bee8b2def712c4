import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { parse } from 'yaml';
import { checkCatalog, prepareCheck } from '../../../src/checks/registry.js';
import { readCsv } from '../../../src/tasks/imports/csv.js';
import { readCsvTasks } from '../../../src/tasks/imports/csvTasks.js';
import { importExamples } from '../../../src/wording/importExamples.js';
import { isPromptfoo, readPromptfoo } from '../../../src/tasks/imports/promptfoo.js';
import { isWaza, readWaza } from '../../../src/tasks/imports/waza.js';
import { makeTask, type TaskSource } from '../../../src/tasks/makeTask.js';
import { readBenchmarkJsonl } from '../../../src/tasks/readers/benchmarkJsonl.js';
import type { ImportedTasks } from '../../../src/tasks/readers/importedTasks.js';

describe('comma-separated text', () => {
  const tables: Readonly<Record<string, readonly [string, readonly (readonly string[])[]]>> = {
    'quoted fields with separators, marks and line breaks': [
      'a,b\r\n"x, ""y""","1\n2"\r\n',
      [
        ['a', 'b'],
        ['x, "y"', '1\n2'],
      ],
    ],
    'semicolons, and a byte order mark': [
      '\uFEFFa;b\n1,5;2\n',
      [
        ['a', 'b'],
        ['1,5', '2'],
      ],
    ],
    tabs: [
      'a\tb\n1\t2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    'blank lines and old line ends': [
      'a,b\r\r1,2\r',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    'a mark inside a field': ['a\nsay "hi"\n', [['a'], ['say "hi"']]],
    nothing: ['', []],
  };
  for (const [name, [text, rows]] of Object.entries(tables))
    it(`reads ${name}`, () => {
      const csv = readCsv(text);
      assert.equal(csv.kind, 'rows');
      assert.deepEqual(
        csv.rows.map(({ cells }) => cells),
        rows,
      );
    });

  it('counts the lines of the file, not of the table, and says where a mark is never closed', () => {
    const csv = readCsv('a,b\n"1\n2",3\n4,"5\n6');
    assert.equal(csv.kind, 'unclosed');
    assert.deepEqual([csv.rows.map(({ line }) => line), csv.kind === 'unclosed' ? csv.line : 0], [[1, 2], 4]);
  });

  it('gives back what was written, whatever the fields hold', () => {
    const field = fc.string().map((text) => `x${text}`);
    fc.assert(
      fc.property(fc.array(fc.array(field, { minLength: 3, maxLength: 3 }), { minLength: 1 }), (rows) => {
        const text = rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n');
        assert.deepEqual(
          readCsv(text).rows.map(({ cells }) => cells),
          rows,
        );
      }),
    );
  });
});

describe('a table of tasks', () => {
  it('takes prompts, expectations, answers, tags and sides from their columns, and reports the others', () => {
    const text = [
      'ID;Prompt;Expectations;Expected;Answer;Tags;Split;Owner',
      'late;"My parcel; is late";"Be kind | Say what next";;;mail, angry;val;me',
      'sum;What is 2+2?;;;4;;;',
      'open;When?;;We open at nine.;;;;',
      ';;;;;;;nobody',
      'over;a;b;c;d;e;f;g;h',
    ].join('\n');
    const { tasks, notes } = readCsvTasks({ path: 't.csv', text });
    assert.deepEqual(tasks.map(shown), [
      { id: 'late', prompt: 'My parcel; is late', expectations: ['Be kind', 'Say what next'], checks: [] },
      { id: 'sum', prompt: 'What is 2+2?', expectations: [], checks: [['exact', { match: 'within' }]] },
      { id: 'open', prompt: 'When?', expectations: [], checks: [] },
    ]);
    assert.deepEqual(
      [tasks[0]?.tags, tasks[0]?.assigned, tasks[1]?.references, tasks[2]?.expectedOutput],
      [['mail', 'angry'], 'heldOut', ['4'], 'We open at nine.'],
    );
    assert.deepEqual(
      notes.map(({ message }) => message),
      [
        '“Owner” has no equal and is left behind.',
        'Line 5 needs a prompt and something that is expected of the answer.',
        'Line 6 has more fields than the header row. Put quotation marks around a text with a separator in it.',
      ],
    );
  });

  it('reads the assertions that promptfoo keeps in such a table', () => {
    const text =
      'question,__expected1,__expected2\nWhat is 2+2?,contains: 4,javascript: output.length < 9\nCapital?,Paris,"contains-all: a, b"\n';
    const { tasks, notes } = readCsvTasks({ path: 't.csv', text });
    assert.deepEqual(
      tasks.map(({ checks = [] }) => checks.map((one) => [one.check, one.arguments])),
      [
        [['contains', { text: '4', caseSensitive: true }]],
        [
          ['exact', { answers: ['Paris'] }],
          ['contains', { text: 'a', caseSensitive: true }],
          ['contains', { text: 'b', caseSensitive: true }],
        ],
      ],
    );
    assert.match(notes[0]?.message ?? '', /^There is no check like “javascript”/);
  });
});

describe('tests of promptfoo', () => {
  const config = parse(`
prompts:
  - 'Answer {{ name }}: {{question}}'
  - file://other.txt
defaultTest:
  vars: { name: Ann }
  assert:
    - { type: not-icontains, value: sorry }
tests:
  - description: Capital of France!
    vars: { question: 'What is the capital of France?', expected: Paris }
    threshold: 0.5
    assert:
      - { type: contains, value: '{{expected}}' }
      - { type: icontains-any, value: [seine, 'c++ (x)'] }
      - { type: regex, value: '(?i)par+is' }
      - { type: not-regex, value: 'lon+don' }
      - { type: starts-with, value: The }
      - { type: equals, value: 4 }
      - { type: is-json }
      - { type: is-json, value: { type: object, required: [a] } }
      - { type: llm-rubric, value: It is friendly., threshold: 0.6 }
      - { type: assert-set, assert: [{ type: icontains, value: x }] }
      - { type: javascript, value: 'output.length < 9' }
      - { type: similar, value: Paris, threshold: 0.8, weight: 2 }
      - { type: contains, value: 'file://secret.txt' }
      - { type: __proto__, value: x }
      - { type: not-regex, value: '(?m)^todo' }
  - vars: { question: [one, two] }
    assert: [{ type: contains, value: one }]
  - file://more.yaml
  - 7
`) as unknown;

  it('become tasks with the checks that say the same, in the words of the first prompt', () => {
    assert.ok(isPromptfoo(config));
    const { tasks } = readPromptfoo(config);
    assert.deepEqual(
      tasks.map(({ id, prompt }) => [id, prompt]),
      [
        ['capital-of-france', 'Answer Ann: What is the capital of France?'],
        ['test-2', 'Answer Ann: one'],
      ],
    );
    assert.deepEqual(
      (tasks[0]?.checks ?? []).map((one) => [one.check, one.arguments]),
      [
        ['not_contains', { text: 'sorry' }],
        ['contains', { text: 'Paris', caseSensitive: true }],
        [
          'regex',
          {
            pattern: String.raw`seine|c\+\+ \(x\)`,
            flags: 'i',
            criterion: 'The answer contains one of “seine”, “c++ (x)”.',
          },
        ],
        ['regex', { pattern: 'par+is', flags: 'i' }],
        ['regex', { pattern: String.raw`^(?![\s\S]*(?:lon+don))` }],
        ['regex', { pattern: '^The', criterion: 'The answer starts with “The”.' }],
        ['exact', { answers: ['4'] }],
        ['json_schema', { schema: true }],
        ['json_schema', { schema: { type: 'object', required: ['a'] } }],
        ['rubric', { rubric: 'It is friendly.', passFrom: 0.6 }],
        ['contains', { text: 'x' }],
        ['regex', { pattern: String.raw`\A(?![\s\S]*(?:^todo))`, flags: 'm' }],
      ],
    );
    sound(tasks);
  });

  it('are listed where they have no counterpart', () => {
    const messages = readPromptfoo(config).notes.map(({ field, message }) => `${field}: ${message}`);
    for (const said of [
      'prompts: There are several prompts. The tasks are asked with the first one.',
      'assert[11]: There is no check like “javascript”. The task is judged without it.',
      'assert[12]: There is no check like “similar”. The task is judged without it.',
      'assert[13]: There is no check like “contains”. The task is judged without it.',
      'assert[14]: There is no check like “__proto__”. The task is judged without it.',
      'threshold: “threshold” has no equal and is left behind.',
      'vars.question: “question” is a list. The first value of it is taken.',
      'test 3: Test 3 is the file “file://more.yaml”. Import that file, too.',
      'test 4: Test 4 is the file “7”. Import that file, too.',
    ])
      assert.ok(messages.includes(said), `${said}\nis not in\n${messages.join('\n')}`);
  });

  it('without a prompt in the file are asked with the variable that asks', () => {
    const { tasks } = readPromptfoo([
      { vars: { lang: 'de', question: 'Why?' }, assert: [{ type: 'contains', value: 'so' }] },
      { vars: { topic: 'tea', tone: 'dry' }, assert: [{ type: 'contains', value: 'tea' }] },
    ]);
    assert.deepEqual(
      tasks.map(({ prompt }) => prompt),
      ['Why?\n\nlang: de', 'topic: tea\ntone: dry'],
    );
  });
});

describe('an evaluation of Waza', () => {
  const suite = parse(`
name: x
hooks: { before_run: [{ command: rm }] }
graders:
  - { type: code, name: long, config: { assertions: ['len(output) > 10', '"ok" in output.lower()'] } }
  - { type: program, name: runs, config: { command: ./x.sh } }
tasks:
  - 'tasks/*.yaml'
  - id: one
    tags: [a]
    enabled: false
    inputs: { prompt: Explain this., files: [{ path: a.py }] }
    expected:
      output_contains: [function]
      output_not_contains: [panic]
      behavior: { required_tools: [read_file], max_tool_calls: 3 }
    graders:
      - type: text
        name: words
        config: { contains: [a], not_contains_cs: [B], regex_match: ['(?i)c+'], regex_not_match: [d], fuzzy: 1 }
      - { type: json_schema, name: shape, config: { schema: { type: object } } }
      - { type: prompt, name: judge, config: { prompt: 'Call set_waza_grade_pass if good.' } }
      - { type: prompt, name: rubric, rubric: Is it kind? }
      - { type: tool_constraint, name: tools, config: { expect_tools: [{ tool: search }], reject_tools: [{ tool: bash, command_pattern: rm }] } }
  - id: two
    prompt: Run my evals.
    expected: Should say how the skill does.
  - { id: three }
`) as unknown;

  it('becomes tasks with the graders that have a counterpart', () => {
    assert.ok(isWaza(suite));
    const { tasks } = readWaza(suite, []);
    assert.deepEqual(
      tasks.map(({ id, enabled, expectations }) => [id, enabled, expectations]),
      [
        ['one', false, []],
        ['two', true, ['Should say how the skill does.']],
      ],
    );
    assert.deepEqual(
      (tasks[0]?.checks ?? []).map((one) => [one.check, one.arguments]),
      [
        ['contains', { text: 'function' }],
        ['not_contains', { text: 'panic' }],
        ['tool_called', { tool: 'read_file' }],
        ['min_chars', { limit: 11 }],
        ['contains', { text: 'ok' }],
        ['contains', { text: 'a' }],
        ['not_contains', { text: 'B', caseSensitive: true }],
        ['regex', { pattern: 'c+', flags: 'i' }],
        ['regex', { pattern: String.raw`^(?![\s\S]*(?:d))` }],
        ['json_schema', { schema: { type: 'object' } }],
        ['rubric', { rubric: 'Is it kind?' }],
        ['tool_called', { tool: 'search' }],
      ],
    );
    sound(tasks);
  });

  it('lists what has none', () => {
    const messages = readWaza(suite, []).notes.map(
      ({ taskId, field, message }) => `${taskId ?? 'file'} ${field}: ${message}`,
    );
    for (const said of [
      'file hooks: “hooks” has no equal and is left behind.',
      'one runs: There is no check like “program”. The task is judged without it.',
      'one words.fuzzy: “fuzzy” has no equal and is left behind.',
      'one judge.prompt: “prompt” has no equal and is left behind.',
      'one tools.reject_tools: “reject_tools” has no equal and is left behind.',
      'one max_tool_calls: “max_tool_calls” has no equal and is left behind.',
      'one files: “files” has no equal and is left behind.',
      'file task 4: A task (task 4) needs “inputs” with a “prompt”.',
    ])
      assert.ok(messages.includes(said), `${said}\nis not in\n${messages.join('\n')}`);
  });
});

describe('the examples that are shown', () => {
  for (const { name, text } of importExamples)
    it(`can be imported: ${name}`, () => {
      const { tasks, notes } = imported(name, text);
      assert.ok(tasks.length > 0);
      assert.deepEqual(
        notes.map(({ message }) => message),
        [],
      );
      sound(tasks);
    });
});

describe('what an enemy gives to import', () => {
  it('never ends in anything but tasks and notes', () => {
    fc.assert(
      fc.property(fc.anything({ maxDepth: 4, withNullPrototype: true }), fc.string(), (value, text) => {
        readPromptfoo({
          tests: [value, { vars: value, assert: [value, { type: text, value }] }],
          prompts: value,
          defaultTest: value,
        });
        readWaza(
          {
            tasks: [
              value,
              { inputs: { prompt: text }, graders: [value, { type: text, config: value }], expected: value },
            ],
          },
          [],
        );
        readCsvTasks({ path: 'x.csv', text });
        readBenchmarkJsonl({ path: 'x.jsonl', text }, undefined);
      }),
      { numRuns: 200 },
    );
  });

  it('changes no prototype', () => {
    const text =
      '{"prompt":"a","expectations":["b"],"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    const { tasks } = readBenchmarkJsonl({ path: 'x.jsonl', text }, undefined);
    readPromptfoo(JSON.parse(`{"tests":[{"vars":${text},"assert":[]}]}`));
    assert.equal(tasks.length, 1);
    assert.equal(Reflect.get({}, 'polluted'), undefined);
  });

  it('is read in a time that grows as it does', () => {
    const part = process.env['WHETSTONE_FULL'] === '1' ? 1 : 4;
    const before = process.cpuUsage().user;
    readCsvTasks({ path: 'x.csv', text: `prompt,expected\n${'"a",b\n'.repeat(20_000 / part)}` });
    readCsv('"'.repeat(400_000 / part + 1));
    assert.ok((process.cpuUsage().user - before) / 1000 < 8000 / part); // half a second for the whole where nothing else runs
  });
});

function imported(name: string, text: string): ImportedTasks {
  if (name.endsWith('.jsonl')) return readBenchmarkJsonl({ path: name, text }, undefined);
  if (name.endsWith('.csv')) return readCsvTasks({ path: name, text });
  const value = parse(text) as unknown;
  return isPromptfoo(value) ? readPromptfoo(value) : readWaza(value, []);
}

function shown({ id, prompt, expectations, checks = [] }: TaskSource): object {
  return { id, prompt, expectations, checks: checks.map((one) => [one.check, one.arguments]) };
}

/** Every check is one that our own files could state. */
function sound(tasks: readonly TaskSource[]): void {
  for (const source of tasks)
    for (const spec of source.checks ?? []) {
      const task = makeTask(source);
      assert.equal(prepareCheck(spec, task).kind, 'prepared', JSON.stringify(spec));
      assert.equal(checkCatalog.inspect(spec, task).kind, 'sound', JSON.stringify(spec));
    }
}
