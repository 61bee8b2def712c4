import * as vscode from 'vscode';
import { shownLine } from '../wording/shownText.js';

const scheme = 'whetstone-text';
const mostKept = 50; // older ones belong to editors that were closed long ago

/** Texts that exist in no file, as read-only documents: closing one never asks whether to save it. */
export class VirtualTexts implements vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  #count = 0;

  register(): vscode.Disposable {
    return vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  }

  /** A document with this text; `name` is what its tab says, and its ending the language. */
  add(name: string, text: string): vscode.Uri {
    this.#count += 1;
    const uri = vscode.Uri.from({
      scheme,
      path: `/${shownLine(name).replaceAll('/', '-')}`,
      query: String(this.#count),
    });
    this.#texts.set(uri.query, text);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > mostKept && oldest !== undefined) this.#texts.delete(oldest);
    return uri;
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.query) ?? vscode.l10n.t('This text is no longer kept.');
  }
}
