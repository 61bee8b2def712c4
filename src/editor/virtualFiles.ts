import * as vscode from 'vscode';

/**
 * Documents under a scheme of our own that can be read and written, and nothing else: there are no folders, and nothing is
 * made, removed or renamed. What changes by another hand is told with `tellChanged`.
 */
export abstract class VirtualFiles implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;
  readonly #registration: vscode.Disposable;

  constructor(scheme: string) {
    this.#registration = vscode.workspace.registerFileSystemProvider(scheme, this, { isCaseSensitive: true });
  }

  abstract stat(uri: vscode.Uri): Promise<vscode.FileStat>;
  abstract readFile(uri: vscode.Uri): Promise<Uint8Array>;
  abstract writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void>;

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
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

  protected tellChanged(...uris: readonly vscode.Uri[]): void {
    this.#changed.fire(uris.map((uri) => ({ type: vscode.FileChangeType.Changed, uri })));
  }
}
