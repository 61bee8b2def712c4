import * as vscode from 'vscode';
import type { CommandId, Commands, ResultOf } from './commands.js';

/** Runs a command of Whetstone with what it takes; undefined where it failed and the person was told. */
export function runCommand<Id extends CommandId>(
  id: Id,
  ...given: Parameters<Commands[Id]>
): Thenable<ResultOf<Id> | undefined> {
  return vscode.commands.executeCommand(id, ...given);
}

/** A command with what it is called with, for a lens, a row or a quick fix. */
export interface CommandLink extends vscode.Command {
  readonly command: CommandId;
}

export function commandLink<Id extends CommandId>(
  id: Id,
  title: string,
  ...given: Parameters<Commands[Id]>
): CommandLink {
  return { command: id, title, arguments: given };
}
