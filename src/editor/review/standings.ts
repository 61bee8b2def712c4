import * as vscode from 'vscode';
import { sha256 } from '../../hash.js';
import { readText } from './candidateStore.js';
import { plainText } from '../../review/plainText.js';
import type { Review, Snapshot } from './review.js';
import type { MeasuredText } from '../../review/measurementStatus.js';
import { printStanding, readStanding, type KeptStanding } from '../../review/keptStanding.js';

/**
 * What is known of skills that part of a proposal was taken into: remembered until the text changes, also after the
 * proposal itself is decided and gone.
 */
export class Standings implements vscode.Disposable {
  readonly #folder: vscode.Uri;
  readonly #known = new Map<string, Promise<KeptStanding | undefined>>();
  readonly #changed = new vscode.EventEmitter<string>();
  /** With the path of the skill. */
  readonly onDidChange = this.#changed.event;

  constructor(storage: vscode.Uri) {
    this.#folder = vscode.Uri.joinPath(storage, 'standings');
  }

  /** For the file as it is: undefined where the text was measured with its proposal, or nothing of it was taken. */
  async of(skillPath: string, text: string): Promise<KeptStanding | undefined> {
    const kept = await this.#kept(skillPath);
    return kept?.afterHash === sha256(plainText(text)) ? kept : undefined;
  }

  /** Takes note of what a review shows. */
  async note(review: Review, { standing, realText, real }: Snapshot): Promise<void> {
    if (review.document.kind !== 'skill' || real.isDirty) return;
    const known = await this.#kept(review.skillPath);
    if (standing.kind === 'untouched' || standing.kind === 'whole') {
      if (known?.afterHash === sha256(realText)) await this.#write(review.skillPath, undefined);
      return;
    }
    const { skillPath } = review;
    const next = { skillPath, before: review.record.ground.base, afterHash: sha256(realText), standing };
    if (known === undefined || printStanding(known) !== printStanding(next)) await this.#write(skillPath, next);
  }

  /** The text was measured by itself. */
  async measured(kept: KeptStanding, measured: Omit<MeasuredText, 'hash'>): Promise<void> {
    await this.#write(kept.skillPath, { ...kept, standing: { kind: 'measured', ...measured } });
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #kept(skillPath: string): Promise<KeptStanding | undefined> {
    const known = this.#known.get(skillPath) ?? readText(this.#file(skillPath)).then((text) => readStanding(text));
    this.#known.set(skillPath, known);
    return known;
  }

  async #write(skillPath: string, kept: KeptStanding | undefined): Promise<void> {
    this.#known.set(skillPath, Promise.resolve(kept));
    const text = kept === undefined ? '' : printStanding(kept);
    await vscode.workspace.fs.writeFile(this.#file(skillPath), new TextEncoder().encode(text));
    this.#changed.fire(skillPath);
  }

  #file(skillPath: string): vscode.Uri {
    return vscode.Uri.joinPath(this.#folder, `${sha256(skillPath).slice(0, 16)}.json`);
  }
}
