import type * as vscode from 'vscode';

/** The editor's token as a signal. Dispose of it when the work is done. */
export function signalOf(token: vscode.CancellationToken): {
  readonly signal: AbortSignal;
  readonly dispose: () => void;
} {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new Error('cancelled'));
  if (token.isCancellationRequested) abort();
  const subscription = token.onCancellationRequested(abort);
  return { signal: controller.signal, dispose: () => subscription.dispose() };
}

/** For what is quick and cannot be cancelled. */
export function neverAborted(): AbortSignal {
  return new AbortController().signal;
}
