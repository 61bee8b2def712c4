import * as vscode from 'vscode';
import { visibleText } from '../../wording/shownText.js';

/** What may be written into the log. */
export interface Log extends vscode.Disposable {
  info(line: string): void;
  warn(line: string): void;
  trace(line: string): void;
  show(preserveFocus?: boolean): void;
}

/** The one log. What others wrote begins no line of its own, so that nobody can forge one. */
export function createLog(name: string): Log {
  const channel = vscode.window.createOutputChannel(name, { log: true });
  return {
    info: (text) => channel.info(line(text)),
    warn: (text) => channel.warn(line(text)),
    trace: (text) => channel.trace(line(text)),
    show: (preserveFocus) => channel.show(preserveFocus),
    dispose: () => channel.dispose(),
  };
}

function line(text: string): string {
  return visibleText(text).replaceAll('\n', '\n    ');
}
