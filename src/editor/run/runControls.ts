import type * as vscode from 'vscode';

interface Running {
  readonly controller: AbortController;
  readonly ended: Promise<void>;
}

/** The runs of this window that can be paused. */
export class RunControls {
  readonly #running = new Map<string, Running>();

  /** Begins a run: its signal is aborted by the notification's button or by a pause. */
  begin(
    skillPath: string,
    token: vscode.CancellationToken,
  ): { readonly signal: AbortSignal; readonly end: () => void } {
    const controller = new AbortController();
    const abort = (): void => controller.abort(new Error('cancelled'));
    if (token.isCancellationRequested) abort();
    const subscription = token.onCancellationRequested(abort);
    let ends: (() => void) | undefined;
    const ended = new Promise<void>((resolve) => (ends = resolve));
    this.#running.set(skillPath, { controller, ended });
    return {
      signal: controller.signal,
      end: () => {
        subscription.dispose();
        if (this.#running.get(skillPath)?.controller === controller) this.#running.delete(skillPath);
        ends?.();
      },
    };
  }

  /** Stops a run where it is. Every reply is stored, so that it goes on later without paying twice. */
  pause(skillPath: string): void {
    this.#running.get(skillPath)?.controller.abort(new Error('paused'));
  }

  /** The same, until it has let go of the skill; at once where none is under way. */
  async stop(skillPath: string): Promise<void> {
    const running = this.#running.get(skillPath);
    this.pause(skillPath);
    await running?.ended;
  }

  /** The signal of the run that is under way for a skill, which tells it apart from a later one. */
  signalOf(skillPath: string): AbortSignal | undefined {
    return this.#running.get(skillPath)?.controller.signal;
  }

  paths(): readonly string[] {
    return [...this.#running.keys()];
  }
}
