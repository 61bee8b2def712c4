import { readFile, readlink } from 'node:fs/promises';
import os from 'node:os';
import { hasCode } from './fileErrors.js';

/** Which process, on which start of which machine. Two are the same process only if all of it is equal. */
export interface ProcessIdentity {
  readonly host: string;
  /** The kernel's boot id with the process-id namespace, or `derived:` and the time of boot. */
  readonly boot: string;
  readonly pid: number;
  /** When the process started, as the kernel counts; tells a reused pid. Undefined where it cannot be read. */
  readonly started: string | undefined;
}

/**
 * `dead` is sure: the same start of the same kernel, the same namespace of processes, and no such process in it. `gone`:
 * no such process here, where the kernel does not name its starts. `restarted`: from another start of this machine, or
 * from another machine of the same name. `unknown`: it may be alive, and this machine cannot tell.
 */
export type Liveness = 'alive' | 'dead' | 'gone' | 'restarted' | 'unknown';

/** What the kernel says about this process, read once where it names its starts; a machine's name may change. */
export async function thisProcess(): Promise<ProcessIdentity> {
  if (known === undefined || namespaceOf(known.boot) === undefined) {
    const [boot, started] = await Promise.all([bootIdentity(), startOf(process.pid)]);
    known = { boot, started };
  }
  return { host: os.hostname(), boot: known.boot, pid: process.pid, started: known.started };
}

let known: Pick<ProcessIdentity, 'boot' | 'started'> | undefined;

/**
 * Whether a process that once wrote down who it is still runs. On this start of this machine the kernel knows; of
 * another machine, or another container of this one, nothing is known.
 */
export async function livenessOf(other: ProcessIdentity, self: ProcessIdentity): Promise<Liveness> {
  if (other.host !== self.host) return 'unknown';
  if (other.boot !== self.boot) return sameNamespace(other.boot, self.boot) ? 'restarted' : 'unknown';
  const missing = namespaceOf(self.boot) === undefined ? 'gone' : 'dead';
  if (!exists(other.pid)) return missing;
  const started = await startOf(other.pid);
  if (started === undefined || other.started === undefined) return 'unknown';
  return started === other.started ? 'alive' : missing;
}

/** Derived boot times wander with the clock, and another namespace has its own pids: neither proves a death. */
function sameNamespace(left: string, right: string): boolean {
  const namespace = namespaceOf(left);
  return namespace !== undefined && namespace === namespaceOf(right);
}

/** Undefined where the kernel named neither its start nor the namespace. */
function namespaceOf(boot: string): string | undefined {
  return /^kernel:.+@(.+)$/.exec(boot)?.[1];
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

async function bootIdentity(): Promise<string> {
  try {
    const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
    // A /proc of another namespace counts processes by other numbers than ours.
    if ((await readlink('/proc/self')) !== String(process.pid)) throw new Error('not the processes of this namespace');
    return `kernel:${boot}@${await readlink('/proc/self/ns/pid')}`;
  } catch {
    return `derived:${Math.round((Date.now() / 1000 - os.uptime()) / 10)}`;
  }
}

const startTimeField = 19; // field 22 of /proc/<pid>/stat, counted from the field after the name

async function startOf(pid: number): Promise<string | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name stands in brackets and may itself hold spaces and brackets.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    // A zombie still has its number and will never run again.
    return fields[0] === 'Z' ? 'ended' : fields[startTimeField];
  } catch {
    return undefined;
  }
}
