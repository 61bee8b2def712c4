import * as vscode from 'vscode';
import type { ProposedDocument } from '../../../ports/proposal.js';

export const baseScheme = 'whetstone-base';

/** The texts that proposals were made from, as documents to be read beside the files of today. */
export class BaseTexts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(baseScheme, this);

  uriOf(document: ProposedDocument): vscode.Uri {
    this.#texts.set(document.baseHash, document.baseText);
    const name = document.path.slice(document.path.lastIndexOf('/') + 1);
    return vscode.Uri.from({ scheme: baseScheme, path: `/${name}`, query: document.baseHash });
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.query) ?? vscode.l10n.t('This text is no longer kept.');
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
