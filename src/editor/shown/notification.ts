import * as vscode from 'vscode';
import { shownLine } from '../../wording/shownText.js';
import { signalOf } from '../cancellation.js';

/** What the work under a notification is given: a word about how far it is, and whether the person pressed Cancel. */
export interface UnderWay {
  readonly say: (message: string) => void;
  readonly token: vscode.CancellationToken;
}

/** The one way to show a notification while work goes on; the person can cancel it. */
export function withNotification<T>(title: string, work: (underWay: UnderWay) => Promise<T>): Thenable<T> {
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress({ location, cancellable: true, title: shownLine(title) }, (progress, token) =>
    work({ say: (message) => progress.report({ message: shownLine(message) }), token }),
  );
}

/** Does the work while a notification names it; its Cancel aborts the signal. */
export function withProgress<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Thenable<T> {
  return withNotification(title, async ({ token }) => {
    const { signal, dispose } = signalOf(token);
    try {
      return await work(signal);
    } finally {
      dispose();
    }
  });
}
