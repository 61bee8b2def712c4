import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';
import type { FileHandle } from 'node:fs/promises';

/** Where a process can be ended: before a write, in the middle of one, before its sync, before and after a rename, before a call and before its reply is used. */
export const killKinds = ['write', 'torn', 'fsync', 'rename', 'renamed', 'call', 'answered'] as const;
/** And at the first call after such a reply, which is stored by then. */
export const repliesBefore = [
  'reflection',
  'skill_aware_reflection',
  'edit_budget',
  'meta_skill',
  'rewrite',
  'rewrites',
] as const;
/**
 * And at a call that holds two texts against each other at the end of an epoch or of a night, at one that tries the
 * guidance from it, while notes are asked for, and while reminders are joined.
 */
export type KillKind =
  | (typeof killKinds)[number]
  | (typeof repliesBefore)[number]
  | 'comparing'
  | 'guided'
  | 'noting'
  | 'joining';

export interface KillPoint {
  readonly kind: KillKind;
  /** Which one of its kind, from 1. */
  readonly at: number;
}

export type KillCounts = Record<KillKind, number>;

/** Counts what this process reaches, and ends it by SIGKILL at the point given. */
export class KillPoints {
  readonly counts: KillCounts = {
    write: 0,
    torn: 0,
    fsync: 0,
    rename: 0,
    renamed: 0,
    call: 0,
    answered: 0,
    reflection: 0,
    skill_aware_reflection: 0,
    edit_budget: 0,
    meta_skill: 0,
    rewrite: 0,
    rewrites: 0,
    comparing: 0,
    guided: 0,
    noting: 0,
    joining: 0,
  };
  readonly #end: KillPoint | undefined;

  constructor(end: KillPoint | undefined) {
    this.#end = end;
  }

  reach(kind: KillKind, before: () => void = () => undefined): void {
    this.counts[kind]++;
    if (this.#end?.kind !== kind || this.#end.at !== this.counts[kind]) return;
    before();
    process.kill(process.pid, 'SIGKILL');
  }

  /** Watches every write, sync and rename of the process from now on, whoever makes them. */
  async watchFiles(): Promise<void> {
    const probe = await fs.promises.open(process.execPath, 'r');
    const handles: FileHandle = Object.getPrototypeOf(probe);
    await probe.close();
    for (const name of ['writeFile', 'appendFile', 'write'] as const) {
      watch(handles, name, (handle, [content]) => {
        const bytes = Buffer.from(typeof content === 'string' || content instanceof Uint8Array ? content : '');
        this.reach('write');
        this.reach('torn', () => void writeSync(handle.fd, bytes.subarray(0, Math.ceil(bytes.length / 2))));
      });
    }
    const { writeSync, renameSync } = fs;
    fs.writeSync = (descriptor: number, content: unknown, ...parts: readonly unknown[]): number => {
      const bytes = Buffer.from(typeof content === 'string' || content instanceof Uint8Array ? content : '');
      this.reach('write');
      this.reach('torn', () => void writeSync(descriptor, bytes.subarray(0, Math.ceil(bytes.length / 2))));
      return Reflect.apply(writeSync, fs, [descriptor, content, ...parts]);
    };
    fs.renameSync = (from, to) => {
      this.reach('rename');
      renameSync(from, to);
      this.reach('renamed');
    };
    for (const name of ['sync', 'datasync'] as const) watch(handles, name, () => this.reach('fsync'));
    const { rename } = fs.promises;
    fs.promises.rename = async (from, to) => {
      this.reach('rename');
      await rename(from, to);
      this.reach('renamed');
    };
    syncBuiltinESMExports();
  }
}

/** Calls `before` each time that any file is asked to do this. */
function watch(
  handles: FileHandle,
  name: 'writeFile' | 'appendFile' | 'write' | 'sync' | 'datasync',
  before: (handle: FileHandle, parts: readonly unknown[]) => void,
): void {
  const original: unknown = Reflect.get(handles, name);
  if (typeof original !== 'function') throw new TypeError(`a file handle has no ${name}`);
  Object.defineProperty(handles, name, {
    configurable: true,
    value(this: FileHandle, ...parts: readonly unknown[]): unknown {
      before(this, parts);
      return Reflect.apply(original, this, parts);
    },
  });
}
