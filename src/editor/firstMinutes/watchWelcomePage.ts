import * as vscode from 'vscode';

/**
 * Keeps a context key on whether a page such as the walkthrough is open. VS Code ticks a step off when its condition
 * becomes true, and only while it knows the walkthrough: what was true before anybody opened it would stay open for
 * ever. With this key in the condition it becomes true once the page is there.
 */
export function watchWelcomePage(): vscode.Disposable {
  let told: boolean | undefined;
  const look = (): void => {
    const isOpen = vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ input }) => input === undefined));
    if (isOpen === told) return;
    told = isOpen;
    void vscode.commands.executeCommand('setContext', 'whetstone.isWelcoming', isOpen);
  };
  look();
  return vscode.window.tabGroups.onDidChangeTabs(look);
}
