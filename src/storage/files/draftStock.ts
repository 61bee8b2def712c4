import fs, { closeSync, renameSync, rmSync, writeSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { WriteBehind } from './writeBehind.js';
import { temporaryNameFor } from './durableWrite.js';
import { makeFolderInside } from './insideFolder.js';

const open = promisify(fs.open);

interface Draft {
  readonly file: string;
  readonly descriptor: number;
}

/** As many as may be wanted together. */
const stockSize = 16;

/**
 * Empty files of this user, made ahead of time: to make a file takes ten times as long as to write into it and give it
 * its name. Whoever has to wait for a small file takes one of these. What a kill leaves of them is swept up as all
 * drafts are.
 */
export class DraftStock {
  readonly #within: string;
  readonly #folder: string;
  readonly #drafts: Draft[] = [];
  readonly #afterwards: WriteBehind;
  #begun = false;
  #closed = false;

  constructor(within: string, folder: string, afterwards = new WriteBehind()) {
    this.#within = within;
    this.#folder = folder;
    this.#afterwards = afterwards;
  }

  /** Replaces `target` at once and whole, as after any kill. False where no draft is at hand or it could not be done. */
  write(target: string, content: string): boolean {
    const draft = this.#drafts.pop();
    if (!this.#begun) this.#afterwards.add(() => this.#begin());
    if (draft !== undefined) this.#afterwards.add(() => this.#addOne());
    this.#begun = true;
    return draft !== undefined && this.#finish(draft, target, Buffer.from(content));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#afterwards.settled();
    for (const { descriptor, file } of this.#drafts.splice(0)) {
      closeSync(descriptor);
      rmSync(file, { force: true });
    }
  }

  async #begin(): Promise<void> {
    await makeFolderInside(this.#within, this.#folder).catch(longWay);
    await Promise.all(Array.from({ length: stockSize }, () => this.#addOne()));
  }

  async #addOne(): Promise<void> {
    if (this.#closed) return;
    const file = path.join(this.#folder, temporaryNameFor('stock'));
    const descriptor = await open(file, 'wx', 0o600).catch(longWay);
    if (descriptor !== undefined) this.#drafts.push({ file, descriptor });
  }

  #finish({ file, descriptor }: Draft, target: string, bytes: Buffer): boolean {
    try {
      writeWhole(descriptor, bytes);
      renameSync(file, target);
      return true;
    } catch {
      this.#afterwards.add(() => rm(file, { force: true }).catch(longWay));
      return false;
    }
  }
}

/** Whoever finds no draft makes the file the long way, which says what is wrong. */
function longWay(): undefined {
  return undefined;
}

function writeWhole(descriptor: number, bytes: Buffer): void {
  try {
    if (writeSync(descriptor, bytes) !== bytes.length) throw new RangeError('a short write');
  } finally {
    closeSync(descriptor);
  }
}
