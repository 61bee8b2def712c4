import * as vscode from 'vscode';
import { argumentReaders } from './commandArguments.js';
import type { Handlers } from './commandHandlers.js';
import { windowCommandIds, type WindowCommandId } from './commands.js';
import { registerCommand } from './registerCommand.js';

/** Registers every command but those of a review. Their code is loaded with the first of them, once. */
export function registerCommands(load: () => Promise<Handlers>): vscode.Disposable {
  let loaded: Promise<Handlers> | undefined;
  return vscode.Disposable.from(
    ...windowCommandIds.map((id) => registerCommand(id, async (given) => handle(id, await (loaded ??= load()), given))),
  );
}

function handle<Id extends WindowCommandId>(id: Id, handlers: Pick<Handlers, Id>, given: unknown): unknown {
  return handlers[id](argumentReaders[id](given));
}
