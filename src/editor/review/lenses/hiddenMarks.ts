import * as vscode from 'vscode';
import { eachInvisible } from '../../../skill/edits/visibleText.js';
import { isCandidate } from '../documents/candidateUri.js';
import type { Reviews } from '../reviews.js';

const mostMarks = 500; // in one document; a person who sees that many knows enough
const afterTypingMs = 200;

/** Writes out, in a proposal and in the file beside it, the characters that nobody would see: VS Code shows none of them in Markdown. */
export class HiddenMarks implements vscode.Disposable {
  readonly #reviews: Pick<Reviews, 'ofFile'>;
  readonly #mark = vscode.window.createTextEditorDecorationType({
    before: { color: new vscode.ThemeColor('editorWarning.foreground'), border: '1px solid' },
    backgroundColor: new vscode.ThemeColor('editorWarning.background'),
    overviewRulerColor: new vscode.ThemeColor('editorWarning.foreground'),
  });
  readonly #disposables: vscode.Disposable;
  readonly #marked = new WeakMap<vscode.TextEditor, { readonly version: number; readonly count: number }>();
  #soon: ReturnType<typeof setTimeout> | undefined;

  constructor(reviews: Pick<Reviews, 'ofFile' | 'onDidChange'>) {
    this.#reviews = reviews;
    this.#disposables = vscode.Disposable.from(
      this.#mark,
      vscode.window.onDidChangeVisibleTextEditors(() => this.#markAll()),
      vscode.workspace.onDidChangeTextDocument(() => this.#markSoon()),
      reviews.onDidChange(() => this.#markSoon()),
    );
    this.#markAll();
  }

  dispose(): void {
    clearTimeout(this.#soon);
    this.#disposables.dispose();
  }

  #markSoon(): void {
    clearTimeout(this.#soon);
    this.#soon = setTimeout(() => this.#markAll(), afterTypingMs);
  }

  #markAll(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const { uri } = editor.document;
      if (isCandidate(uri) || this.#reviews.ofFile(uri).length > 0) this.#markIn(editor);
    }
  }

  /** While a review opens, the editors change several times and their texts do not. */
  #markIn(editor: vscode.TextEditor): void {
    const { document } = editor;
    const marked = this.#marked.get(editor);
    if (marked?.version === document.version) return;
    const marks = marksIn(document);
    if (marks.length > 0 || (marked?.count ?? 0) > 0) editor.setDecorations(this.#mark, marks);
    this.#marked.set(editor, { version: document.version, count: marks.length });
  }
}

/** Each as ‹U+200B› before the place where it stands. */
export function marksIn(document: vscode.TextDocument): vscode.DecorationOptions[] {
  const marks: vscode.DecorationOptions[] = [];
  for (const { name, start, end } of eachInvisible(document.getText())) {
    if (marks.length === mostMarks) break;
    marks.push({
      range: new vscode.Range(document.positionAt(start), document.positionAt(end)),
      renderOptions: { before: { contentText: `‹${name}›` } },
    });
  }
  return marks;
}
