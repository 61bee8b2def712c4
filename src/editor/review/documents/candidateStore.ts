import * as vscode from 'vscode';
import { printMemo, readMemo, type ReviewMemo, type StoredMemo } from '../../../review/reviewMemo.js';

const textName = 'candidate.md';
const memoName = 'review.json';

/** Proposals under review as files of this user: a reload, a crash or a second window finds them as they were left. */
export class CandidateStore {
  readonly #folder: vscode.Uri;

  constructor(storage: vscode.Uri) {
    this.#folder = vscode.Uri.joinPath(storage, 'reviews');
  }

  /** Reads the file behind a proposal, or asks for its facts. Throws where there is none. */
  readText<T>(id: string, read: (file: vscode.Uri) => Thenable<T>): Promise<T> {
    return this.#read(id, textName, read);
  }

  async create(id: string, memo: ReviewMemo, text: string): Promise<void> {
    await Promise.all([this.writeText(id, new TextEncoder().encode(text)), this.writeMemo(id, memo)]);
  }

  /** Undefined where there is no such review, or one of its two files cannot be read. */
  async memo(id: string): Promise<StoredMemo | undefined> {
    try {
      const text = decoded(await this.#read(id, memoName, (file) => vscode.workspace.fs.readFile(file)));
      await this.readText(id, (file) => vscode.workspace.fs.stat(file));
      return readMemo(text);
    } catch {
      return undefined;
    }
  }

  async writeText(id: string, bytes: Uint8Array): Promise<void> {
    await this.#write(id, textName, bytes);
  }

  async writeMemo(id: string, memo: ReviewMemo): Promise<void> {
    await this.#write(id, memoName, new TextEncoder().encode(printMemo(memo)));
  }

  async remove(id: string): Promise<void> {
    const folder = vscode.Uri.joinPath(this.#folder, id);
    if (await exists(folder)) await vscode.workspace.fs.delete(folder, { recursive: true, useTrash: false });
  }

  /** Watches what other windows write: with the id of the review, and whether its text or its memo changed. */
  watch(changed: (id: string, what: 'text' | 'memo') => void): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(this.#folder, '**'));
    const tell = (uri: vscode.Uri): void => {
      const [id, name] = uri.path.split('/').slice(-2);
      if (id !== undefined && name === textName) changed(id, 'text');
      if (id !== undefined && name === memoName) changed(id, 'memo');
    };
    return vscode.Disposable.from(watcher, watcher.onDidChange(tell), watcher.onDidCreate(tell));
  }

  /**
   * Whole or not at all: another window may be reading. VS Code deletes the old file before it gives the new one its name,
   * so for a moment, or after a crash in it, the whole text is in the new one alone.
   */
  async #write(id: string, name: string, bytes: Uint8Array): Promise<void> {
    const { target, fresh } = this.#files(id, name);
    await vscode.workspace.fs.writeFile(fresh, bytes);
    await vscode.workspace.fs.rename(fresh, target, { overwrite: true });
  }

  async #read<T>(id: string, name: string, read: (file: vscode.Uri) => Thenable<T>): Promise<T> {
    const { target, fresh } = this.#files(id, name);
    for (const file of [target, fresh]) {
      try {
        return await read(file);
      } catch {
        // It may just be replaced, or was when the window ended.
      }
    }
    return read(target);
  }

  #files(id: string, name: string): Record<'target' | 'fresh', vscode.Uri> {
    const target = vscode.Uri.joinPath(this.#folder, id, name);
    return { target, fresh: target.with({ path: `${target.path}.new` }) };
  }
}

/** The text of a file as it is on disk, byte order mark included; undefined where there is none. */
export async function readText(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return decoded(await vscode.workspace.fs.readFile(uri));
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}

function decoded(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}
