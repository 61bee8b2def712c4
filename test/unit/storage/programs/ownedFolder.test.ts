import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inOwnedFolder, sweepFolders } from '../../../../src/storage/programs/ownedFolder.js';
import { thisProcess } from '../../../../src/storage/files/runningProcess.js';
import { startChild } from '../children/childProcess.js';
import { leaveOut, onlyOn } from '../../../builders/leaveOut.js';

const prefix = 'whetstone-agent-';
const mark = '0'.repeat(32);

describe('folders that say whose they are', () => {
  let place: string;
  beforeEach(() => {
    place = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'whetstone-owned-')));
  });
  afterEach(() => rmSync(place, { recursive: true, force: true }));

  const left = (name: string, owner?: unknown): string => {
    const folder = path.join(place, name);
    mkdirSync(path.join(folder, 'home'), { recursive: true });
    if (owner !== undefined) writeFileSync(path.join(folder, 'owner.json'), JSON.stringify(owner));
    return folder;
  };

  it('are gone with the work that was done in them, also where it fails', async () => {
    const folder = await inOwnedFolder(place, prefix, (owned) => {
      assert.ok(existsSync(owned.path));
      return Promise.resolve(owned.path);
    });
    assert.ok(!existsSync(folder));
    await assert.rejects(inOwnedFolder(place, prefix, () => Promise.reject(new Error('no'))));
    assert.deepEqual(readdirSync(place), []);
  });

  it('are swept though a pipe lies where one of them says whose it is, and no link there is followed', async function () {
    onlyOn(this, 'posix', 'Windows has no pipes with names');
    const self = await thisProcess();
    const dead = { ...self, started: '1', mark };
    const [piped, linked] = [left(`${prefix}a-pipe`), left(`${prefix}b-link`)];
    execFileSync('/usr/bin/env', ['mkfifo', path.join(piped, 'owner.json')]);
    writeFileSync(path.join(place, 'planted.json'), JSON.stringify(dead));
    symlinkSync(path.join(place, 'planted.json'), path.join(linked, 'owner.json'));
    left(`${prefix}c-dead`, dead);
    await sweepFolders(place, prefix);
    assert.deepEqual(readdirSync(place).toSorted(), ['planted.json', `${prefix}a-pipe`, `${prefix}b-link`]);
  });

  it('are swept where their owner is dead, and those of the living and of others stay', async () => {
    const self = await thisProcess();
    left(`${prefix}dead`, { ...self, started: '1', mark });
    const kept = [
      left(`${prefix}alive`, { ...self, mark }),
      left(`${prefix}other-machine`, { ...self, host: 'elsewhere', mark }),
      left(`${prefix}just-made`),
      left('somebody-else', { ...self, started: '1', mark }),
    ];
    const old = left(`${prefix}old`);
    const longAgo = new Date(Date.now() - 8 * 24 * 3_600_000);
    utimesSync(old, longAgo, longAgo);
    await sweepFolders(place, prefix);
    assert.deepEqual(readdirSync(place).toSorted(), kept.map((folder) => path.basename(folder)).toSorted());
  });

  it('are swept through no link: neither the folder nor what says whose it is nor what lies in it', async () => {
    const dead = { ...(await thisProcess()), started: '1', mark };
    const outside = left('outside', dead);
    writeFileSync(path.join(outside, 'precious.txt'), 'precious');
    symlinkSync(outside, path.join(place, `${prefix}link`));
    const claimed = left(`${prefix}claimed`);
    symlinkSync(path.join(outside, 'owner.json'), path.join(claimed, 'owner.json'));
    symlinkSync(outside, path.join(left(`${prefix}dead`, dead), 'home', 'link'));
    await sweepFolders(place, prefix);
    assert.equal(readFileSync(path.join(outside, 'precious.txt'), 'utf8'), 'precious');
    assert.deepEqual(readdirSync(place).toSorted(), ['outside', `${prefix}claimed`, `${prefix}link`]);
  });

  it('of other users are left to them', async function () {
    if (process.getuid?.() !== 0) leaveOut(this, 'only root can make a folder of another user');
    const folder = left(`${prefix}theirs`, { ...(await thisProcess()), started: '1', mark });
    lchownSync(folder, 65_534, 65_534);
    await sweepFolders(place, prefix);
    assert.ok(existsSync(folder));
  });

  it('of a process that was killed go, with what it had started, at the next start', async function () {
    onlyOn(this, 'linux', 'elsewhere nobody tells which processes carry a mark');
    const command = path.join(place, 'hangs');
    // What it starts leaves its group and ignores every signal that can be ignored.
    const lasting = `trap '' HUP INT TERM; while :; do sleep 1; done`;
    writeFileSync(command, `#!/bin/sh\nsetsid sh -c "${lasting}" & echo "$$ $!"\n${lasting}\n`, { mode: 0o700 });
    const child = await startChild('ask', { command, temporary: place });
    const pids = String(await child.said)
      .split(' ')
      .map(Number);
    child.process.kill('SIGKILL');
    await child.gone;
    assert.deepEqual(pids.map(isRunning), [true, true]);
    await inOwnedFolder(place, prefix, () => Promise.resolve());
    assert.deepEqual(pids.map(isRunning), [false, false]);
    assert.deepEqual(readdirSync(place), ['hangs']);
  });
});

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/mu.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
