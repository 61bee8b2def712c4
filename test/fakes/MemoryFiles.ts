import type { FixtureFiles } from '../../src/ports/files.js';

/** Files by absolute path. */
export class MemoryFiles implements FixtureFiles {
  readonly #files: ReadonlyMap<string, Uint8Array>;

  constructor(files: Readonly<Record<string, string | Uint8Array>>) {
    this.#files = new Map(
      Object.entries(files).map(([file, content]) => [
        file,
        typeof content === 'string' ? Buffer.from(content) : content,
      ]),
    );
  }

  async read(file: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
    signal.throwIfAborted();
    return this.#files.get(file);
  }
}
