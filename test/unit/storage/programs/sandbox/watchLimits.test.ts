import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { watchLimits } from '../../../../../src/storage/programs/sandbox/watchLimits.js';
import { onDisk } from '../../../../builders/aSandbox.js';
import { few, isFull } from '../../../../builders/few.js';
import { onlyOn } from '../../../../builders/leaveOut.js';

const megabyte = 1024 ** 2;
const limits = { processes: 20, memoryBytes: 150 * megabyte, diskBytes: 20 * megabyte, files: 3_000 };

/** Nothing of the kernel's counts these: there is no control group around them. */
describe('the watch over what a program takes, without a control group', function () {
  before(function () {
    onlyOn(this, 'linux', 'it looks into /proc');
  });

  const cases: readonly (readonly [name: string, script: string, words: RegExp])[] = [
    [
      'memory of many processes, each of which has little',
      forked(12, 'x = bytearray(os.urandom(1) * 20_000_000)'),
      /150 MB of memory/u,
    ],
    ['files, however small', 'for i in range(4000): open(f"f{i}", "w")', /more than 3000 files and folders/u],
    [
      'folders, one in the other',
      'for i in range(900):\n  for j in range(4): os.makedirs(f"{i}/{j}")',
      /more than 3000 files and folders/u,
    ],
    [
      'memory that processes share',
      'import mmap\nm = mmap.mmap(-1, 200_000_000)\nm.write(b"x" * 200_000_000)',
      /150 MB of memory/u,
    ],
    [
      'memory in files without a name',
      'f = [os.memfd_create(str(i)) for i in range(4)]\nfor each in f: os.write(each, b"x" * 50_000_000)',
      /150 MB of memory/u,
    ],
    [
      'disk by files that were deleted and are open',
      'f = open("big", "wb")\nos.unlink("big")\nf.write(b"x" * 40_000_000)\nf.flush()',
      /20 MB to its folder/u,
    ],
    ['processes', forked(60, ''), /more than 20 processes/u],
  ];
  for (const [name, script, words] of few(cases, 2)) {
    it(`ends it for ${name}`, async () => {
      assert.match(await endedFor(script), words);
    });
  }

  it('leaves alone what stays within, with memory that many share, and files of others in a place of both', async () => {
    const shared = `import mmap
m = mmap.mmap(-1, 60_000_000)
m.write(b"x" * 60_000_000)
for i in range(6):
  if os.fork() == 0:
    m[::4096]
    time.sleep(9)
for i in range(1000): open(f"f{i}", "w")`;
    const over = new AbortController();
    const others = fillMemory(over.signal);
    try {
      assert.equal(await endedFor(shared, isFull ? 2_000 : 1_000), 'it was left alone'); // five looks
    } finally {
      over.abort();
      await others;
    }
  });
});

/** More files than a program may make, where the system keeps files in memory; written all the time until it is over. */
async function fillMemory(over: AbortSignal): Promise<void> {
  await onDisk('/dev/shm', async (folder) => {
    const names = Array.from({ length: limits.files + 500 }, (_, at) => path.join(folder, `f${at}`));
    for (const name of names) writeFileSync(name, '');
    while (!over.aborted) {
      for (const name of names.slice(0, 20)) await writeFile(name, Buffer.alloc(Math.ceil(Math.random() * 100_000)));
    }
  });
}

function forked(count: number, work: string): string {
  return `for i in range(${count}):\n  if os.fork() == 0:\n    ${work === '' ? 'pass' : work}\n    time.sleep(9)`;
}

async function endedFor(script: string, patienceMs = 8_000): Promise<string> {
  return onDisk('/var/tmp', async (folder) => {
    const child = spawn('python3', ['-c', `import os, time\n${script}\ntime.sleep(9)`], {
      cwd: folder,
      detached: true,
    });
    const over = new AbortController();
    try {
      await once(child, 'spawn');
      const watch = watchLimits({ limits, denied: [] }, [folder])(child.pid ?? 0, over.signal);
      return await Promise.race([watch, wait(patienceMs, 'it was left alone')]);
    } finally {
      over.abort();
      const ended = once(child, 'close');
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      await ended; // until then it may still write to the folder
    }
  });
}
