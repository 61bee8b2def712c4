import * as vscode from 'vscode';
import { discoverSkills, hasSkill, type RealPath, type FoundSkill } from './discoverSkills.js';

/** Where agents keep skills. */
const skillFolders = '**/{.claude,.agents,.github,.cursor,.codex,.gemini,.opencode,skills,skills/*}';
const settleMs = 500; // whoever copies a skill makes the folder first

/** The skills of the open folders, searched for when first asked and again after a SKILL.md came, went or moved. */
export class SkillCatalog implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #realPath: RealPath;
  readonly #disposables: vscode.Disposable[] = [this.#changed];
  #search: Promise<readonly FoundSkill[]> | undefined;

  constructor(realPath: RealPath) {
    this.#realPath = realPath;
  }

  /** The skills as last found. The first call starts the search and begins to watch. */
  skills(): Promise<readonly FoundSkill[]> {
    if (this.#search === undefined) {
      this.#watch();
      this.#search = this.#discover();
    }
    return this.#search;
  }

  /** The path by which a skill is known that was named by a link to it, or by its folder. */
  async pathOf(named: string): Promise<string> {
    const real = await this.#realPath(named);
    if (real.endsWith('SKILL.md')) return real;
    const inside = await this.#realPath(vscode.Uri.joinPath(vscode.Uri.file(real), 'SKILL.md').fsPath);
    return (await this.skills()).some(({ realPath }) => realPath === inside) ? inside : real;
  }

  /** Whether there is a skill at all; ends at the first, and begins to watch nothing. */
  async hasAny(): Promise<boolean> {
    return this.#search === undefined ? hasSkill() : (await this.#search).length > 0;
  }

  /** Forgets what was found; the next question searches again. */
  refresh(): void {
    if (this.#search !== undefined) this.#search = this.#discover();
    this.#changed.fire();
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  async #discover(): Promise<readonly FoundSkill[]> {
    const source = new vscode.CancellationTokenSource();
    try {
      return await discoverSkills(this.#realPath, source.token);
    } finally {
      source.dispose();
    }
  }

  /** Searches again and tells of it only where other skills are found. */
  async #lookAgain(): Promise<void> {
    const earlier = this.#search;
    const before = JSON.stringify(await earlier);
    const found = await this.#discover();
    const isOvertaken = this.#search !== earlier; // by a search that began later and knows more
    if (isOvertaken || JSON.stringify(found) === before) return;
    this.#search = Promise.resolve(found);
    this.#changed.fire();
  }

  #watch(): void {
    if (this.#disposables.length > 1) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => void this.#lookAgain(), settleMs);
    };
    // On Linux a file that is written into a folder the moment it is made leaves no event; the folder does.
    const folders = vscode.workspace.createFileSystemWatcher(skillFolders, false, true, true);
    const watcher = vscode.workspace.createFileSystemWatcher('**/SKILL.md', false, true, false);
    this.#disposables.push(
      folders,
      folders.onDidCreate(soon),
      { dispose: () => clearTimeout(timer) },
      watcher,
      watcher.onDidCreate(() => this.refresh()),
      watcher.onDidDelete(() => this.refresh()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.refresh()),
    );
  }
}
