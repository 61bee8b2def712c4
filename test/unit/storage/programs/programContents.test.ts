import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { ProgramContent, ProgramToRun } from '../../../../src/ports/programs.js';
import { namedPaths } from '../../../../src/storage/programs/namedPaths.js';
import { programContents } from '../../../../src/storage/programs/programContents.js';
import { shownCommand } from '../../../../src/storage/programs/shownCommand.js';
import { sha256 } from '../../../../src/hash.js';
import { aMachine, neverAborted, scrapMachines } from '../../../builders/storage.js';
import { onlyOn } from '../../../builders/leaveOut.js';

describe('what a program is known by', () => {
  after(scrapMachines);

  const changes: readonly [
    what: string,
    change: (place: Place) => Promise<unknown>,
    words?: (place: Place) => string[],
  ][] = [
    ['a byte of a file in its folder', ({ folder }) => writeFile(path.join(folder, 'run.js'), 'other')],
    ['a new file in a folder of it', ({ folder }) => writeFile(path.join(folder, 'below', 'new.js'), '')],
    ['a permission', ({ folder }) => chmod(path.join(folder, 'run.js'), 0o755)],
    [
      'where a link leads',
      async ({ folder }) => {
        await rm(path.join(folder, 'link'));
        await symlink('below', path.join(folder, 'link'));
      },
    ],
    ['a file that is a word', ({ lib }) => writeFile(lib, 'other'), ({ lib }) => [lib]],
    ['a file behind an equals sign', ({ lib }) => writeFile(lib, 'other'), ({ lib }) => [`--require=${lib}`]],
    ['a file behind an option letter', ({ lib }) => writeFile(lib, 'other'), ({ lib }) => [`-r${lib}`]],
    ['a file inside text', ({ lib }) => writeFile(lib, 'other'), ({ lib }) => ['-e', `require('${lib}')`]],
    [
      'a file inside a line of a shell',
      ({ lib }) => writeFile(lib, 'other'),
      ({ lib }) => ['-c', `cat x | ${lib}; true`],
    ],
    ['a file by its address', ({ lib }) => writeFile(lib, 'other'), ({ lib }) => [`--import=file://${lib}`]],
    ['a file that a link names', ({ lib }) => writeFile(lib, 'other'), ({ linked }) => [linked]],
    ['a file of a folder that is named', ({ lib }) => writeFile(lib, 'other'), ({ lib }) => [path.dirname(lib)]],
    ['a file that was not there', ({ lib }) => writeFile(`${lib}.later`, ''), ({ lib }) => [`${lib}.later`]],
  ];
  it('is what it may read too, by where links lead to: another place is another program', async () => {
    const place = await aPlace();
    const reading = async (): Promise<ProgramContent> =>
      programContents(os.homedir()).of({ ...program(place), reads: [place.linked] }, neverAborted);
    const before = await reading();
    assert.deepEqual(before.kind === 'found' && before.reads, [await realpath(place.lib)]);
    await rm(place.linked);
    await symlink(place.skill, place.linked);
    assert.notDeepEqual(await reading(), before);
  });

  it('knows one home alone: the one that it is given, which the sandbox opens too', async () => {
    const { skill, folder, lib, linked } = await aPlace();
    const home = path.dirname(linked);
    const content = await programContents(home).of(
      { ...program({ skill, folder, lib, linked }), reads: ['~/lib/lib.js'] },
      neverAborted,
    );
    assert.deepEqual(content.kind === 'found' && content.reads, [await realpath(lib)]);
  });

  it('is read without listening to the run’s one signal, from which many programs are read at once', async () => {
    const stop = new AbortController();
    const listened: string[] = [];
    const add = stop.signal.addEventListener.bind(stop.signal);
    stop.signal.addEventListener = (...given: Parameters<typeof add>) => {
      listened.push(given[0]);
      add(...given);
    };
    const place = program(await aPlace());
    assert.equal((await programContents(os.homedir()).of(place, stop.signal)).kind, 'found');
    assert.deepEqual(listened, []);
    stop.abort(new Error('stop'));
    await assert.rejects(programContents(os.homedir()).of(place, stop.signal), /stop/);
  });

  for (const [what, change, words = () => []] of changes) {
    it(`differs with ${what}, and with nothing else`, async () => {
      const place = await aPlace();
      const before = await found(place, words(place));
      assert.equal((await found(place, words(place))).text, before.text);
      await change(place);
      assert.notEqual((await found(place, words(place))).text, before.text);
    });
  }

  it('is the files alone where there is nothing else, as an earlier version knew it', async () => {
    const place = await aPlace();
    await rm(path.join(place.folder, 'link'));
    const { plain } = await found(place, ['run.js']);
    assert.deepEqual(plain, [
      { path: path.join(place.folder, 'below/a.js'), hash: sha256('a') },
      { path: path.join(place.folder, 'run.js'), hash: sha256('run') },
    ]);
    assert.equal((await found(place, ['--require=x', place.linked])).plain, undefined);
    assert.equal((await found(place, ['-e', 'x'])).plain, undefined);
    await chmod(path.join(place.folder, 'run.js'), 0o755);
    assert.equal((await found(place, ['run.js'])).plain, undefined);
  });

  it('is not read through a link that leads out of the folder of the skill', async () => {
    const place = await aPlace();
    await rm(place.folder, { recursive: true });
    await symlink('/', place.folder);
    const content = await programContents(os.homedir()).of(program(place), neverAborted);
    assert.equal(content.kind, 'unreadable');
    assert.match(content.kind === 'unreadable' ? content.reason : '', /is a link that leads out of/u);
  });

  it('holds no file of a folder that a link inside of it leads to', async () => {
    const place = await aPlace();
    await symlink(path.dirname(place.lib), path.join(place.folder, 'out'));
    assert.doesNotMatch((await found(place)).text, /lib\.js/u);
  });

  const limits = [
    { name: 'files', limit: { files: 1, bytes: 1000, ms: 1000 }, said: /more than 1 files/u },
    { name: 'bytes', limit: { files: 100, bytes: 3, ms: 1000 }, said: /are over 0 MB/u },
    { name: 'time', limit: { files: 100, bytes: 1000, ms: -1000 }, said: /could not be read within -1 s/u },
  ];
  for (const { name, limit, said } of limits) {
    it(`is given up at a limit of ${name}`, async () => {
      const content = await programContents(os.homedir(), limit).of(program(await aPlace()), neverAborted);
      assert.match(content.kind === 'unreadable' ? content.reason : 'read', said);
    });
  }

  it('says of a named folder that it is too large, instead of reading it all', async () => {
    const { unbound } = await found(await aPlace(), ['-I/usr']);
    assert.deepEqual(unbound, ['The folder /usr is too large to be looked through.']);
  });

  it('waits for no pipe and no device', async function () {
    onlyOn(this, 'posix', 'Windows has no pipes and devices with names');
    const place = await aPlace();
    execFileSync('sh', ['-c', 'mkfifo "$0"', path.join(place.folder, 'pipe')]);
    assert.match((await found(place, ['/dev/zero', path.join(place.folder, 'pipe')])).text, /"kind":"special"/u);
  });
});

describe('the files that a command names', () => {
  const place = { home: '/home/ann', temporary: '/tmp' };
  const named: readonly [words: readonly string[], paths: readonly string[]][] = [
    [['python3', 'run.py', '--size=3', '-v'], []],
    [
      ['node', '-e', 'require("/a/b.js"); import(`/c.mjs`)'],
      ['/a/b.js', '/c.mjs'],
    ],
    [
      ['sh', '-c', '. ~/x; $HOME/y; ${HOME}/z'],
      ['/home/ann/x', '/home/ann/y', '/home/ann/z'],
    ],
    [
      ['node', '../x.js', 'below/../../y.js'],
      ['/tmp/x.js', '/tmp/y.js', '/y.js'],
    ],
    [
      ['node', '--import', 'file:///a%20b.js'],
      ['/a b.js', '/a%20b.js'],
    ],
    [
      ['node', '--path=x:/a/lib,/b'],
      ['/a/lib', '/b'],
    ],
    [
      ['/bin/sh', 'a b/c'],
      ['/bin/sh', '/c'],
    ],
  ];
  for (const [words, paths] of named) {
    it(`are found in ${words.join(' ')}`, () => {
      const seen = namedPaths(words, place).paths;
      for (const each of paths) assert.ok(seen.includes(each), `${each} is not among ${seen.join(', ')}`);
      if (paths.length === 0) assert.deepEqual(seen, []);
    });
  }

  const unbound = (...words: readonly string[]): number => namedPaths(words, place).unbound.length;

  it('cannot all be found in text, at an address or where the program fetches what it runs', () => {
    assert.equal(unbound('node', '-e', 'x'), 1);
    assert.equal(unbound('bash', '-lc', 'x'), 1);
    assert.equal(unbound('node', '--eval=x'), 1);
    assert.equal(unbound('curl', 'https://evil.example/x'), 1);
    assert.equal(unbound('npx', 'tool'), 1);
    assert.equal(unbound('python3', 'check.py', '--strict'), 0);
  });
});

describe('a command as it is shown', () => {
  const table: readonly [words: readonly string[], shown: string][] = [
    [['python3', 'run.py', '--a=b'], 'python3 run.py --a=b'],
    [['sh', '-c', 'a b'], 'sh -c "a b"'],
    [['sh', '-c', 'a\n\n\n\nrm -rf ~'], String.raw`sh -c "a\n\n\n\nrm -rf ~"`],
    [['a', ''], 'a ""'],
    [['a', '\u202Ecod.exe'], String.raw`a "\u{202E}cod.exe"`],
    [['a', 'b\u200B\u0007\u{E0041}'], String.raw`a "b\u{200B}\u0007\u{E0041}"`],
  ];
  for (const [words, shown] of table) it(`hides nothing: ${shown}`, () => assert.equal(shownCommand(words), shown));
});

interface Place {
  readonly skill: string;
  readonly folder: string;
  readonly lib: string;
  readonly linked: string;
}

async function aPlace(): Promise<Place> {
  const { home, skillPath } = await aMachine();
  const skill = path.dirname(skillPath);
  const folder = path.join(skill, 'evals', 'tool');
  await mkdir(path.join(folder, 'below'), { recursive: true });
  await writeFile(path.join(folder, 'run.js'), 'run', { mode: 0o644 });
  await writeFile(path.join(folder, 'below', 'a.js'), 'a', { mode: 0o644 });
  await symlink('run.js', path.join(folder, 'link'));
  await mkdir(path.join(home, 'lib'));
  const lib = path.join(home, 'lib', 'lib.js');
  await writeFile(lib, 'lib');
  const linked = path.join(home, 'linked.js');
  await symlink(lib, linked);
  return { skill, folder, lib, linked };
}

function program({ skill, folder }: Place, words: readonly string[] = []): ProgramToRun {
  return { command: 'node', arguments: words, folder, within: skill };
}

async function found(place: Place, words: readonly string[] = []): Promise<Extract<ProgramContent, { kind: 'found' }>> {
  const content = await programContents(os.homedir()).of(program(place, words), neverAborted);
  if (content.kind !== 'found') throw new Error(content.reason);
  return content;
}
