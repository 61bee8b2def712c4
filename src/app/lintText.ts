import type { LintFinding } from '../skill/lint/lintFinding.js';
import { lintSkill } from '../skill/lint/skillLint.js';
import { parseSkill } from '../skill/document/skillDocument.js';

/** What is wrong with the text of a skill that lies in a folder of this name, by the public specification. */
export function lintText(text: string, folderName: string): readonly LintFinding[] {
  return lintSkill(parseSkill(text), folderName);
}
