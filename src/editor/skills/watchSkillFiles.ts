import * as vscode from 'vscode';

const settleMs = 150;

/** Files that belong to the skill beside them, and to no other. */
const ofOneSkill = '**/{SKILL.md,evals/evals.json,evals/whetstone.json}';
/** Files whose names do not say which skill they are about. */
const ofAnySkill = '**/.whetstone/{proposals/*.json,decisions/*.json,runs/*/summary.json}';

/**
 * Tells, once writing has come to rest, which skills have other files than before; undefined where it may be any of
 * them. A skill file that comes or goes touches others too: one that was moved takes its history along.
 */
export function watchSkillFiles(tell: (skillPath: string | undefined) => void): vscode.Disposable {
  const waiting = new Set<string | undefined>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = (skillPath: string | undefined): void => {
    waiting.add(skillPath);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const touched = waiting.has(undefined) ? [undefined] : [...waiting];
      waiting.clear();
      for (const each of touched) tell(each);
    }, settleMs);
  };
  const any = (): void => soon(undefined);
  const cameOrWent = (uri: vscode.Uri): void => (isSkill(uri) ? any() : soon(skillPathOf(uri)));
  const own = vscode.workspace.createFileSystemWatcher(ofOneSkill);
  const others = vscode.workspace.createFileSystemWatcher(ofAnySkill);
  return vscode.Disposable.from(
    own,
    own.onDidChange((uri) => soon(skillPathOf(uri))),
    own.onDidCreate(cameOrWent),
    own.onDidDelete(cameOrWent),
    others,
    others.onDidChange(any),
    others.onDidCreate(any),
    others.onDidDelete(any),
    vscode.window.onDidChangeWindowState((state) => (state.focused ? any() : undefined)),
    { dispose: () => clearTimeout(timer) },
  );
}

function isSkill(uri: vscode.Uri): boolean {
  return uri.path.endsWith('/SKILL.md');
}

function skillPathOf(uri: vscode.Uri): string {
  return isSkill(uri) ? uri.fsPath : vscode.Uri.joinPath(uri, '../../SKILL.md').fsPath;
}
