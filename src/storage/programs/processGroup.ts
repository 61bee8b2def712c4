import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const longestWaitMs = 2_000; // a process in the kernel's hands dies when the kernel lets go of it

/** Ends a process that was started as the leader of its group, with everything it started there, and waits for it. */
export async function killGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  const running = child.exitCode === null && child.signalCode === null;
  const gone = running
    ? Promise.race([once(child, 'exit'), wait(longestWaitMs, undefined, { ref: false })])
    : undefined;
  if (process.platform === 'win32') killTree(child.pid);
  else killAll(child.pid);
  await gone;
  child.stdout?.destroy();
  child.stderr?.destroy();
}

function killAll(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // The whole group has ended already.
  }
}

function killTree(pid: number): void {
  // By its whole path: Windows looks for a bare name in the working folder first.
  const taskkill = path.join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe');
  const ending = spawn(taskkill, ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
  ending.on('error', () => undefined);
}

/** As shells number it. */
export function codeOf(killedBy: NodeJS.Signals | null): number {
  return 128 + (killedBy === null ? 0 : os.constants.signals[killedBy]);
}
