import type { ProgramContent, ProgramContents, ProgramToRun } from '../../src/ports/programs.js';
import { sha256 } from '../../src/hash.js';

/** Programs known by files in memory, by absolute path: those of their folder, and those that are words of the command. */
export class MemoryContents implements ProgramContents {
  readonly #files: Readonly<Record<string, string>>;

  constructor(files: Readonly<Record<string, string>>) {
    this.#files = files;
  }

  async of(program: ProgramToRun, signal: AbortSignal): Promise<ProgramContent> {
    signal.throwIfAborted();
    const { command, arguments: words, folder, told = [] } = program;
    const all = [command, ...words, ...told];
    const plain = Object.entries(this.#files)
      .filter(([file]) => (folder !== undefined && file.startsWith(`${folder}/`)) || all.includes(file))
      .map(([file, text]) => ({ path: file, hash: sha256(text) }));
    return { kind: 'found', text: JSON.stringify([all, plain]), shown: all.join(' '), unbound: [], plain };
  }
}
