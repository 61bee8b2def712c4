import * as vscode from 'vscode';
import type { baseProblems } from '../../app/options/baseProblems.js';
import type { configCompletions, configHover } from '../../app/options/configHelp.js';
import type { configProblems } from '../../app/options/configProblems.js';
import { retold } from '../../wording/translate.js';
import { reportError } from '../reportError.js';
import { completionOf, hoverOf } from '../shown/optionHelp.js';
import { problemOf } from '../shown/problems.js';
import type { SkillCatalog } from '../skills/skillCatalog.js';

/** What is known about the file of options: loaded when one is first opened. */
interface ConfigTools {
  readonly configCompletions: typeof configCompletions;
  readonly configHover: typeof configHover;
  readonly configProblems: typeof configProblems;
  readonly baseProblems: typeof baseProblems;
}

const afterTypingMs = 300;
const files = ['file', 'vscode-remote'].map((scheme) => ({ scheme, pattern: '**/.whetstone/config.yaml' }));

/** An extension for YAML completes and explains by the schema that we bring; twice would be too much. */
const yamlExtension = 'redhat.vscode-yaml';

/** Completion, explanations and problems in `.whetstone/config.yaml`, made from the schema that it is read by. */
export class ConfigFiles implements vscode.CompletionItemProvider, vscode.HoverProvider, vscode.Disposable {
  readonly #diagnostics = vscode.languages.createDiagnosticCollection('whetstone-options');
  readonly #load: () => Promise<ConfigTools>;
  readonly #catalog: Pick<SkillCatalog, 'skills'>;
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #disposables: readonly vscode.Disposable[];

  constructor(load: () => Promise<ConfigTools>, catalog: Pick<SkillCatalog, 'skills'>) {
    this.#load = load;
    this.#catalog = catalog;
    this.#disposables = [
      this.#diagnostics,
      vscode.languages.registerCompletionItemProvider(files, this, '.', ' '),
      vscode.languages.registerHoverProvider(files, this),
      vscode.workspace.onDidOpenTextDocument((document) => this.#soon(document, 0)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#soon(document, afterTypingMs)),
      vscode.workspace.onDidSaveTextDocument((saved) => this.#onSaved(saved)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#diagnostics.delete(uri)),
    ];
    for (const document of vscode.workspace.textDocuments) this.#soon(document, 0);
  }

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.CompletionItem[]> {
    if (isServedElsewhere()) return [];
    const { configCompletions: complete } = await this.#load();
    const found = complete(document.getText(), document.offsetAt(position), await this.#skillsOf(document.uri));
    return found.map(({ kind, start, ...completion }) =>
      completionOf(completion, kinds[kind], new vscode.Range(document.positionAt(start), position)),
    );
  }

  async provideHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    if (isServedElsewhere()) return undefined;
    const { configHover: explain } = await this.#load();
    const found = explain(document.getText(), document.offsetAt(position));
    if (found === undefined) return undefined;
    const range = new vscode.Range(document.positionAt(found.start), document.positionAt(found.end));
    const text = found.text.split('\n\n').map((part) => retold(part));
    return hoverOf(range, text.join('\n\n'));
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #soon(document: vscode.TextDocument, ms: number): void {
    if (vscode.languages.match(files, document) === 0) return;
    const key = document.uri.toString();
    clearTimeout(this.#timers.get(key));
    this.#timers.set(
      key,
      setTimeout(() => void this.#look(document).catch(reportError), ms),
    );
  }

  /** It may be one that a file of options stands on. */
  #onSaved({ fileName }: vscode.TextDocument): void {
    if (!/\.ya?ml$/i.test(fileName)) return;
    for (const document of vscode.workspace.textDocuments) this.#soon(document, 0);
  }

  async #look(document: vscode.TextDocument): Promise<void> {
    const { configProblems: look, baseProblems: lookBelow } = await this.#load();
    const skills = await this.#skillsOf(document.uri);
    const { fsPath } = document.uri;
    const below = await lookBelow(fsPath, document.getText());
    if (document.isClosed) return;
    const found = [...look(document.getText(), skills), ...below].map(({ start, end, message, stopsRuns }) => {
      const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
      const level = stopsRuns ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
      return problemOf(range, retold(message), level, 'options');
    });
    this.#diagnostics.set(document.uri, found);
  }

  /** The folders of the skills that the file is about, as it names them. */
  async #skillsOf(uri: vscode.Uri): Promise<readonly string[]> {
    const above = uri.path.slice(0, -'.whetstone/config.yaml'.length);
    const found = await this.#catalog.skills();
    return found
      .flatMap(({ paths }) => paths.map((each) => vscode.Uri.file(each).path))
      .filter((each) => each.startsWith(above) && each.endsWith('/SKILL.md'))
      .map((each) => each.slice(above.length, -'/SKILL.md'.length))
      .filter((name) => name !== '');
  }
}

const kinds: Readonly<Record<'part' | 'option' | 'value', vscode.CompletionItemKind>> = {
  part: vscode.CompletionItemKind.Module,
  option: vscode.CompletionItemKind.Property,
  value: vscode.CompletionItemKind.Value,
};

function isServedElsewhere(): boolean {
  return vscode.extensions.getExtension(yamlExtension) !== undefined;
}
