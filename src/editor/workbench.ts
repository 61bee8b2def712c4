import * as vscode from 'vscode';
import type { SkillRequest, Workshop } from '../app/workshop.js';

/** Loads the workshop when it is first needed: activation reads neither its code nor a file. */
export type WorkshopSource = () => Promise<Workshop>;

/** How a path of this window is put to the workshop. */
export function requestFor(skillPath: string): SkillRequest {
  return { skillPath, workspaceFolders: (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath) };
}
