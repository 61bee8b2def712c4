import * as vscode from 'vscode';
import { reportError } from '../reportError.js';
import type { CommandId } from './commands.js';

/** Registers a command under its typed id; what it throws is told to the person, in words and with the next step. */
export function registerCommand(id: CommandId, run: (...values: readonly unknown[]) => unknown): vscode.Disposable {
  return vscode.commands.registerCommand(id, async (...values: readonly unknown[]) => {
    try {
      return await run(...values);
    } catch (error) {
      // Not waited for: a message that nobody answers must not keep the command from ending.
      void reportError(error);
      return undefined;
    }
  });
}
