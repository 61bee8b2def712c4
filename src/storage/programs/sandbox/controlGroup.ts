import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ProcessStart } from '../runProcess.js';
import type { SandboxLimits } from './messages.js';

/** A group of the kernel's for one program, which counts all of its processes together. */
export interface ControlGroup {
  /** What is started instead, so that it is in the group before it starts anything. */
  entering(argv: readonly string[]): Pick<ProcessStart, 'command' | 'arguments'>;
  /** Why the kernel ended something in it; undefined where it did not. */
  whyEnded(): Promise<string | undefined>;
  remove(): Promise<void>;
}

/** Only some systems let us make one: elsewhere the limits of each process and our own watch have to do. */
export async function controlGroup({ processes, memoryBytes }: SandboxLimits): Promise<ControlGroup> {
  const name = `whetstone-${randomBytes(8).toString('hex')}`;
  const groups: string[] = [];
  for (const { folder, limits } of await parents()) {
    const place = path.join(folder, name);
    try {
      await mkdir(place);
      groups.push(place);
      for (const [file, what] of limits) await writeFile(path.join(place, file), what({ processes, memoryBytes }));
    } catch {
      // It is not ours to make, or has no such limit: then it only holds the processes together, or is not there.
    }
  }
  return {
    entering: ([command = '', ...words]) => {
      if (groups.length === 0) return { command, arguments: words };
      const enter = groups.map((group) => `echo $$ > ${group}/cgroup.procs`).join(' && ');
      return { command: '/bin/sh', arguments: ['-c', `{ ${enter}; } 2>/dev/null; exec "$@"`, 'sh', command, ...words] };
    },
    whyEnded: async () => {
      const told = groups.flatMap((group) =>
        ['memory.events', 'memory.oom_control'].map((file) => path.join(group, file)),
      );
      const texts = await Promise.all(told.map((file) => readFile(file, 'utf8').catch(() => '')));
      if (!texts.some((text) => /^oom_kill [1-9]/mu.test(text))) return undefined;
      return `The sandbox ended it: it took more than ${Math.round(memoryBytes / 1024 / 1024)} MB of memory.`;
    },
    remove: async () => {
      for (const group of groups) await removed(group);
    },
  };
}

type Limit = readonly [file: string, value: (most: Pick<SandboxLimits, 'processes' | 'memoryBytes'>) => string];

const ofProcesses: Limit = ['pids.max', ({ processes }) => String(processes)];

/** Where this process may have groups: the one hierarchy of today, or one for each limit as it was before. */
async function parents(): Promise<readonly { readonly folder: string; readonly limits: readonly Limit[] }[]> {
  const lines = (await readFile('/proc/self/cgroup', 'utf8').catch(() => '')).trim().split('\n');
  const [, , whole = '/'] = lines.find((line) => line.startsWith('0::'))?.split(':') ?? [];
  const limits = await readFile(path.join('/sys/fs/cgroup', whole, 'cgroup.subtree_control'), 'utf8').catch(() => '');
  if (limits.includes('pids')) {
    const all: readonly Limit[] = [ofProcesses, ['memory.max', ({ memoryBytes }) => String(memoryBytes)]];
    return [{ folder: path.join('/sys/fs/cgroup', whole), limits: all }];
  }
  const former = new Map(lines.map((line) => line.split(':')).map(([, kind = '', place = '/']) => [kind, place]));
  const memory: Limit = ['memory.limit_in_bytes', ({ memoryBytes }) => String(memoryBytes)];
  const kinds: readonly (readonly [string, Limit])[] = [
    ['pids', ofProcesses],
    ['memory', memory],
  ];
  return kinds.flatMap(([kind, limit]) => {
    const place = former.get(kind);
    return place === undefined ? [] : [{ folder: path.join('/sys/fs/cgroup', kind, place), limits: [limit] }];
  });
}

async function removed(group: string): Promise<void> {
  for (let round = 0; round < 20; round += 1) {
    try {
      await rmdir(group);
      return;
    } catch {
      await wait(10); // the kernel has not let go of the last process yet
    }
  }
}
