import type * as vscode from 'vscode';
import { readText } from '../documents/candidateStore.js';
import type { EditorSave } from '../../../app/proposals/editorSaves.js';
import { plainText } from '../../../review/proposalTexts.js';
import type { ReviewHost } from '../reviewHost.js';

interface OpenNote extends Omit<EditorSave, 'after'> {
  readonly skillPath: string;
}

interface NoteHost extends Pick<ReviewHost, 'noteAdoption'> {
  readonly adoptions: Pick<ReviewHost['adoptions'], 'begin' | 'end'>;
}

/** Leaves a receipt for what accepting wrote to disk, as soon as it is on disk: that may be when the person saves. */
export class AdoptionNotes {
  readonly #host: NoteHost;
  readonly #open = new Map<string, OpenNote>();

  constructor(host: NoteHost) {
    this.#host = host;
  }

  /** `before` is what the file held on disk when the first of these edits went into its buffer. */
  begin(file: vscode.Uri, note: OpenNote): void {
    const known = this.#open.get(file.toString());
    if (known === undefined) this.#host.adoptions.begin(note.skillPath);
    this.#open.set(file.toString(), known === undefined ? note : { ...known, edits: [...known.edits, ...note.edits] });
  }

  /** These edits did not go into the buffer after all. */
  drop(file: vscode.Uri, edits: readonly string[]): void {
    const known = this.#open.get(file.toString());
    if (known === undefined) return;
    const left = known.edits.filter((id) => !edits.includes(id));
    if (left.length > 0) {
      this.#open.set(file.toString(), { ...known, edits: left });
      return;
    }
    this.#open.delete(file.toString());
    this.#host.adoptions.end(known.skillPath);
  }

  /** The file has this text and nothing unsaved. Where it is the text from before, what was accepted was reverted. */
  clean(file: vscode.Uri, text: string): void {
    const known = this.#open.get(file.toString());
    if (known !== undefined && plainText(known.before) === text) this.drop(file, known.edits);
  }

  /** The file was saved, by us or by the person. */
  async saved(file: vscode.Uri): Promise<void> {
    const note = this.#open.get(file.toString());
    if (note === undefined) return;
    this.#open.delete(file.toString());
    try {
      await this.#note(note, await readText(file));
    } finally {
      this.#host.adoptions.end(note.skillPath);
    }
  }

  async #note({ skillPath, ...change }: OpenNote, after: string | undefined): Promise<void> {
    if (after === undefined || after === change.before) return;
    await this.#host.noteAdoption(skillPath, { ...change, after });
  }
}
