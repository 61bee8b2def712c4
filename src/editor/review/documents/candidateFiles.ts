import * as vscode from 'vscode';
import { candidateScheme } from './candidateUri.js';
import type { CandidateStore } from './candidateStore.js';

/** Serves proposals as documents that can be written, from files on disk. Nothing else exists under the scheme. */
export class CandidateFiles implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;
  readonly #store: CandidateStore;
  /** One proposal may be open under two names. */
  readonly #open = new Map<string, vscode.Uri>();
  readonly #registration: vscode.Disposable;

  constructor(store: CandidateStore) {
    this.#store = store;
    this.#registration = vscode.workspace.registerFileSystemProvider(candidateScheme, this, { isCaseSensitive: true });
  }

  /** What changed on disk by another hand is read again. */
  refresh(id: string, except?: vscode.Uri): void {
    const uris = [...this.#open.values()].filter(
      (uri) => uri.authority === id && uri.toString() !== except?.toString(),
    );
    this.#changed.fire(uris.map((uri) => ({ type: vscode.FileChangeType.Changed, uri })));
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { ctime, mtime, size } = await this.#from(uri, (file) => vscode.workspace.fs.stat(file));
    return { type: vscode.FileType.File, ctime, mtime, size };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    this.#open.set(uri.toString(), uri);
    return this.#from(uri, (file) => vscode.workspace.fs.readFile(file));
  }

  /** Only what is there can be written: saving never brings back a review that has ended. */
  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    await this.stat(uri);
    await this.#store.writeText(uri.authority, content);
    this.refresh(uri.authority, uri);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }

  async #from<T>(uri: vscode.Uri, read: (file: vscode.Uri) => Thenable<T>): Promise<T> {
    if (uri.authority === '') throw vscode.FileSystemError.FileNotFound(uri);
    try {
      return await read(this.#store.textFile(uri.authority));
    } catch {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
  }
}
