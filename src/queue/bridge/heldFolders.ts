import type { WorkTree } from '../../ports/agentWork.js';

/** What a few agents' folders of the largest size take. */
const usualMostBytes = 256 * 1024 * 1024;

interface HeldFolder {
  readonly tree: WorkTree;
  readonly bytes: number;
}

/** Folders that agents start from, by their hashes. Where they are too much, those that were not named for longest go. */
export class HeldFolders {
  readonly #mostBytes: number;
  /** In the order in which they were last named. */
  readonly #held = new Map<string, HeldFolder>();

  constructor(mostBytes = usualMostBytes) {
    this.#mostBytes = mostBytes;
  }

  take(tree: WorkTree): void {
    this.#last(tree.hash, { tree, bytes: bytesOf(tree) });
  }

  find(hash: string): WorkTree | undefined {
    const held = this.#held.get(hash);
    if (held !== undefined) this.#last(hash, held);
    return held?.tree;
  }

  /** Called once a call has all that it names: what it names may then be too much by itself. */
  trim(): void {
    let bytes = [...this.#held.values()].reduce((sum, held) => sum + held.bytes, 0);
    for (const [hash, held] of this.#held) {
      if (bytes <= this.#mostBytes) return;
      this.#held.delete(hash);
      bytes -= held.bytes;
    }
  }

  #last(hash: string, held: HeldFolder): void {
    this.#held.delete(hash);
    this.#held.set(hash, held);
  }
}

function bytesOf({ entries }: WorkTree): number {
  return entries.reduce((sum, entry) => sum + (entry.kind === 'file' ? entry.bytes.byteLength : 0), 0);
}
