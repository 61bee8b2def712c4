import { applyEdits } from './applyEdits.js';
import { keepsCode } from './codeFences.js';
import type { Edit } from './edit.js';
import { anySize, type ChangedDocument } from './hunksOfEdits.js';
import { parseSkill } from '../document/skillDocument.js';

/** The mark of an edit that changes code in a fence that was there. */
interface CodeMark {
  readonly changesCode?: true;
}

/** The mark of each edit, by its index. Found from the texts, whatever is said about the edits. */
export function codeMarks(
  { baseText, candidateText, scope }: ChangedDocument,
  edits: readonly Edit[],
): readonly CodeMark[] {
  if (keepsCode(baseText, candidateText)) return edits.map(() => ({}));
  let document = parseSkill(baseText);
  return edits.map((edit) => {
    const before = document;
    document = applyEdits(before, [edit], { scope, sizeBudget: anySize, code: 'allowed' }).document;
    return keepsCode(before.text, document.text) ? {} : { changesCode: true };
  });
}
