import * as vscode from 'vscode';
import { shownLine, shownText } from '../wording/shownText.js';
import { lensOf } from './shown/lens.js';

const scheme = 'whetstone-text';
const mostKept = 50; // older ones belong to editors that were closed long ago

/** Texts that exist in no file, as read-only documents: closing one never asks whether to save it. */
export class VirtualTexts implements vscode.TextDocumentContentProvider, vscode.CodeLensProvider {
  readonly #texts = new Map<string, string>();
  readonly #shown = new Map<string, { readonly uri: vscode.Uri; readonly link: vscode.Command }>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #lensesChanged = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly onDidChangeCodeLenses = this.#lensesChanged.event;
  #count = 0;

  register(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      vscode.languages.registerCodeLensProvider({ scheme }, this),
      this.#changed,
      this.#lensesChanged,
    );
  }

  /** The one document of its key, from now on with this text, and a link above it. */
  show(
    key: string,
    { name, text, link }: { readonly name: string; readonly text: string; readonly link: vscode.Command },
  ): vscode.Uri {
    const before = this.#shown.get(key)?.uri;
    const uri = before !== undefined && this.#texts.has(before.query) ? before : this.add(name, text);
    this.#texts.set(uri.query, text);
    this.#shown.set(key, { uri, link });
    this.#changed.fire(uri);
    this.#lensesChanged.fire();
    return uri;
  }

  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    const shown = [...this.#shown.values()].find((each) => each.uri.toString() === uri.toString());
    return shown === undefined ? [] : [lensOf(new vscode.Range(0, 0, 0, 0), shownText(shown.link.title), shown.link)];
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
