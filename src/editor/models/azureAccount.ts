import * as vscode from 'vscode';

/** The session of an account: the one that is there, or one that the person is asked for. */
export type FindSession = (scope: string, mayAsk: boolean) => Thenable<vscode.AuthenticationSession | undefined>;

const microsoft: FindSession = (scope, mayAsk) =>
  vscode.authentication.getSession('microsoft', [scope], mayAsk ? { createIfNone: true } : { silent: true });

/**
 * A token of the person's Microsoft account in VS Code. Whoever is signed in is not asked; where nobody is, VS Code asks
 * the person who looks at the window, and nobody at night.
 */
export async function azureAccount(
  scope: string,
  find: FindSession = microsoft,
  isLookedAt: boolean = vscode.window.state.focused,
): Promise<string | undefined> {
  const session = (await find(scope, false)) ?? (isLookedAt ? await find(scope, true) : undefined);
  return session?.accessToken;
}
