import type { Edit } from './edit.js';
import { findAnchor } from './findAnchor.js';
import { isBlank } from './lines.js';
import { readBlocks } from './markdownBlocks.js';
import { planDelete } from './planDelete.js';
import { planAppend, planInsertAfter } from './planInsert.js';
import { planReplace } from './planReplace.js';
import { isAlreadyIn } from './sameRule.js';
import type { SkillDocument } from './skillDocument.js';
import { contains, textOf } from './span.js';
import type { NotApplied, Splice } from './splice.js';
import { findTrespass } from './trespass.js';

/** An edit of the body. Its anchor stands in exactly one place of the document, and that place is free. */
export function planInBody(document: SkillDocument, edit: Edit): Splice | NotApplied {
  if (edit.op === 'append') {
    return findFault(document, edit, false) ?? planAppend(document, edit.content);
  }
  const anchor = findAnchor(document.text, edit.anchor);
  if ('kind' in anchor) return anchor;
  const trespass = findTrespass(document, anchor, 'body');
  if (trespass !== undefined) return trespass;
  if (edit.op === 'delete' || isBlank(edit.content)) return planDelete(document, anchor);
  const isInFence = document.fences.some((fence) => contains(fence.body, anchor));
  const fault = findFault(document, edit, isInFence);
  if (fault !== undefined) return fault;
  const plan = edit.op === 'replace' ? planReplace : planInsertAfter;
  return plan(document, anchor, edit.content);
}

/** What is wrong with the content in this document. Inside a code fence it is code, and may repeat or look like anything. */
function findFault(
  document: SkillDocument,
  edit: Exclude<Edit, { readonly op: 'delete' }>,
  isInFence: boolean,
): NotApplied | undefined {
  if (isInFence) return undefined;
  if (edit.op !== 'replace' && isAlreadyIn(textOf(document.text, document.body), edit.content)) {
    return { kind: 'refused', reason: 'duplicate', detail: 'The document says this already.' };
  }
  if (readBlocks(edit.content).fences.every(({ closed }) => closed)) return undefined;
  return { kind: 'refused', reason: 'code-fence', detail: 'The edit opens a code fence that it does not close.' };
}
