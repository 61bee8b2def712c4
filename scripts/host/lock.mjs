// One installer at a time: two runs that start together must not write the same folder.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const pollMs = 1000;
const unreadableLockAgeMs = 5000; // between making the folder and writing the pid lies no more than a moment

/** Runs `work` while holding `folder` as a lock. A lock whose process is gone is taken over. */
export async function withLock(folder, say, work) {
  const started = Date.now();
  for (let told = false; !take(folder); told = true) {
    if (isAbandoned(folder, Date.now() - started)) {
      rmSync(folder, { recursive: true, force: true });
      continue;
    }
    if (!told) say('another run is installing it; waiting');
    await pause(pollMs);
  }
  try {
    return await work();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function take(folder) {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  writeFileSync(path.join(folder, 'pid'), String(process.pid));
  return true;
}

function isAbandoned(folder, waitedMs) {
  try {
    const pid = Number(readFileSync(path.join(folder, 'pid'), 'utf8'));
    process.kill(pid, 0);
    return false;
  } catch (error) {
    if (error.code === 'EPERM') return false; // alive, another user's
    return error.code === 'ESRCH' || waitedMs > unreadableLockAgeMs;
  }
}
