import * as vscode from 'vscode';
import type { RunsTree } from '../tree/runsTree.js';
import type { QueueOfWindow } from './queueOfWindow.js';
import { queueNode, type SeenQueue } from './queueNode.js';

interface WatchParts {
  readonly queue: Pick<QueueOfWindow, 'isSet' | 'look' | 'close'>;
  readonly tree: Pick<RunsTree, 'setAbove'>;
  readonly view: Pick<vscode.TreeView<unknown>, 'visible' | 'onDidChangeVisibility'>;
}

const lookMs = 3_000;
const troubleMs = 15_000;

/** Keeps the row of the queue up to date while somebody sees it. Where no queue is set there is no row, and nothing is started. */
export class QueueWatch implements vscode.Disposable {
  readonly #parts: WatchParts;
  readonly #disposable: vscode.Disposable;
  #seen: SeenQueue = { kind: 'looking' };
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The look that is under way. */
  #looking: AbortController | undefined;
  #isOver = false;

  constructor(parts: WatchParts) {
    this.#parts = parts;
    this.#disposable = vscode.Disposable.from(
      parts.view.onDidChangeVisibility(() => this.#soon(0)),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#soon(0)),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration('whetstone.queue')) return;
        this.#seen = { kind: 'looking' };
        this.#looking?.abort();
        parts.queue.close();
        this.#soon(0);
      }),
    );
    this.#soon(0);
  }

  dispose(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#looking?.abort();
    this.#disposable.dispose();
    this.#parts.queue.close();
  }

  #soon(ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#isOver) this.#timer = setTimeout(() => void this.#tick(), ms);
  }

  async #tick(): Promise<void> {
    const { queue, tree, view } = this.#parts;
    void vscode.commands.executeCommand('setContext', 'whetstone.hasQueue', queue.isSet());
    if (!queue.isSet()) return tree.setAbove(undefined);
    if (!view.visible || this.#looking?.signal.aborted === false) return;
    const looking = new AbortController();
    this.#looking = looking;
    this.#show(this.#seen);
    const seen = await queue.look(looking.signal).then(
      (state): SeenQueue => ({ kind: 'seen', state }),
      (error: unknown): SeenQueue => ({ kind: 'trouble', error }),
    );
    if (looking.signal.aborted) return; // the settings are others by now
    this.#looking = undefined;
    this.#show(seen);
    this.#soon(seen.kind === 'seen' ? lookMs : troubleMs);
  }

  #show(seen: SeenQueue): void {
    this.#seen = seen;
    this.#parts.tree.setAbove(this.#parts.queue.isSet() ? queueNode(seen) : undefined);
  }
}
