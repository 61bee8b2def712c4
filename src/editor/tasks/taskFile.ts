import * as vscode from 'vscode';

/** `.../evals/evals.json` and `.../evals/whetstone.json` belong to the SKILL.md one folder up. */
export function skillOfTaskFile(file: string): string | undefined {
  const match = /^(.*)([\\/])evals[\\/](?:evals|whetstone)\.json$/.exec(file);
  return match?.[1] === undefined ? undefined : `${match[1]}${match[2]}SKILL.md`;
}

/** A file in the folder `evals` beside the skill. */
export function taskFile(skillPath: string, name: string): vscode.Uri {
  return vscode.Uri.joinPath(vscode.Uri.file(skillPath), '..', 'evals', name);
}
