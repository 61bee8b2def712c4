import * as vscode from 'vscode';
import { reviewCommandIds, type CommandId } from './commands/commands.js';
import { registerCommand } from './commands/registerCommand.js';
import { reportError } from './reportError.js';
import { UserError } from '../errors.js';

const scheme = 'whetstone-proposal';

/**
 * Loads the review when it is first needed: when a skill is looked at, when a proposal stands in a tab from the last
 * session, or at the first command about one, which is then handed on to it. In a workspace that is not trusted it is
 * never loaded: what is reviewed is kept on disk.
 */
export class LazyReview implements vscode.Disposable {
  readonly #load: () => Promise<() => vscode.Disposable>;
  readonly #waiting: vscode.Disposable;
  #review: Promise<vscode.Disposable> | undefined;

  /** `load` fetches the code and gives what registers the review. */
  constructor(load: () => Promise<() => vscode.Disposable>) {
    this.#load = load;
    const look = (): void => {
      if (vscode.workspace.isTrusted && isLookedAt()) this.#begin().catch(reportError);
    };
    this.#waiting = vscode.Disposable.from(
      ...reviewCommandIds.map((id) => registerCommand(id, (...values) => this.#handOn(id, values))),
      vscode.window.onDidChangeVisibleTextEditors(look),
      vscode.window.tabGroups.onDidChangeTabs(look),
      vscode.workspace.onDidGrantWorkspaceTrust(look),
    );
    look();
  }

  dispose(): void {
    this.#waiting.dispose();
    void this.#review?.then((review) => review.dispose());
  }

  #begin(): Promise<vscode.Disposable> {
    return (this.#review ??= this.#register());
  }

  /** The review registers its own commands, so those that wait for it are removed first. */
  async #register(): Promise<vscode.Disposable> {
    const register = await this.#load();
    this.#waiting.dispose();
    return register();
  }

  async #handOn(id: CommandId, values: readonly unknown[]): Promise<unknown> {
    if (!vscode.workspace.isTrusted) throw untrusted();
    await this.#begin();
    return vscode.commands.executeCommand(id, ...values);
  }
}

function untrusted(): UserError {
  return new UserError(
    'workspace-untrusted',
    vscode.l10n.t('This workspace is not trusted, so no proposal is reviewed here.'),
    vscode.l10n.t('Trust the workspace, then try again.'),
  );
}

function isLookedAt(): boolean {
  const seen = vscode.window.visibleTextEditors.some(({ document }) => document.uri.path.endsWith('/SKILL.md'));
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return seen || tabs.some(({ input }) => isProposal(input));
}

function isProposal(input: unknown): boolean {
  if (input instanceof vscode.TabInputText) return input.uri.scheme === scheme;
  return input instanceof vscode.TabInputTextDiff && input.modified.scheme === scheme;
}
