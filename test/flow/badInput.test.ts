import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { aCommandLine, snapshotOf, type CommandLine } from '../builders/commandLine.js';

interface BadInput {
  readonly name: string;
  readonly prepare: (skillFolder: string) => void;
  /** What the message must say: what happened, and what to do. */
  readonly says: readonly RegExp[];
  readonly code: 1 | 2;
}

const skillText = '---\nname: greeter\ndescription: Greets people.\n---\n\n# Greeter\n\nGreet people.\n';
const task = (id: number): object => ({
  id: `t${id}`,
  prompt: `Greet number ${id}, who likes ${'abcdefghij'[id % 10]} and is ${id} years old.`,
});

const cases: readonly BadInput[] = [
  {
    name: 'no SKILL.md',
    prepare: (folder) => rmSync(path.join(folder, 'SKILL.md')),
    says: [/no SKILL\.md/i, /Give the path/],
    code: 2,
  },
  {
    name: 'an empty SKILL.md',
    prepare: write('SKILL.md', ''),
    says: [/is empty/, /Write what the skill should do/],
    code: 1,
  },
  {
    name: 'a SKILL.md of 5 MB',
    prepare: write('SKILL.md', `# Big\n\n${'word '.repeat(1_000_000)}\n`),
    says: [/at most 1 MB/, /Move reference material/],
    code: 1,
  },
  {
    name: 'a binary file named SKILL.md',
    prepare: write('SKILL.md', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2])),
    says: [/binary file/, /UTF-8/],
    code: 1,
  },
  {
    name: 'a SKILL.md in UTF-16',
    prepare: write('SKILL.md', Buffer.from(`\ufeff${skillText}`, 'utf16le')),
    says: [/UTF-16/, /Save it with the encoding UTF-8/],
    code: 1,
  },
  {
    name: 'no evals',
    prepare: (folder) => rmSync(path.join(folder, 'evals'), { recursive: true }),
    says: [/no tasks/, /evals\/evals\.json/],
    code: 2,
  },
  {
    name: 'malformed JSON',
    prepare: write('evals/evals.json', '{ "evals": [ { "id": 1, '),
    says: [/evals\.json/, /line 1/],
    code: 1,
  },
  {
    name: 'one task',
    prepare: write('evals/evals.json', JSON.stringify({ evals: [task(1)] })),
    says: [/too few tasks/, /Seven are needed at least/],
    code: 2,
  },
  {
    name: 'no task at all',
    prepare: write('evals/evals.json', JSON.stringify({ evals: [] })),
    says: [/no task that can be attempted/],
    code: 2,
  },
  ...Object.entries({
    'a name that nothing is brought by': {
      brings: ['item'],
      says: /“environments\.post\.brings\.0” must be one of .*Did you mean “items”\?/,
    },
    'a mistyped key': { bring: ['items'], says: /“bring” is no key of an environment\. Did you mean “brings”\?/ },
    'half a key': { timeLimit: 20, says: /“timeLimit” is no key .* Did you mean “timeLimitSeconds”\?/ },
    'a number in quotes': { timeLimitSeconds: '20', says: /“environments\.post\.timeLimitSeconds” must be a number/ },
  }).map(([what, { says, ...wrong }]): BadInput => ({
    name: `no evals.json, and an environment declared with ${what}`,
    prepare: onlyDeclared({ command: 'python3', arguments: ['post.py'], brings: ['items'], ...wrong }),
    says: [says, /whetstone\.json, line \d+, column/, /fix it there/],
    code: 1,
  })),
];

describe('bad input', () => {
  let line: CommandLine;
  let skillFolder: string;

  beforeEach(() => {
    line = aCommandLine();
    skillFolder = path.join(line.folder, 'skills', 'greeter');
    write('SKILL.md', skillText)(skillFolder);
    write(
      'evals/evals.json',
      JSON.stringify({ evals: Array.from({ length: 12 }, (_, index) => task(index)) }),
    )(skillFolder);
    const entries = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [
        `t${index}`,
        {
          checks: [
            { check: 'max_chars', limit: 200 },
            { check: 'contains', text: 'Hello' },
          ],
        },
      ]),
    );
    write(
      'evals/whetstone.json',
      JSON.stringify({ format: 'whetstone.tasks', version: 1, tasks: entries }),
    )(skillFolder);
  });

  afterEach(() => line.dispose());

  for (const { name, prepare, says, code } of cases) {
    it(`${name}: says what happened and what to do, and changes no file`, async () => {
      prepare(skillFolder);
      const before = snapshotOf(line.folder);
      const result = await line.run('optimize', skillFolder);
      assert.equal(result.code, code, result.err);
      for (const pattern of says) assert.match(result.err, pattern);
      assert.doesNotMatch(result.err, /\bat .*:\d+:\d+/, 'no stack is shown');
      assert.deepEqual(snapshotOf(line.folder), before);
    });
  }

  for (const words of [
    ['tasks', 'list'],
    ['optimize', '--dry-run'],
  ])
    it(`a mistake in an environment that was to bring the tasks is named by ${words.join(' ')}, on its own line`, async () => {
      onlyDeclared({ command: 'python3', bring: ['items'] })(skillFolder);
      const { err } = await line.run(...words, skillFolder);
      assert.match(err, /whetstone\.json, line 7, column 7: “environments\.post”: “bring” is no key of an environment/);
    });

  it('broken front matter: trains the body and leaves the front matter alone', async () => {
    const text = `---\nname: [unclosed\ndescription: : :\n---\n\n# Greeter\n\nGreet people.\n`;
    write('SKILL.md', text)(skillFolder);
    const before = snapshotOf(line.folder);
    const result = await line.run('optimize', skillFolder, '--json');
    assert.equal(result.code, 0, result.err);
    assert.deepEqual(snapshotOf(line.folder), before);
    await line.run('adopt', skillFolder);
    const after = Buffer.from(snapshotOf(line.folder)['skills/greeter/SKILL.md'] ?? '', 'base64').toString('utf8');
    assert.ok(after.startsWith('---\nname: [unclosed\ndescription: : :\n---\n'), after);
  });

  it('a symlinked skill: the real file is trained once, whichever link names it', async () => {
    const link = path.join(line.folder, '.claude');
    mkdirSync(link);
    symlinkSync(skillFolder, path.join(link, 'greeter'));
    const first = await line.run('optimize', path.join(link, 'greeter'), '--preset', 'quick');
    assert.equal(first.code, 0, first.err);
    const shown = await line.run('show', skillFolder, '--json');
    assert.equal(shown.code, 0, shown.err);
  });

  it('an adopted proposal can be undone, byte for byte', async () => {
    const before = snapshotOf(line.folder);
    await line.run('optimize', skillFolder, '--preset', 'quick');
    const adopted = await line.run('adopt', skillFolder);
    assert.equal(adopted.code, 0, adopted.err);
    assert.notDeepEqual(snapshotOf(line.folder), before);
    const undone = await line.run('undo', skillFolder);
    assert.equal(undone.code, 0, undone.err);
    assert.deepEqual(snapshotOf(line.folder), before);
    assert.equal((await line.run('undo', skillFolder)).code, 2, 'there is nothing left to undo');
  });
});

/** As a person leaves it who lets an environment bring the tasks. */
function onlyDeclared(post: object): (folder: string) => void {
  const declared = { format: 'whetstone.tasks', version: 1, environments: { post } };
  return (folder) => {
    rmSync(path.join(folder, 'evals/evals.json'));
    write('evals/whetstone.json', JSON.stringify(declared, undefined, 2))(folder);
  };
}

function write(file: string, content: string | Buffer): (folder: string) => void {
  return (folder) => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), content);
  };
}
