import * as vscode from 'vscode';
import type { AdoptionNotes } from './adoptionNotes.js';
import { readText } from '../documents/candidateStore.js';
import { isAcceptStep } from '../../../review/followFile.js';
import { pause } from '../documents/agreeWithDisk.js';
import { plainText } from '../../../review/proposalTexts.js';
import type { Review } from '../review.js';
import type { ReviewHost } from '../reviewHost.js';

const lookMs = 100;
const mostLooks = 20;
/** One undo over several files is told file by file, in turns that follow each other. */
const gatherMs = 150;
const mostDecisions = 50;

/** A file of a review that an undo or a redo in its editor changed. */
interface UndoneFile {
  readonly review: Review;
  readonly document: vscode.TextDocument;
}

/**
 * Puts files back on disk after an accept was undone or redone in the editor, if they were on disk before. What one decision
 * wrote into several files comes back as one change, too.
 */
export class UndoneFiles {
  readonly #host: Pick<ReviewHost, 'refuseWrite' | 'saveTogether'>;
  readonly #notes: AdoptionNotes;
  /** The files of the decisions on several, newest last: one undo takes back all of them. */
  #decisions: readonly ReadonlySet<string>[] = [];
  /** By skill: what one undo is telling of. */
  readonly #gathered = new Map<string, Map<string, UndoneFile>>();

  constructor(host: Pick<ReviewHost, 'refuseWrite' | 'saveTogether'>, notes: AdoptionNotes) {
    this.#host = host;
    this.#notes = notes;
  }

  /** One decision wrote into all of these files. */
  wroteTogether(files: readonly vscode.Uri[]): void {
    this.#decisions = [...this.#decisions, new Set(files.map(String))].slice(-mostDecisions);
  }

  /** Asked in the very turn of the change. Of several files that are told of together, the first one saves all. */
  async saveUndone(review: Review, document: vscode.TextDocument): Promise<void> {
    const gathered = this.#gathered.get(review.skillPath);
    const file = { review, document };
    if (gathered !== undefined) return void gathered.set(document.uri.toString(), file);
    const files = await this.#gather(file);
    for (const each of files) await this.#host.refuseWrite(review.skillPath, each.review.writeOf(undefined));
    await (files.length === 1 ? this.#saveOne(file) : this.#saveSeveral(review, files));
  }

  /** With those of the same decision that are told of right after it. */
  async #gather(file: UndoneFile): Promise<readonly UndoneFile[]> {
    const key = file.document.uri.toString();
    if (!this.#decisions.some((files) => files.has(key))) return [file];
    const files = new Map([[key, file]]);
    this.#gathered.set(file.review.skillPath, files);
    await pause(gatherMs);
    this.#gathered.delete(file.review.skillPath);
    return [...files.values()];
  }

  async #saveOne({ review, document }: UndoneFile): Promise<void> {
    const before = await readText(document.uri);
    if (before !== undefined)
      this.#notes.begin(document.uri, {
        skillPath: review.skillPath,
        documentPath: review.document.path,
        before,
        edits: [],
        pending: review.pending,
      });
    await putOnDisk({ review, document });
    await this.#notes.saved(document.uri);
  }

  async #saveSeveral({ skillPath, pending }: Review, files: readonly UndoneFile[]): Promise<void> {
    const documents = await Promise.all(
      files.map(async ({ review, document }) => {
        const after = markOf((await readText(document.uri)) ?? '') + document.getText();
        return { documentPath: review.document.path, before: undefined, after };
      }),
    );
    await this.#host.saveTogether(skillPath, { documents, edits: [], pending }, async () => {
      for (const file of files) await putOnDisk(file);
    });
  }
}

/**
 * An undo in the middle of the save that belongs to the accept leaves the editor believing that nothing is to be saved: then
 * the bytes are written past it, but only over the very text that the undone accept had left there.
 */
async function putOnDisk({ review, document }: UndoneFile): Promise<void> {
  await document.save();
  for (let look = 0; look < mostLooks; look += 1) {
    const onDisk = (await readText(document.uri)) ?? '';
    const text = plainText(document.getText());
    if (plainText(onDisk) === text) break;
    if (document.isDirty) await document.save();
    else if (isAcceptStep(review.memo.accepts, plainText(onDisk), text)) await write(document, onDisk);
    await pause(lookMs);
  }
}

async function write(document: vscode.TextDocument, onDisk: string): Promise<void> {
  await vscode.workspace.fs.writeFile(document.uri, new TextEncoder().encode(markOf(onDisk) + document.getText()));
}

function markOf(onDisk: string): string {
  return onDisk.startsWith('\uFEFF') ? '\uFEFF' : '';
}
