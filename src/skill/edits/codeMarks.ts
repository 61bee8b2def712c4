import { applyEdits } from './applyEdits.js';
import { keepsCode } from './codeFences.js';
import { fileOf, type Edit } from './edit.js';
import { anySize, type ChangedDocument } from './hunksOfEdits.js';
import { mostEditsOn } from './sizeBudget.js';
import { parseSkill } from '../document/skillDocument.js';
import { isScript } from '../package/packageFile.js';

/** Whether a stranger's document is too long to apply its edits whenever it is looked at: each reads the text anew. */
export function isTooMuchToApply({ baseText }: Pick<ChangedDocument, 'baseText'>, edits: readonly unknown[]): boolean {
  return edits.length > mostEditsOn(baseText);
}

/** The mark of an edit that changes code in a fence that was there, or a script. */
interface CodeMark {
  readonly changesCode?: true;
}

/**
 * The mark of each edit, by its index. Found from the texts, whatever is said about the edits; where they are too long
 * to apply them one by one, every edit is marked.
 */
export function codeMarks(
  { baseText, candidateText, scope }: ChangedDocument,
  edits: readonly Edit[],
): readonly CodeMark[] {
  if (edits.some((edit) => isScript(fileOf(edit)))) return edits.map(() => ({ changesCode: true }));
  if (keepsCode(baseText, candidateText)) return edits.map(() => ({}));
  if (isTooMuchToApply({ baseText }, edits)) return edits.map(() => ({ changesCode: true }));
  let document = parseSkill(baseText);
  return edits.map((edit) => {
    const before = document;
    document = applyEdits(before, [edit], { scope, sizeBudget: anySize, code: 'allowed' }).document;
    return keepsCode(before.text, document.text) ? {} : { changesCode: true };
  });
}
