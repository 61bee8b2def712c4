import * as vscode from 'vscode';
import { foldFoundPaths, type FoundPath, type FoundSkill } from './foundSkill.js';

const skippedFolders = '**/{node_modules,.git,dist,out,.venv,.whetstone}/**';
/** More skills in one folder than anyone keeps; the search must end in a home directory too. */
const mostSkills = 2_000;

export type RealPath = (path: string) => Promise<string>;

/** Finds every `SKILL.md` of the open folders, whichever agent it was written for. Reads no file. */
export async function discoverSkills(
  realPath: RealPath,
  token: vscode.CancellationToken,
): Promise<readonly FoundSkill[]> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const found = await Promise.all(folders.map((folder) => pathsIn(folder, realPath, token)));
  return foldFoundPaths(found.flat());
}

async function pathsIn(
  folder: vscode.WorkspaceFolder,
  realPath: RealPath,
  token: vscode.CancellationToken,
): Promise<readonly FoundPath[]> {
  const pattern = new vscode.RelativePattern(folder, '**/SKILL.md');
  const files = await vscode.workspace.findFiles(pattern, skippedFolders, mostSkills, token);
  return Promise.all(
    files.map(async (file) => ({
      path: file.fsPath,
      realPath: await realPath(file.fsPath),
      workspaceFolder: folder.uri.fsPath,
    })),
  );
}
