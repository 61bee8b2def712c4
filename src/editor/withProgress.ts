import * as vscode from 'vscode';
import { signalOf } from './cancellation.js';

/** Does the work while a notification names it; its Cancel aborts the signal. */
export function withProgress<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Thenable<T> {
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress({ location, cancellable: true, title }, async (_progress, token) => {
    const { signal, dispose } = signalOf(token);
    try {
      return await work(signal);
    } finally {
      dispose();
    }
  });
}
