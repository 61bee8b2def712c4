import assert from 'node:assert/strict';
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { taskFilesIn } from '../../builders/aSkillFolder.js';
import { snapshotOf } from '../../builders/commandLine.js';
import { evals, lines, listed, put, taskShells } from '../../builders/taskShell.js';

const { aSkill, dispose } = taskShells();

describe('whetstone tasks import', () => {
  after(dispose);

  const jsonl = [
    { task_id: 'a', task: 'Write a note', judge: { kind: 'rule', checks: [{ op: 'contains', arg: 'note' }] } },
    {
      task_id: 'b',
      task: 'Write a memo on trains',
      judge: { checks: [{ op: 'levenshtein', arg: 3 }] },
      difficulty: 'hard',
    },
  ];
  const heldOut = [{ task_id: 'c', task: 'Write to the mayor', judge: { checks: [{ op: 'max_chars', arg: '90' }] } }];
  const sleep = {
    format: 'skillopt_sleep.tasks.v1',
    reviewed: true,
    tasks: [
      {
        id: 's1',
        intent: 'Fix the date',
        reference_kind: 'exact',
        reference: '2024-05-01',
        split: 'val',
        mood: 'good',
      },
    ],
  };

  interface ImportCase {
    readonly name: string;
    readonly files: Readonly<Record<string, string>>;
    readonly words: readonly string[];
    readonly sides: Readonly<Record<string, string>>;
    readonly notes: readonly RegExp[];
  }
  const cases: readonly ImportCase[] = [
    {
      name: 'a benchmark of JSON lines',
      files: { 'bench.jsonl': lines(jsonl) },
      words: ['bench.jsonl'],
      sides: { a: 'training', b: 'error' },
      notes: [/b: difficulty: /, /b: judge\.checks\[0\]: There is no check like “levenshtein”/],
    },
    {
      name: 'promptfoo tests that forbid a pattern',
      files: {
        'pf.json': JSON.stringify({
          prompts: ['{{mail}}'],
          tests: [
            { vars: { mail: 'My invoice is wrong' }, assert: [{ type: 'not-regex', value: 'bank' }] },
            { vars: { mail: 'The parcel was wet' }, assert: [{ type: 'regex', value: '^[^!]*$' }] },
          ],
        }),
      },
      words: ['pf.json'],
      sides: { 'test-1': 'training', 'test-2': 'training' },
      notes: [],
    },
    {
      name: 'promptfoo tests with a pattern that is none',
      files: {
        'pf.json': JSON.stringify({
          prompts: ['{{mail}}'],
          tests: [
            { vars: { mail: 'My invoice is wrong' }, assert: [{ type: 'regex', value: '[a-' }] },
            { vars: { mail: 'The parcel was wet' }, assert: [{ type: 'contains', value: 'sorry' }] },
          ],
        }),
      },
      words: ['pf.json'],
      sides: { 'test-1': 'error', 'test-2': 'training' },
      notes: [/These cannot be used as they are.*:\n {2}test-1: There is a fault in its check “regex”: /],
    },
    {
      name: 'the held-out file beside it',
      files: { 'bench.jsonl': lines(jsonl.slice(0, 1)), 'apart.jsonl': lines(heldOut) },
      words: ['bench.jsonl', '--held-out', 'apart.jsonl'],
      sides: { a: 'training', c: 'held-out' },
      notes: [],
    },
    {
      name: 'a benchmark with held-out.jsonl beside it',
      files: { 'set/bench.jsonl': lines(jsonl.slice(0, 1)), 'set/held-out.jsonl': lines(heldOut) },
      words: ['set/bench.jsonl'],
      sides: { a: 'training', c: 'held-out' },
      notes: [/held-out\.jsonl: It lies beside the file, and its tasks came along as held-out tasks\./],
    },
    {
      name: 'held-out.jsonl by itself',
      files: { 'set/held-out.jsonl': lines(heldOut) },
      words: ['set/held-out.jsonl', '--ratio', '0:1:0'],
      sides: { c: 'held-out' },
      notes: [],
    },
    {
      name: 'lines of questions and answers',
      files: { 'qa.jsonl': lines(items('granite')) },
      words: ['qa.jsonl'],
      sides: { granite: 'training' },
      notes: [/granite: year: /],
    },
    {
      name: 'a list under data',
      files: { 'qa.json': JSON.stringify({ version: 1, data: items('granite') }) },
      words: ['qa.json'],
      sides: { granite: 'training' },
      notes: [],
    },
    {
      name: 'a split folder with files of any name',
      files: {
        'set/train/train.json': JSON.stringify(items('granite')),
        'set/train/zebra.json': JSON.stringify(items('zebra')),
        'set/valid_seen/any.json': JSON.stringify({ data: items('slate') }),
        'set/test/lines.jsonl': lines(items('marble')),
        'set/split_manifest.json': '{}',
      },
      words: ['set'],
      sides: { granite: 'training', slate: 'held-out', marble: 'sealed' },
      notes: [/train: train\.json was read; zebra\.json was not\./],
    },
    {
      name: 'a folder with one file of items',
      files: { 'set/anything.json': JSON.stringify(items('granite')), 'set/readme.md': 'x' },
      words: ['set'],
      sides: { granite: 'training' },
      notes: [],
    },
    {
      name: 'tasks of SkillOpt-Sleep',
      files: { 'tasks.json': JSON.stringify(sleep) },
      words: ['tasks.json'],
      sides: { s1: 'held-out' },
      notes: [/s1: mood: /],
    },
    {
      name: 'a folder with train, val and test',
      files: {
        'set/train/items.json': JSON.stringify(items('granite')),
        'set/val/items.json': JSON.stringify(items('slate')),
        'set/test/items.json': JSON.stringify(items('marble')),
      },
      words: ['set'],
      sides: { granite: 'training', slate: 'held-out', marble: 'sealed' },
      notes: [/granite: year: /],
    },
    {
      name: 'a list of items that nobody split',
      files: { 'items.json': JSON.stringify([...items('granite'), ...items('slate')]) },
      words: ['items.json', '--ratio', '0:0:1'],
      sides: { granite: 'sealed', slate: 'sealed' },
      notes: [/granite: year: /],
    },
    {
      name: 'a folder with such a list',
      files: { 'set/items.json': JSON.stringify(items('granite')) },
      words: ['set'],
      sides: { granite: 'training' },
      notes: [],
    },
    {
      name: 'a ratio',
      files: {
        'bench.jsonl': lines(
          evals.map(({ prompt: task }, index) => ({ task_id: `r${index}`, task, judge: { rubric: 'It greets.' } })),
        ),
      },
      words: ['bench.jsonl', '--ratio', '0:1:0'],
      sides: { r0: 'held-out', r1: 'held-out', r2: 'held-out', r3: 'held-out' },
      notes: [],
    },
    {
      name: 'plain lines of which one is wrong',
      files: { 'plain.jsonl': '{"prompt": "Wave", "expectations": ["It is kind."]}\n{"prompt": "Nod"}\n' },
      words: ['plain.jsonl'],
      sides: { 'line-1': 'training' },
      notes: [/Line 2 needs “prompt” and “expectations”, “task_id” and “task”, or “question” and “answers”\./],
    },
    {
      name: 'patterns of which one cannot be put into words',
      files: {
        'bench.jsonl': lines([
          {
            task_id: 'plain',
            task: 'Rate the login page',
            judge: { checks: [{ op: 'regex', arg: 'Risk: (high|low)' }] },
          },
          { task_id: 'odd', task: 'Name two colours', judge: { checks: [{ op: 'regex', arg: String.raw`(\w+) \1` }] } },
        ]),
      },
      words: ['bench.jsonl'],
      sides: { plain: 'training', odd: 'training' },
      notes: [
        /The optimizer is not told what these checks demand\. Say it in their field “criterion” in evals\/whetstone\.json:\n  odd: regex$/m,
      ],
    },
    {
      name: 'an evaluation of Waza with its task files',
      files: {
        'suite/eval.yaml': 'name: x\ntasks: ["tasks/*.yaml", "../*.yaml", "none.yaml"]\n',
        'suite/tasks/one.yaml': 'id: one\ninputs: {prompt: Say hello}\nexpected: {output_contains: [hello]}\n',
        'suite/tasks/two.yaml': 'id: two\ninputs: {prompt: Say goodbye}\nexpected: {output_contains: [bye]}\n',
        'suite/tasks/three.yaml': 'id: {\n',
        'outside.yaml': 'id: outside\ninputs: {prompt: Say more}\n',
      },
      words: ['suite/eval.yaml'],
      sides: { one: 'training', two: 'training' },
      notes: [
        /There is no file of tasks “\.\.\/\*\.yaml”/,
        /no file of tasks “none\.yaml”/,
        /three\.yaml cannot be imported/,
      ],
    },
    {
      name: 'a ratio for tasks that have a side',
      files: { 'tasks.json': JSON.stringify(sleep) },
      words: ['tasks.json', '--ratio', '1:0:0'],
      sides: { s1: 'held-out' },
      notes: [/file: ratio: It leaves 1 of the 1 tasks where they are/],
    },
  ];
  for (const { name, files, words, sides, notes } of cases) {
    it(`brings in ${name}, and reports what has no equal`, async () => {
      const { shell, folder } = aSkill({});
      put(shell.folder, files);
      const done = await shell.run('tasks', 'import', folder, ...words);
      assert.equal(done.code, 0, done.err);
      assert.match(
        done.out,
        new RegExp(
          `^${Object.keys(sides).length === 1 ? 'One task was' : `${Object.keys(sides).length} tasks were`} added`,
        ),
      );
      for (const note of notes) assert.match(done.out, note);
      const list = await listed(shell, folder);
      assert.deepEqual(Object.fromEntries(list.tasks.map(({ id, side }) => [id, side])), sides);
    });
  }

  it('leaves a task that cannot be used named in a dry run, too', async () => {
    const { shell, folder } = aSkill({});
    const told = (at: number): object => ({
      task_id: `t${at}`,
      task: `Write to ${cities[at]}`,
      judge: { checks: [note] },
    });
    const broken = { task_id: 'torn', task: 'Write a memo', judge: { checks: [{ op: 'regex', arg: '[a-' }] } };
    put(shell.folder, { 'bench.jsonl': lines([...cities.map((_, at) => told(at)), broken]) });
    const { out } = await shell.run('tasks', 'import', folder, 'bench.jsonl');
    assert.match(out, /These cannot be used as they are.*\n {2}torn: There is a fault in its check “regex”: /);
    const dry = await shell.run('optimize', folder, '--dry-run');
    assert.match(dry.out, /^error: The task “torn” cannot be used: There is a fault in its check “regex”: /m);
    assert.equal(dry.out.split('There is a fault').length, 2, 'told once');
  });

  it('clears away what a writer that was killed left beside the files, and nothing that may still be written', async () => {
    const { shell, folder } = aSkill({});
    put(shell.folder, { 'bench.jsonl': lines(jsonl.slice(0, 1)) });
    const left = ['.evals.json.0123456789ab.whetstone-tmp', '.evals.json.ba9876543210.whetstone-tmp'];
    mkdirSync(path.join(folder, 'evals'), { recursive: true });
    for (const name of left) writeFileSync(path.join(folder, 'evals', name), '{');
    utimesSync(path.join(folder, 'evals', left[0] ?? ''), 1, 1);
    const done = await shell.run('tasks', 'import', folder, 'bench.jsonl');
    assert.equal(done.code, 0, done.err);
    assert.deepEqual(
      left.map((name) => existsSync(path.join(folder, 'evals', name))),
      [false, true],
    );
  });

  it('adds to what is there, gives a taken id a number, and leaves the rest as it was', async () => {
    const evalsText =
      '{\n\t"skill_name": "greeter", "by": "hand",\n\t"evals": [\n\t\t{"id": "a", "prompt": "Mine", "expectations": ["x"]}\n\t]\n}\n';
    const { shell, folder } = aSkill({ 'evals/evals.json': evalsText });
    put(shell.folder, { 'bench.jsonl': lines(jsonl.slice(0, 1)) });
    const done = await shell.run('tasks', 'import', folder, 'bench.jsonl');
    assert.match(done.out, /a-2: id: “a” is taken/);
    const { evals: after } = taskFilesIn(folder);
    assert.ok(after.startsWith(evalsText.slice(0, evalsText.indexOf('\n\t]'))), after);
    assert.match(after, /"a-2"/);
  });

  it('skips what is there, and says so: the same file twice brings nothing the second time', async () => {
    const { shell, folder } = aSkill({});
    put(shell.folder, { 'bench.jsonl': lines(jsonl) });
    await shell.run('tasks', 'import', folder, 'bench.jsonl');
    const before = taskFilesIn(folder);
    const again = await shell.run('tasks', 'import', folder, 'bench.jsonl');
    assert.equal(again.code, 0);
    assert.match(again.out, /^0 tasks were added\.\n\d+ are there already:\n {2}“/);
    assert.doesNotMatch(again.out, /Not read/);
    assert.match(again.out, /was left out: the task “.+” has the same words and files\./);
    assert.deepEqual(taskFilesIn(folder), before);
  });

  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${['b', 'c', 'd', 'e', 'f']
    .map((name, at) => `${name}: &${name} [${`*${'abcde'[at] ?? ''},`.repeat(9)}]`)
    .join('\n')}\ntests: *f\n`;
  const refused: readonly (readonly [
    string,
    Readonly<Record<string, string | Uint8Array>>,
    readonly string[],
    RegExp,
  ])[] = [
    ['a file that is not there', {}, ['none.jsonl'], /no file .*none\.jsonl/],
    ['a folder without items', { 'set/readme.txt': 'x' }, ['set'], /no train, val or test folder/],
    [
      'a folder with several files',
      { 'set/a.json': '[]', 'set/b.json': '[]' },
      ['set'],
      /set holds several files that may be tasks: a\.json, b\.json\. Name one of them/,
    ],
    [
      'broken JSON lines',
      { 'b.jsonl': '{"task_id": "a"\n' },
      ['b.jsonl'],
      /b\.jsonl cannot be imported\. Line 1 is not valid JSON\. Correct the file and import it again; “whetstone tasks import --help” shows an example/,
    ],
    [
      'a line without a task',
      { 'b.jsonl': '# remark\n{"task_id": "a"}\n' },
      ['b.jsonl'],
      /b\.jsonl cannot be imported\. Line 2 needs “prompt” and “expectations”, “task_id” and “task”, or “question” and “answers”\./,
    ],
    ['broken JSON', { 'b.json': '{"format": ' }, ['b.json'], /b\.json cannot be imported\. .*is not valid JSON/],
    [
      'JSON of another kind',
      { 'b.json': '{"name": "package"}' },
      ['b.json'],
      /none of the kinds of tasks that are known/,
    ],
    [
      'a list of something else',
      { 'b.json': '[1, 2]' },
      ['b.json'],
      /b\.json cannot be imported\. It is not a list of tasks/,
    ],
    [
      'items without a question',
      { 'b.json': '[{"id": 1}]' },
      ['b.json'],
      /Item 1 needs “prompt” and “expectations”, or “answers”/,
    ],
    ['an empty file', { 'b.json': '' }, ['b.json'], /b\.json cannot be imported\. It is not valid JSON/],
    [
      'a file in Latin-1',
      { 'b.jsonl': Buffer.from('{"task_id":"a","task":"caf\xe9"}', 'latin1') },
      ['b.jsonl'],
      /not UTF-8/,
    ],
    ['a file in UTF-16', { 'b.jsonl': Buffer.from('\uFEFF{"task_id":"a"}', 'utf16le') }, ['b.jsonl'], /not UTF-8/],
    ['a ratio that is none', { 'b.jsonl': lines(jsonl) }, ['b.jsonl', '--ratio', 'half'], /not a ratio/],
    [
      'a held-out file that is not there',
      { 'b.jsonl': lines(jsonl) },
      ['b.jsonl', '--held-out', 'no.jsonl'],
      /no file .*no\.jsonl/,
    ],
    ...(
      [
        ['deep.jsonl', `{"task_id":"a","task":"q","judge":{"checks":[{"op":"contains","arg":NEST}]}}`],
        ['deep.json', `[{"id":"a","question":"q","answers":[NEST]}]`],
        ['sleep.json', `{"format":"skillopt_sleep.tasks.v1","tasks":[{"id":"a","intent":"q","judge":NEST}]}`],
        ['deep.yaml', `tests: [{ vars: { a: NEST } }]`],
      ] as const
    ).flatMap(([name, text]) =>
      [150, 100_000].map(
        (depth) =>
          [
            `${name} with ${depth} nested lists`,
            { [name]: text.replace('NEST', '['.repeat(depth) + ']'.repeat(depth)) },
            [name],
            /nested too deeply/,
          ] as const,
      ),
    ),
    [
      'YAML of another kind',
      { 'b.yaml': 'name: package\n' },
      ['b.yaml'],
      /neither the “tests” of promptfoo nor the “tasks” of Waza/,
    ],
    ['broken YAML', { 'b.yaml': 'tests:\n  - vars: {a: "x}\n' }, ['b.yaml'], /Line \d+ is not valid YAML\./],
    ['YAML that multiplies itself', { 'b.yaml': bomb }, ['b.yaml'], /uses its own parts too often/],
    [
      'a table without a header row',
      { 'b.csv': 'Why?,So.\n' },
      ['b.csv'],
      /Line 1 needs a column “prompt” and a column “expectations”/,
    ],
    [
      'a table with nothing expected',
      { 'b.csv': 'prompt\nWhy?\n' },
      ['b.csv'],
      /Line 2 needs a prompt and something that is expected/,
    ],
    [
      'an open quotation mark',
      { 'b.csv': 'prompt,expectations\n"Why?,So.\n' },
      ['b.csv'],
      /Line 2 opens a quotation mark/,
    ],
    ['a program', { 'b.csv': Buffer.from([0, 255, 254, 200, 10, 0]) }, ['b.csv'], /not UTF-8/],
    [
      'a held-out file beside anything but JSON lines',
      { 'b.json': JSON.stringify(sleep), 'c.jsonl': lines(heldOut) },
      ['b.json', '--held-out', 'c.jsonl'],
      /A separate held-out file goes with a \.jsonl file/,
    ],
  ];
  for (const [name, files, words, says] of refused) {
    it(`refuses ${name} in clear words, and touches nothing`, async () => {
      const { shell, folder } = aSkill({ 'evals/evals.json': { evals } });
      put(shell.folder, files);
      const before = snapshotOf(shell.folder);
      const done = await shell.run('tasks', 'import', folder, ...words);
      assert.notEqual(done.code, 0);
      assert.match(done.err, says);
      assert.doesNotMatch(done.err, /^\s+at /m);
      assert.deepEqual(snapshotOf(shell.folder), before);
    });
  }

  it('refuses to add to a file that is broken', async () => {
    const { shell, folder } = aSkill({ 'evals/evals.json': '{"evals": [' });
    put(shell.folder, { 'bench.jsonl': lines(jsonl) });
    const before = snapshotOf(shell.folder);
    const done = await shell.run('tasks', 'import', folder, 'bench.jsonl');
    assert.match(done.err, /evals\.json, line 1, column/);
    assert.deepEqual(snapshotOf(shell.folder), before);
  });
});

function items(words: string): readonly object[] {
  return [{ id: words, question: `What is ${words}?`, answer: words, year: 3 }];
}

const note = { op: 'contains', arg: 'note' };
const cities = ['Lima', 'Oslo', 'Rome', 'Cairo', 'Quito', 'Hanoi', 'Perth', 'Accra'];
