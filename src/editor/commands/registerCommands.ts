import * as vscode from 'vscode';
import { windowCommandIds } from './commands.js';
import type { HandleCommand } from './commandHandlers.js';
import { registerCommand } from './registerCommand.js';

/** Registers every command but those of a review. Their code is loaded with the first of them, once. */
export function registerCommands(load: () => Promise<HandleCommand>): vscode.Disposable {
  let loaded: Promise<HandleCommand> | undefined;
  return vscode.Disposable.from(
    ...windowCommandIds.map((id) => registerCommand(id, async (given) => (await (loaded ??= load()))(id, given))),
  );
}
