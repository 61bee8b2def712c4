import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { AgentFolders, AgentStart } from '../../../../src/ports/agentPrograms.js';
import { stayOutOf } from '../../../../src/searchedFolders.js';
import { nodeAgentPrograms } from '../../../../src/storage/programs/agentPrograms.js';
import { isFull } from '../../../builders/few.js';
import { onlyOn } from '../../../builders/leaveOut.js';

const { signal } = new AbortController();

describe('agent programs of this machine', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'whetstone-agents-')));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const script = (name: string, text: string): string => {
    const place = path.join(folder, name);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, `#!/bin/sh\n${text}\n`, { mode: 0o700 });
    return place;
  };

  it('are found on the PATH and where installers put them, and never in the workspace', async () => {
    script('clone/claude', 'true');
    const own = script('home/.local/bin/claude', 'true');
    const [clone, home] = [path.join(folder, 'clone'), path.join(folder, 'home')];
    const wanted = { commands: ['claude'], places: ['.local/bin'] };
    const find = (workspace: string, PATH = clone) =>
      nodeAgentPrograms({ environment: { PATH, HOME: home }, workspace: () => [workspace] }).find(wanted);
    assert.deepEqual(await find(clone), { path: own, command: own, before: [] });
    assert.equal((await find(path.join(folder, 'other')))?.path, path.join(clone, 'claude'));
    assert.equal((await find(folder, `.:${clone}`))?.path, undefined);
  });

  it('are never those of a clone: not from below its root, not behind a link, not of a skill that is opened', async () => {
    const inside = script('clone/bin/claude', 'true');
    const [clone, linked] = [path.join(folder, 'clone'), path.join(folder, 'linked')];
    mkdirSync(path.join(clone, '.git'));
    mkdirSync(path.join(clone, 'skills', 'one'), { recursive: true });
    mkdirSync(linked);
    symlinkSync(inside, path.join(linked, 'claude'));
    const on = (workspace: string, PATH: string) =>
      nodeAgentPrograms({ environment: { PATH, HOME: path.join(folder, 'home') }, workspace: () => [workspace] });
    const wanted = { commands: ['claude'], places: [] };
    assert.equal(await on(path.join(clone, 'skills'), path.dirname(inside)).find(wanted), undefined);
    assert.equal(await on(clone, linked).find(wanted), undefined);
    const elsewhere = on(path.join(folder, 'elsewhere'), linked);
    const found = await elsewhere.find(wanted);
    assert.ok(found !== undefined);
    stayOutOf([path.join(clone, 'skills', 'one')]);
    assert.equal(await elsewhere.find(wanted), undefined);
    const late = { program: found, outputLimitBytes: 1_000, onLine: () => undefined, start: () => start() };
    assert.equal((await elsewhere.run(late, signal)).kind, 'not-started');
  });

  it('are none of a clone that holds what looks like another one, nor of packages above the working folder', async () => {
    const skill = path.join(folder, 'outer', 'skills', 'mail');
    mkdirSync(skill, { recursive: true });
    mkdirSync(path.join(folder, 'outer', '.git'));
    mkdirSync(path.join(folder, 'outer', 'skills', '.whetstone'));
    const found = async (program: string, workspace: string) => {
      const environment = { PATH: path.dirname(program), HOME: path.join(folder, 'home') };
      return nodeAgentPrograms({ environment, workspace: () => [workspace] }).find({
        commands: ['claude'],
        places: [],
      });
    };
    const ofClone = script('outer/tools/claude', 'true');
    assert.equal(await found(ofClone, skill), undefined);
    const there = (place: string) =>
      nodeAgentPrograms({
        environment: { PATH: path.dirname(ofClone), HOME: path.join(folder, 'home') },
        workspace: () => [place],
      }).findInWorkspace({ commands: ['claude'], places: [] });
    assert.equal(await there(skill), ofClone, 'that it lies there can be told');
    assert.equal(await there(path.join(folder, 'home')), undefined);
    assert.equal((await found(ofClone, path.join(folder, 'home')))?.path, ofClone);
    // Unpacked, without anything of git.
    const ofPackages = script('unpacked/node_modules/.bin/claude', 'true');
    mkdirSync(path.join(folder, 'unpacked', 'skills', 'mail'), { recursive: true });
    assert.equal(await found(ofPackages, path.join(folder, 'unpacked', 'skills', 'mail')), undefined);
    assert.equal((await found(ofPackages, path.join(folder, 'home')))?.path, ofPackages);
  });

  it('are none of a clone whose skill was gone for a while, once it is opened again', async () => {
    const inside = script('again/bin/claude', 'true');
    const skill = path.join(folder, 'again', 'skills', 'two');
    mkdirSync(path.join(folder, 'again', '.git'));
    const environment = { PATH: path.dirname(inside), HOME: path.join(folder, 'home') };
    const programs = nodeAgentPrograms({ environment, workspace: () => [path.join(folder, 'elsewhere')] });
    const found = () => programs.find({ commands: ['claude'], places: [] });
    stayOutOf([skill]); // not there yet
    assert.notEqual(await found(), undefined);
    mkdirSync(skill, { recursive: true });
    stayOutOf([skill]);
    assert.equal(await found(), undefined);
    rmSync(skill, { recursive: true });
    assert.equal(await found(), undefined);
  });

  it('run in new folders that are gone afterwards, with files, input and what they leave', async () => {
    const command = script(
      'talks',
      'cat; cat "$HOME/given/it.txt"; pwd; ls -A; echo left > "$HOME/left.txt"; echo oh >&2',
    );
    const seen: AgentFolders[] = [];
    const { lines, end } = await run(command, (folders) => {
      seen.push(folders);
      return {
        arguments: [],
        environment: {},
        input: 'asked\n',
        files: { 'given/it.txt': 'given\n' },
        leaves: ['left.txt'],
      };
    });
    assert.deepEqual(lines, ['output asked', 'output given', `output ${seen[0]?.work ?? ''}`, 'error oh'].toSorted());
    assert.deepEqual(end, { kind: 'exited', code: 0, left: { 'left.txt': 'left\n' } });
    assert.ok(!existsSync(seen[0]?.home ?? folder));
  });

  it('get what is listed of the environment, and nothing else', async () => {
    const environment = {
      LANG: 'en_GB.UTF-8',
      https_proxy: 'http://proxy:1',
      OPENAI_API_KEY: 'no',
      NODE_OPTIONS: 'no',
      SHELL: 'no',
    };
    const { lines } = await run(script('env', '/usr/bin/env'), () => start({ OWN: '1' }), environment);
    const names = lines
      .map((line) => /^output (\w+)=/.exec(line)?.[1] ?? '')
      .filter((name) => !/^(?:PWD|SHLVL|_|OLDPWD)$/.test(name));
    const wanted = ['HOME', 'LANG', 'NO_COLOR', 'OWN', 'PATH', 'TERM', 'TMPDIR', 'WHETSTONE_PROGRAM', 'https_proxy'];
    assert.deepEqual(names.toSorted(), wanted);
  });

  it('are ended where they write too much, cannot start, or are not wanted any more', async () => {
    assert.deepEqual((await run(script('loud', 'yes'), () => start())).end, { kind: 'output-too-large' });
    const gone = await run(path.join(folder, 'gone'), () => start());
    assert.equal(gone.end.kind, 'not-started');
    const reason = new Error('stop');
    const stopped = new AbortController();
    setTimeout(() => stopped.abort(reason), 50);
    await assert.rejects(
      run(script('slow', 'sleep 60'), () => start(), {}, stopped.signal),
      (error) => error === reason,
    );
  });

  it('are ended where a line of theirs is too long, and read in time that grows with what they write', async () => {
    const most = 32 * 1024 * 1024;
    const endless = await counted(script('endless', "head -c 31000000 /dev/zero | tr '\\0' a"), most);
    assert.deepEqual([endless.end.kind, endless.lines], ['output-too-large', 0]);
    const long = await counted(script('long', "head -c 8000000 /dev/zero | tr '\\0' a; echo; echo b"), most);
    assert.deepEqual([long.end.kind, long.lines], ['exited', 2]);
    const lines = isFull ? 15_000_000 : 3_000_000;
    const many = await counted(script('many', `yes a | head -c ${lines * 2} >&2`), most);
    assert.deepEqual([many.end.kind, many.lines], ['exited', lines]);
    for (const { cpuMs } of [endless, long]) assert.ok(cpuMs < 8_000, `${cpuMs} ms`);
    assert.ok(many.cpuMs < (8_000 * lines) / 15_000_000, `${many.cpuMs} ms`);
  });

  it('leave nothing that is a link, a pipe or too large, and nobody waits for it', async function () {
    onlyOn(this, 'posix', 'Windows has no pipes with names');
    const secret = path.join(folder, 'secret.txt');
    writeFileSync(secret, 'secret');
    const command = script(
      'leaves',
      [
        'cd "$HOME"; mkfifo pipe; mkdir sub; echo fine > fine; head -c 9000000 /dev/zero > large',
        `ln -s ${secret} link; ln -s ${folder} away; ln -s /dev/zero zero`,
      ].join('\n'),
    );
    const leaves = ['pipe', 'fine', 'large', 'link', 'away/secret.txt', 'zero', 'sub', 'gone'];
    const { end } = await run(command, () => ({ ...start(), leaves }));
    assert.deepEqual(end, { kind: 'exited', code: 0, left: { fine: 'fine\n' } });
  });
});

/** How many lines it wrote, and what reading them took. */
async function counted(command: string, outputLimitBytes: number) {
  let lines = 0;
  const programs = nodeAgentPrograms({ environment: { PATH: '/usr/bin:/bin' }, workspace: () => [] });
  const program = { path: command, command, before: [] };
  const begun = process.cpuUsage();
  const end = await programs.run(
    { program, start: () => start(), onLine: () => (lines += 1), outputLimitBytes },
    signal,
  );
  const { user, system } = process.cpuUsage(begun);
  return { end, lines, cpuMs: (user + system) / 1_000 };
}

function start(environment: Readonly<Record<string, string>> = {}): AgentStart {
  return { arguments: [], environment, input: '' };
}

async function run(
  command: string,
  begin: (folders: AgentFolders) => AgentStart,
  environment: Readonly<Record<string, string>> = {},
  until: AbortSignal = signal,
) {
  const lines: string[] = [];
  const programs = nodeAgentPrograms({ environment: { PATH: '/usr/bin:/bin', ...environment }, workspace: () => [] });
  const program = { path: command, command, before: [] };
  const onLine = (line: string, from: string): void => void lines.push(`${from} ${line}`);
  const end = await programs.run({ program, start: begin, onLine, outputLimitBytes: 100_000 }, until);
  return { lines: lines.toSorted(), end };
}
