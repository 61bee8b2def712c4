import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import type { Clock } from '../../ports/clock.js';

/** Linux names each of its starts, and counts the time asleep; elsewhere a process knows of itself alone. */
export const machineUptime: NonNullable<Clock['running']> = () => {
  known ??= readBootId() ?? ownStart;
  return { boot: known, up: known === ownStart ? performance.now() : uptime() * 1000 };
};

const ownStart = randomBytes(8).toString('hex');
let known: string | undefined;

function readBootId(): string | undefined {
  try {
    return process.platform === 'linux' ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() : undefined;
  } catch {
    return undefined; // a sandbox that does not tell
  }
}
