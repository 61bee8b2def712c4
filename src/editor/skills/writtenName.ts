import * as vscode from 'vscode';
import { parseSkill } from '../../skill/document/skillDocument.js';
import { nameOf } from '../../skill/skillName.js';

/** What a skill is called everywhere: the name in its front matter, its folder's where it has none or cannot be read. */
export async function writtenName(skillPath: string): Promise<string> {
  try {
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.file(skillPath));
    return parseSkill(new TextDecoder().decode(bytes)).frontMatter?.name ?? nameOf(skillPath);
  } catch {
    return nameOf(skillPath);
  }
}
