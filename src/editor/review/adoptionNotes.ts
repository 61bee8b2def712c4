import type * as vscode from 'vscode';
import { readText } from './candidateStore.js';
import type { NotedChange } from '../../workshop/workshop.js';
import type { ReviewHost } from './reviewHost.js';

interface OpenNote extends Omit<NotedChange, 'after'> {
  readonly skillPath: string;
}

/** Leaves a receipt for what accepting wrote to disk, as soon as it is on disk: that may be when the person saves. */
export class AdoptionNotes {
  readonly #host: ReviewHost;
  readonly #open = new Map<string, OpenNote>();

  constructor(host: ReviewHost) {
    this.#host = host;
  }

  /** `before` is what the file held on disk when the first of these edits went into its buffer. */
  begin(file: vscode.Uri, note: OpenNote): void {
    const known = this.#open.get(file.toString());
    this.#open.set(file.toString(), known === undefined ? note : { ...known, edits: [...known.edits, ...note.edits] });
  }

  /** The file was saved, by us or by the person. */
  async saved(file: vscode.Uri): Promise<void> {
    const note = this.#open.get(file.toString());
    if (note === undefined) return;
    this.#open.delete(file.toString());
    const after = await readText(file);
    if (after === undefined || after === note.before) return;
    const { skillPath, ...change } = note;
    await this.#host.noteAdoption(skillPath, { ...change, after });
  }
}
