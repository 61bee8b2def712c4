import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import type { ProgramResult } from '../../src/ports/programs.js';
import { needsSandbox, saidIn, sandboxHelper } from '../builders/aSandbox.js';
import { isFull } from '../builders/few.js';
import { figure, isWhole } from './figures.js';
import { leaveOut } from '../builders/leaveOut.js';

/** As a user who may have no control group: only the limits of each process and the watch hold what they take. */
describe('programs in the sandbox of a person who is not root', function () {
  let folder: string;
  before(async function () {
    if (process.getuid?.() !== 0) leaveOut(this, 'whoever is not root is such a person in every other test');
    await needsSandbox(this);
    folder = await realpath(await mkdtemp('/var/tmp/whetstone-nobody-'));
    await chmod(folder, 0o755);
    cpSync(path.dirname(sandboxHelper), folder, { recursive: true, filter: (file) => !file.endsWith('tests.mjs') });
    await build({
      entryPoints: [path.resolve('test/hardening/attack/sandboxChild.ts')],
      outfile: path.join(folder, 'child.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'warning',
    });
  });
  after(async () => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  function run(script: string, limits: object): ProgramResult {
    const words = [path.join(folder, 'child.mjs'), path.join(folder, 'sandbox.js'), script, JSON.stringify(limits)];
    const user = { cwd: folder, uid: 65534, gid: 65534, env: { PATH: '/usr/bin:/bin', TMPDIR: '/tmp' } };
    const { state, result }: { state: object; result: ProgramResult } = JSON.parse(
      String(execFileSync(process.execPath, words, user)),
    );
    assert.deepEqual(state, { kind: 'available' });
    return result;
  }

  it('that fork without end have as many processes as they may', () => {
    const said = saidIn(run(forkBomb, { processes: 60 }));
    const most = Number(/most (\d+)/u.exec(said)?.[1] ?? 0);
    figure({ what: 'a fork bomb in the sandbox', tried: 1, result: `${most} processes of 200 that it wanted` });
    assert.ok(most > 1 && most <= 60, said);
  });

  const megabyte = 1024 ** 2;
  const limits = { processes: 60, memoryBytes: 200 * megabyte, diskBytes: 20 * megabyte, files: 2_000 };
  const takers: readonly (readonly [name: string, script: string, words: RegExp])[] = [
    [
      'memory in many processes',
      forked(10, 'x = bytearray(30_000_000)\n    for i in range(0, 30_000_000, 4096): x[i] = 1'),
      /200 MB of memory/u,
    ],
    [
      'memory that they share',
      python(
        'import mmap\nm = mmap.mmap(-1, 300_000_000)\nfor i in range(0, 300_000_000, 4096): m[i] = 1\ntime.sleep(9)',
      ),
      /200 MB of memory/u,
    ],
    [
      'memory without a name',
      python(
        'f = [os.memfd_create(str(i)) for i in range(30)]\nfor each in f: os.write(each, b"x" * 10_000_000)\ntime.sleep(9)',
      ),
      /200 MB of memory/u,
    ],
    [
      'places that vanish',
      'for i in $(seq 30); do head -c 10000000 /dev/zero > /dev/shm/$i; done; sleep 9',
      /200 MB of memory|No space/u,
    ],
    [
      'disk, in many files',
      'for i in $(seq 30); do head -c 1000000 /dev/zero > $i; done; sleep 9',
      /20 MB to its folder/u,
    ],
    [
      'disk, in deleted files',
      python(
        'f = [open(str(i), "wb") for i in range(4)]\nfor i in range(4): os.unlink(str(i)); f[i].write(b"x" * 9_000_000); f[i].flush()\ntime.sleep(9)',
      ),
      /20 MB to its folder/u,
    ],
    ['files', python('for i in range(4000): open(str(i), "w")\ntime.sleep(9)'), /more than 2000 files and folders/u],
    [
      'files in places that vanish',
      python('for i in range(4000): open(f"/dev/shm/{i}", "w")\ntime.sleep(9)'),
      /more than 2000 files and folders/u,
    ],
  ];
  for (const [name, script, words] of isFull || isWhole ? takers : []) {
    it(`are ended for ${name}, and it is said why`, () => {
      const began = performance.now();
      const result = run(script, limits);
      assert.match(saidIn(result), words);
      figure({
        what: `a program that takes ${name}, without a control group`,
        tried: 1,
        result: `ended after ${Math.round(performance.now() - began)} ms with the start`,
      });
    });
  }
});

function python(script: string): string {
  return `cat > take.py <<'END'\nimport os, time\n${script}\nEND\npython3 take.py`;
}

function forked(count: number, work: string): string {
  return python(`for i in range(${count}):\n  if os.fork() == 0:\n    ${work}\n    time.sleep(9)\ntime.sleep(9)`);
}

/** Every process makes two more, until 200 have been made in all: each is a byte of a file. */
const forkBomb = `cat > bomb.py <<'END'
import os, time
made = os.open("made", os.O_CREAT | os.O_APPEND | os.O_RDWR)
refused = os.open("refused", os.O_CREAT | os.O_APPEND | os.O_WRONLY)
while os.fstat(made).st_size < 200:
    try:
        if os.fork() == 0:
            os.write(made, b"x")
            continue
    except OSError:
        os.write(refused, b"x")
        break
    time.sleep(0.01)
time.sleep(2)
END
python3 bomb.py & sleep 1.5; echo most $(($(stat -c %s made) + 3)) refused $(stat -c %s refused); kill -9 -1`;
