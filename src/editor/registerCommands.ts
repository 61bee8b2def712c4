import * as vscode from 'vscode';
import type { Handlers } from './commandHandlers.js';
import { commandIds, type CommandId } from './contributions.js';
import { reviewCommandIds } from './lazyReview.js';
import { registerCommand } from './registerCommand.js';

/** Registers every command but those of a review. Their code is loaded with the first of them, once. */
export function registerCommands(load: () => Promise<Handlers>): vscode.Disposable {
  let loaded: Promise<Handlers> | undefined;
  return vscode.Disposable.from(
    ...commandIds.filter(isNotOfReview).map((id) =>
      registerCommand(id, async (given) => {
        const handlers = await (loaded ??= load());
        return handlers[id](given);
      }),
    ),
  );
}

function isNotOfReview(id: CommandId): id is keyof Handlers {
  return !reviewCommandIds.some((each) => each === id);
}
