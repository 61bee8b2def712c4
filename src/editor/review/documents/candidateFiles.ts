import * as vscode from 'vscode';
import { VirtualFiles } from '../../virtualFiles.js';
import { candidateScheme } from './candidateUri.js';
import type { CandidateStore } from './candidateStore.js';

/** Serves proposals as documents that can be written, from files on disk. Nothing else exists under the scheme. */
export class CandidateFiles extends VirtualFiles {
  readonly #store: CandidateStore;
  /** One proposal may be open under two names. */
  readonly #open = new Map<string, vscode.Uri>();

  constructor(store: CandidateStore) {
    super(candidateScheme);
    this.#store = store;
  }

  /** What changed on disk by another hand is read again. */
  refresh(id: string, except?: vscode.Uri): void {
    const uris = [...this.#open.values()].filter(
      (uri) => uri.authority === id && uri.toString() !== except?.toString(),
    );
    this.tellChanged(...uris);
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

  async #from<T>(uri: vscode.Uri, read: (file: vscode.Uri) => Thenable<T>): Promise<T> {
    if (uri.authority === '') throw vscode.FileSystemError.FileNotFound(uri);
    try {
      return await this.#store.readText(uri.authority, read);
    } catch {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
  }
}
