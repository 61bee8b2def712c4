import * as vscode from 'vscode';
import { reportError } from '../reportError.js';
import { readSettings } from '../settings.js';

/** Opens and closes the Test Explorer with its setting; its code is loaded with the first time it is on. */
export class TestExplorerSwitch implements vscode.Disposable {
  readonly #open: () => Promise<vscode.Disposable>;
  readonly #subscription: vscode.Disposable;
  #explorer: Promise<vscode.Disposable> | undefined;

  constructor(open: () => Promise<vscode.Disposable>) {
    this.#open = open;
    this.#subscription = vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('whetstone.testExplorer')) this.#turn();
    });
    this.#turn();
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#close();
  }

  #turn(): void {
    const on = readSettings()['whetstone.testExplorer.enabled'];
    if (!on) this.#close();
    else if (this.#explorer === undefined) {
      this.#explorer = this.#open();
      this.#explorer.catch(reportError);
    }
  }

  #close(): void {
    void this.#explorer?.then((explorer) => explorer.dispose());
    this.#explorer = undefined;
  }
}
