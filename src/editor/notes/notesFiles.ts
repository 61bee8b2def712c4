import * as vscode from 'vscode';
import { UserError } from '../../errors.js';
import { ownCure } from '../../wording/ownCure.js';
import { shownLine } from '../../wording/shownText.js';
import { retold } from '../../wording/translate.js';
import { neverAborted } from '../cancellation.js';
import { VirtualFiles } from '../virtualFiles.js';
import { requestFor, type UseCasesSource } from '../workbench.js';

const scheme = 'whetstone-notes';

/** The notes of the optimizer on a skill as they were last seen, and when they last changed. */
interface SeenNotes {
  readonly text: string;
  readonly changedAt: number;
}

/**
 * The notes that the optimizer keeps on skills, each as a document that can be written: saving it stores them. Nothing
 * else exists under the scheme, and nothing of it lies in the workspace.
 */
export class NotesFiles extends VirtualFiles {
  readonly #useCases: UseCasesSource;
  readonly #seen = new Map<string, SeenNotes>();
  // What was stored may be less than what was written: it has no secrets, and no space around it.
  readonly #saves = vscode.workspace.onDidSaveTextDocument((document) => void this.#showStored(document));

  constructor(useCases: UseCasesSource) {
    super(scheme);
    this.#useCases = useCases;
  }

  /** The document of a skill's notes; `name` is what its tab says. */
  uriOf(skillPath: string, name: string): vscode.Uri {
    return vscode.Uri.from({
      scheme,
      path: `/${shownLine(vscode.l10n.t('{0}: notes of the optimizer', name)).replaceAll('/', '-')}.md`,
      query: new URLSearchParams({ skill: skillPath }).toString(),
    });
  }

  /** What another hand changed is read again: a run, the command line, a reset. */
  async refresh(skillPath: string): Promise<void> {
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme !== scheme || skillOf(uri) !== skillPath) continue;
      const before = this.#seen.get(uri.toString())?.text;
      if ((await this.#notesOf(uri)).text !== before) this.tellChanged(uri);
    }
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { text, changedAt } = await this.#notesOf(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime: changedAt, size: bytesOf(text).length };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return bytesOf((await this.#notesOf(uri)).text);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const request = { ...requestFor(skillOf(uri)), text: new TextDecoder().decode(content) };
    try {
      await (await this.#useCases()).writeMetaSkill(request, neverAborted());
    } catch (error) {
      throw sayable(error);
    }
  }

  override dispose(): void {
    this.#saves.dispose();
    super.dispose();
  }

  async #notesOf(uri: vscode.Uri): Promise<SeenNotes> {
    const skillPath = skillOf(uri);
    if (skillPath === '') throw vscode.FileSystemError.FileNotFound(uri);
    const text = await (await this.#useCases()).metaSkill(requestFor(skillPath), neverAborted()).catch((error) => {
      throw sayable(error);
    });
    const before = this.#seen.get(uri.toString());
    if (before?.text === text) return before;
    return this.#see(uri, text, before);
  }

  #see(uri: vscode.Uri, text: string, before: SeenNotes | undefined): SeenNotes {
    const seen = { text, changedAt: Math.max(Date.now(), (before?.changedAt ?? 0) + 1) };
    this.#seen.set(uri.toString(), seen);
    return seen;
  }

  async #showStored(document: vscode.TextDocument): Promise<void> {
    const { uri } = document;
    if (uri.scheme !== scheme) return;
    const stored = await this.#notesOf(uri);
    if (new TextDecoder().decode(bytesOf(stored.text)) === document.getText()) return;
    // The editor saw its own save: without a later time it would not look again.
    this.#see(uri, stored.text, stored);
    this.tellChanged(uri);
  }
}

function skillOf({ query }: vscode.Uri): string {
  return new URLSearchParams(query).get('skill') ?? '';
}

function bytesOf(notes: string): Uint8Array {
  return new TextEncoder().encode(notes === '' ? '' : `${notes}\n`);
}

/** What the editor says where a document cannot be read or saved: our sentence, and what to do. */
function sayable(error: unknown): unknown {
  if (!(error instanceof UserError)) return error;
  const parts = [error.message, ownCure(error.cure, 'editor')].filter((part) => part !== '');
  return new vscode.FileSystemError(parts.map(retold).join(' '));
}
