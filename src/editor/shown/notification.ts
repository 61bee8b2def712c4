import * as vscode from 'vscode';
import { shownLine } from '../../wording/shownText.js';
import { signalOf } from '../cancellation.js';

/** What the work under a notification is given: a word about how far it is, and whether the person pressed Cancel. */
export interface UnderWay {
  /** `share`, where it is known, moves the bar. */
  readonly say: (message: string, share?: number) => void;
  readonly token: vscode.CancellationToken;
}

/** The one way to show a notification while work goes on; the person can cancel it. */
export function withNotification<T>(title: string, work: (underWay: UnderWay) => Promise<T>): Thenable<T> {
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress({ location, cancellable: true, title: shownLine(title) }, (progress, token) => {
    let shown = 0;
    const say = (message: string, share = shown): void => {
      progress.report({ message: shownLine(message), ...(share > shown ? { increment: (share - shown) * 100 } : {}) });
      shown = Math.max(shown, share);
    };
    return work({ say, token });
  });
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
