import type { LintFinding } from '../skill/lintFinding.js';
import { lintSkill } from '../skill/skillLint.js';
import { parseSkill } from '../skill/skillDocument.js';

/** What is wrong with the text of a skill that lies in a folder of this name, by the public specification. */
export function lintText(text: string, folderName: string): readonly LintFinding[] {
  return lintSkill(parseSkill(text), folderName);
}
