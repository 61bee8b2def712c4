import * as vscode from 'vscode';

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

/** Whether the open folders hold a `SKILL.md`; the search ends at the first. */
export async function hasSkill(): Promise<boolean> {
  if ((vscode.workspace.workspaceFolders ?? []).length === 0) return false;
  return (await vscode.workspace.findFiles('**/SKILL.md', skippedFolders, 1)).length > 0;
}

async function pathsIn(
  folder: vscode.WorkspaceFolder,
  realPath: RealPath,
  token: vscode.CancellationToken,
): Promise<readonly FoundPath[]> {
  const pattern = new vscode.RelativePattern(folder, '**/SKILL.md');
  const files = await vscode.workspace.findFiles(pattern, skippedFolders, mostSkills, token);
  const open = await Promise.all((vscode.workspace.workspaceFolders ?? []).map(({ uri }) => realPath(uri.fsPath)));
  return Promise.all(
    files.map(async (file) => ({
      path: file.fsPath,
      realPath: realUnlessOutside(file.fsPath, await realPath(file.fsPath), open),
      workspaceFolder: folder.uri.fsPath,
    })),
  );
}

/** A link that leads out of every open folder keeps its name: whoever opens the skill sees that it leads there, and refuses it. */
function realUnlessOutside(file: string, real: string, open: readonly string[]): string {
  return open.some((folder) => real.startsWith(folder) && /[\\/]/.test(real.charAt(folder.length))) ? real : file;
}

/** A SKILL.md somewhere in the open folders. */
export interface FoundSkill {
  /** The real path: one skill linked into several agent folders is one skill. The path as found where that leads outside. */
  readonly realPath: string;
  /** Every path under which it was found, the first in sorted order first. */
  readonly paths: readonly string[];
  /** The name of the folder that holds it, which the public format makes the skill's name. */
  readonly name: string;
  readonly workspaceFolder: string;
}

export interface FoundPath {
  readonly path: string;
  readonly realPath: string;
  readonly workspaceFolder: string;
}

/** Folds the places where files were found into skills: one for each real path, sorted by folder and name. */
export function foldFoundPaths(found: readonly FoundPath[]): readonly FoundSkill[] {
  const byRealPath = new Map<string, FoundPath[]>();
  for (const place of [...found].sort((a, b) => compareText(a.path, b.path))) {
    const key = place.realPath;
    byRealPath.set(key, [...(byRealPath.get(key) ?? []), place]);
  }
  return [...byRealPath.entries()]
    .map(([realPath, places]) => ({
      realPath,
      paths: [...new Set(places.map((place) => place.path))],
      name: parentName(preferred(realPath, places).path),
      workspaceFolder: preferred(realPath, places).workspaceFolder,
    }))
    .sort((a, b) => compareText(a.workspaceFolder, b.workspaceFolder) || compareText(a.name, b.name));
}

/** The place where the file itself lies, else the first link to it. */
function preferred(realPath: string, places: readonly FoundPath[]): FoundPath {
  const [first] = places;
  if (first === undefined) throw new Error('a found skill has a place');
  return places.find((place) => place.path === realPath) ?? first;
}

function parentName(path: string): string {
  const parts = path.split(/[\\/]/);
  return parts[parts.length - 2] ?? path;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
