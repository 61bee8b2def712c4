import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { UserError } from '../../../src/errors.js';
import { parseSchedule } from '../../../src/schedule/cronExpression.js';
import {
  crontabBlock,
  crontabLine,
  entryIn,
  withEntry,
  withoutEntry,
  shellEnvironmentFile,
} from '../../../src/schedule/crontab.js';
import { environmentFileMode, type OsEntry } from '../../../src/schedule/osEntry.js';

describe('crontabBlock', () => {
  it('is the exact text, readable where the paths are plain', () => {
    assert.equal(
      crontabBlock(anEntry()),
      [
        '# >>> whetstone abc123 (managed: whetstone schedule) >>>',
        '# /home/ada/project',
        "17 3 * * * /bin/sh -c 'umask 077; exec >>/home/ada/state/night.log 2>&1; set -a; . /home/ada/state/night.env; set +a; exec /usr/bin/node /opt/whetstone/cli.js night --root /home/ada/project'",
        '# <<< whetstone abc123 <<<',
        '',
      ].join('\n'),
    );
  });

  const refused: readonly (readonly [name: string, entry: Partial<OsEntry>, why: RegExp])[] = [
    ['a program found by PATH', { program: 'node' }, /“node” is not an absolute path/u],
    ['a relative environment file', { environmentFile: 'night.env' }, /not an absolute path/u],
    ['a relative log', { logFile: './night.log' }, /not an absolute path/u],
    ['a line break in a path', { root: '/home/ada/a\nb' }, /line break/u],
    ['a line break in an argument', { arguments: ['a\n* * * * * rm'] }, /line break/u],
    ['an id that could end the marker', { id: 'a >>>' }, /only lower-case letters/u],
    ['two backslashes, which crons read differently', { root: '/a', arguments: ['a\\\\b'] }, /holds/u],
    ['a backslash before a percent sign', { root: '/a', arguments: ['a\\%b'] }, /holds/u],
    ['a line that cron would cut', { arguments: ['x'.repeat(1000)] }, /too long/u],
  ];
  for (const [name, entry, why] of refused)
    it(`refuses ${name}`, () => {
      assert.throws(
        () => crontabBlock(anEntry(entry)),
        (error: unknown) => error instanceof UserError && error.code === 'schedule-refused' && why.test(error.message),
      );
    });
});

describe('the line, as cron would execute it in a bare environment', () => {
  const names: readonly (readonly [name: string, folder: string])[] = [
    ['plain', 'plain'],
    ['spaces', 'my project  two'],
    ['single quotes', "it's 'quoted'"],
    ['double quotes', 'a "b" c'],
    ['percent signs', '100% of %HOME%'],
    ['a backslash', String.raw`a\b 50%`],
    ['dollars, backticks and semicolons', '$HOME `id`; echo $(id) & #'],
    ['letters of many scripts', 'Ünïcode 技能 каталог 🙂'],
    ['a leading hyphen and glob characters', '-n *?[a]'],
  ];
  for (const [name, folder] of names)
    it(`finds its programs, arguments, environment and log: ${name}`, () => {
      withMachine(folder, ({ entry, home, variables }) => {
        asCron(crontabLine(entry), home);
        const seen: unknown = JSON.parse(readFileSync(entry.logFile, 'utf8'));
        assert.deepEqual(seen, { arguments: entry.arguments.slice(1), environment: variables });
        assert.equal(statSync(entry.logFile).mode & 0o777, 0o600);
      });
    });

  it('appends to the log, and leaves the reason there when the program is gone', () => {
    withMachine('gone', ({ entry, home }) => {
      writeFileSync(entry.logFile, 'before\n');
      assert.throws(() => asCron(crontabLine({ ...entry, program: '/nowhere/node' }), home));
      assert.match(readFileSync(entry.logFile, 'utf8'), /^before\n.*\/nowhere\/node/su);
    });
  });

  it('leaves the reason in the log when the environment file is gone, and runs nothing', () => {
    withMachine('no environment', ({ entry, home }) => {
      rmSync(entry.environmentFile);
      assert.throws(() => asCron(crontabLine(entry), home));
      const log = readFileSync(entry.logFile, 'utf8');
      assert.match(log, /night\.env/u);
      assert.doesNotMatch(log, /arguments/u);
    });
  });
});

describe('withEntry and withoutEntry', () => {
  const others = '# mine\nMAILTO=ada@example.org\n\n0 5 * * 1 /usr/bin/backup --all \\% >/dev/null\n';

  it('puts the block at the end and takes exactly it away again', () => {
    const installed = withEntry(others, anEntry());
    assert.equal(installed, others + crontabBlock(anEntry()));
    assert.equal(withoutEntry(installed, 'abc123'), others);
  });

  it('replaces its own block in place and leaves other roots’ blocks alone', () => {
    const two = withEntry(withEntry(others, anEntry()), anEntry({ id: 'other', root: '/home/ada/other' }));
    const later = anEntry({ cron: parseSchedule('04:05') });
    const moved = withEntry(two, later);
    assert.equal(moved, others + crontabBlock(later) + crontabBlock(anEntry({ id: 'other', root: '/home/ada/other' })));
    assert.equal(withEntry(moved, later), moved);
    assert.equal(entryIn(moved, 'abc123'), crontabBlock(later));
    assert.equal(entryIn(moved, 'nobody'), undefined);
  });

  it('does not take one root’s block for another whose id starts the same', () => {
    const crontab = withEntry('', anEntry({ id: 'abc' }));
    assert.equal(withoutEntry(crontab, 'ab'), crontab);
    assert.equal(entryIn(crontab, 'ab'), undefined);
  });

  it('ends a last line that lacks its line break, which cron would ignore', () => {
    assert.equal(withEntry('0 5 * * * x', anEntry()), `0 5 * * * x\n${crontabBlock(anEntry())}`);
  });

  const block = crontabBlock(anEntry());
  const [start = ''] = block.split('\n');
  const damaged: readonly (readonly [name: string, crontab: string])[] = [
    ['an opening without its end', `${start}\n0 5 * * * mine\n`],
    ['an end without its opening', '0 5 * * * mine\n# <<< whetstone abc123 <<<\n'],
    ['the block twice', block + block],
    ['the end before the opening', `# <<< whetstone abc123 <<<\n${start}\n`],
  ];
  for (const [name, crontab] of damaged)
    it(`refuses to guess: ${name}`, () => {
      for (const change of [() => withEntry(crontab, anEntry()), () => withoutEntry(crontab, 'abc123')])
        assert.throws(change, (error: unknown) => error instanceof UserError && /damaged/u.test(error.message));
    });

  it('keeps every other byte, whatever the crontab holds', () => {
    const line = fc.constantFrom('', '# x', '0 5 * * * /bin/true', 'A=b', '\t', 'caf\u00e9 % \\', 'x\r');
    fc.assert(
      fc.property(fc.array(line), fc.array(line), (above, below) => {
        const before = above.map((text) => `${text}\n`).join('');
        const after = below.map((text) => `${text}\n`).join('');
        const installed = withEntry(before, anEntry()) + after;
        assert.equal(withoutEntry(installed, 'abc123'), before + after);
        const changed = anEntry({ cron: parseSchedule('05:55') });
        assert.equal(withEntry(installed, changed), before + crontabBlock(changed) + after);
      }),
    );
  });
});

function anEntry(some: Partial<OsEntry> = {}): OsEntry {
  return {
    id: 'abc123',
    root: '/home/ada/project',
    cron: parseSchedule('03:17'),
    program: '/usr/bin/node',
    arguments: ['/opt/whetstone/cli.js', 'night', '--root', '/home/ada/project'],
    environmentFile: '/home/ada/state/night.env',
    logFile: '/home/ada/state/night.log',
    ...some,
  };
}

interface Machine {
  readonly entry: OsEntry;
  readonly home: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** A folder of that name which holds the program, its script, the environment file and the log. */
function withMachine(folder: string, use: (machine: Machine) => void): void {
  const home = mkdtempSync(path.join(tmpdir(), 'whetstone-cron-'));
  try {
    const root = path.join(home, folder);
    mkdirSync(root);
    const program = path.join(root, 'node');
    symlinkSync(process.execPath, program);
    const script = path.join(root, 'cli.cjs');
    writeFileSync(
      script,
      `const { KEY, NOTE } = process.env; console.log(JSON.stringify({ arguments: process.argv.slice(2), environment: { KEY, NOTE } }));`,
    );
    const variables = { KEY: `sk-'"$x%\\ ${folder}`, NOTE: '' };
    const environmentFile = path.join(root, 'night.env');
    writeFileSync(environmentFile, shellEnvironmentFile(variables));
    chmodSync(environmentFile, environmentFileMode);
    const entry = anEntry({
      root,
      program,
      arguments: [script, 'night', '--root', root, '--set', 'a.b=c d', ''],
      environmentFile,
      logFile: path.join(root, 'night.log'),
    });
    use({ entry, home, variables });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** What cron does with a line: five fields off, the rest read by its own rules, then to the shell. */
function asCron(line: string, home: string): void {
  const rest = line.replace(/^(?:\S+ ){5}/u, '');
  const command = unescaped(rest, '%');
  assert.equal(command, unescaped(rest, '%\\'), 'two families of cron read the line differently');
  execFileSync('/bin/sh', ['-c', command], {
    cwd: home,
    env: { HOME: home, LOGNAME: 'ada', SHELL: '/bin/sh', PATH: '/usr/bin:/bin' },
    stdio: 'pipe',
  });
}

/** A backslash is dropped before the characters of `escapable`; a bare percent sign ends the command. */
function unescaped(text: string, escapable: string): string {
  let command = '';
  let escaped = false;
  for (const character of text) {
    if (escaped) command += escapable.includes(character) ? character : `\\${character}`;
    else if (character === '%') return command;
    else if (character !== '\\') command += character;
    escaped = !escaped && character === '\\';
  }
  return command;
}
