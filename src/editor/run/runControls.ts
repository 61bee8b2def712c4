import type * as vscode from 'vscode';

/** The runs of this window that can be paused. */
export class RunControls {
  readonly #running = new Map<string, AbortController>();

  /** Begins a run: its signal is aborted by the notification's button or by a pause. */
  begin(
    skillPath: string,
    token: vscode.CancellationToken,
  ): { readonly signal: AbortSignal; readonly end: () => void } {
    const controller = new AbortController();
    const abort = (): void => controller.abort(new Error('cancelled'));
    if (token.isCancellationRequested) abort();
    const subscription = token.onCancellationRequested(abort);
    this.#running.set(skillPath, controller);
    return {
      signal: controller.signal,
      end: () => {
        subscription.dispose();
        if (this.#running.get(skillPath) === controller) this.#running.delete(skillPath);
      },
    };
  }

  /** Stops a run where it is. Every reply is stored, so that it goes on later without paying twice. */
  pause(skillPath: string): void {
    this.#running.get(skillPath)?.abort(new Error('paused'));
  }

  paths(): readonly string[] {
    return [...this.#running.keys()];
  }
}
