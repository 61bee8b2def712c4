import * as vscode from 'vscode';
import type { UseCases } from '../app/useCases.js';
import type { SkillRequest } from '../app/openSkill.js';

/** Loads the use cases when it is first needed: activation reads neither its code nor a file. */
export type UseCasesSource = () => Promise<UseCases>;

/** How a path of this window is put to the use cases. */
export function requestFor(skillPath: string): SkillRequest {
  return { skillPath, workspaceFolders: (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath) };
}
