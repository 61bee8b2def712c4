import * as vscode from 'vscode';
import { printRecord, readRecord, type ReviewRecord, type StoredRecord } from '../../../review/reviewRecord.js';

const textName = 'candidate.md';
const recordName = 'review.json';

/** Proposals under review as files of this user: a reload, a crash or a second window finds them as they were left. */
export class CandidateStore {
  readonly #folder: vscode.Uri;

  constructor(storage: vscode.Uri) {
    this.#folder = vscode.Uri.joinPath(storage, 'reviews');
  }

  /** The file behind a proposal. */
  textFile(id: string): vscode.Uri {
    return vscode.Uri.joinPath(this.#folder, id, textName);
  }

  async create(id: string, record: ReviewRecord, text: string): Promise<void> {
    await Promise.all([this.writeText(id, new TextEncoder().encode(text)), this.writeRecord(id, record)]);
  }

  /** Undefined where there is no such review, or one of its two files cannot be read. */
  async record(id: string): Promise<StoredRecord | undefined> {
    const [text, isThere] = await Promise.all([
      readText(vscode.Uri.joinPath(this.#folder, id, recordName)),
      exists(this.textFile(id)),
    ]);
    return text !== undefined && isThere ? readRecord(text) : undefined;
  }

  async writeText(id: string, bytes: Uint8Array): Promise<void> {
    await this.#write(id, textName, bytes);
  }

  async writeRecord(id: string, record: ReviewRecord): Promise<void> {
    await this.#write(id, recordName, new TextEncoder().encode(printRecord(record)));
  }

  async remove(id: string): Promise<void> {
    const folder = vscode.Uri.joinPath(this.#folder, id);
    if (await exists(folder)) await vscode.workspace.fs.delete(folder, { recursive: true, useTrash: false });
  }

  /** Watches what other windows write: with the id of the review, and whether its text or its record changed. */
  watch(changed: (id: string, what: 'text' | 'record') => void): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(this.#folder, '**'));
    const tell = (uri: vscode.Uri): void => {
      const [id, name] = uri.path.split('/').slice(-2);
      if (id !== undefined && name === textName) changed(id, 'text');
      if (id !== undefined && name === recordName) changed(id, 'record');
    };
    return vscode.Disposable.from(watcher, watcher.onDidChange(tell), watcher.onDidCreate(tell));
  }

  /** Whole or not at all: another window may be reading. */
  async #write(id: string, name: string, bytes: Uint8Array): Promise<void> {
    const target = vscode.Uri.joinPath(this.#folder, id, name);
    const fresh = target.with({ path: `${target.path}.new` });
    await vscode.workspace.fs.writeFile(fresh, bytes);
    await vscode.workspace.fs.rename(fresh, target, { overwrite: true });
  }
}

/** The text of a file as it is on disk, byte order mark included; undefined where there is none. */
export async function readText(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await vscode.workspace.fs.readFile(uri));
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}
