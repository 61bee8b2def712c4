// Starts a program as the leader of its own process group, so that it can be ended with everything it started.
import { spawn, spawnSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { atEnd } from './cleanup.mjs';

const graceMs = 3000;

/** Like spawn, plus `stop()`: asks the whole group to end, insists after three seconds. */
export function startGroup(command, args, options) {
  const child = spawn(command, args, { ...options, detached: process.platform !== 'win32' });
  const gone = new Promise((resolve) => {
    child.once('exit', resolve);
    child.once('error', resolve);
  });
  const forget = atEnd(() => killGroup(child.pid, 'SIGKILL'));
  const stop = async () => {
    killGroup(child.pid, 'SIGTERM');
    await Promise.race([gone, pause(graceMs, undefined, { ref: false })]);
    killGroup(child.pid, 'SIGKILL'); // members that outlived their leader
    forget();
  };
  return { child, gone, stop };
}

function killGroup(pid, signal) {
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
