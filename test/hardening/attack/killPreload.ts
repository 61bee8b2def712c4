// Loaded before the command line (`node --require`). Counts every call that changes a file, and ends the process by SIGKILL
// at the one that WHETSTONE_KILL_AT names: before it, after it, or, where it writes, in the middle of it (WHETSTONE_KILL_HOW).
// WHETSTONE_KILL_NOTE names the file for the kill, or for the count of a process that came to its end. Beside it a line is
// written for every reply that arrives, with how much time of the processor the process had had by then: on busy
// cores the time on the clock says nothing of what it could have done since.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import process from 'node:process';
import type { FileHandle } from 'node:fs/promises';

type Call = (...parts: readonly unknown[]) => unknown;

const at = Number(process.env['WHETSTONE_KILL_AT'] ?? '0');
const how = process.env['WHETSTONE_KILL_HOW'] ?? 'before';
const note = process.env['WHETSTONE_KILL_NOTE'] ?? '';
const { writeSync, writeFileSync } = fs;
const replies = fs.openSync(`${note}.replies`, 'a');
const changing = ['writeFile', 'appendFile', 'rename', 'unlink', 'rm', 'rmdir', 'mkdir', 'link', 'symlink'];
const rare = ['truncate', 'utimes', 'chmod', 'copyFile', 'cp', 'open'];
let count = 0;

for (const name of [...changing, ...rare]) watch(fs.promises, name);
for (const name of [...changing, ...rare, 'write', 'fsync', 'fdatasync']) if (name !== 'open') watch(fs, `${name}Sync`);
void watchHandles();
process.on('exit', () => writeFileSync(note, JSON.stringify({ count })));
followReplies();

async function watchHandles(): Promise<void> {
  const probe = await fs.promises.open(process.execPath, 'r');
  const handles: FileHandle = Object.getPrototypeOf(probe);
  for (const name of ['writeFile', 'appendFile', 'write', 'sync', 'datasync', 'truncate', 'utimes'])
    watch(handles, name);
  await probe.close();
}

function followReplies(): void {
  const { fetch } = globalThis;
  globalThis.fetch = async (address, options) => {
    const response = await fetch(address, options);
    const body = typeof options?.body === 'string' ? options.body : '';
    writeSync(replies, `${createHash('sha256').update(body).digest('hex')} ${ownMs()}\n`);
    return response;
  };
}

function ownMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function watch(owner: object, name: string): void {
  const original: unknown = Reflect.get(owner, name);
  if (typeof original !== 'function') return;
  const call: Call = function watched(this: unknown, ...parts) {
    if (name === 'open' && !/[wa+]/u.test(typeof parts[1] === 'string' ? parts[1] : 'r'))
      return Reflect.apply(original, this, parts);
    count += 1;
    if (count !== at) return Reflect.apply(original, this, parts);
    if (how === 'after') return afterwards(Reflect.apply(original, this, parts));
    if (how === 'torn') tear(this, parts);
    return end();
  };
  Reflect.set(owner, name, call);
}

/** Half of what was to be written gets onto the disk. */
function tear(owner: unknown, parts: readonly unknown[]): void {
  const descriptor = owner instanceof Object && 'fd' in owner ? owner.fd : parts[0];
  const content = owner instanceof Object && 'fd' in owner ? parts[0] : parts[1];
  if (typeof descriptor !== 'number' || !(typeof content === 'string' || content instanceof Uint8Array)) return;
  const bytes = Buffer.from(content);
  writeSync(descriptor, bytes.subarray(0, Math.ceil(bytes.length / 2)));
}

function afterwards(result: unknown): unknown {
  return result instanceof Promise ? result.then(end) : end();
}

function end(): never {
  writeFileSync(note, JSON.stringify({ killedAtMs: ownMs() }));
  process.kill(process.pid, 'SIGKILL');
  for (;;);
}
