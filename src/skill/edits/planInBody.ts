import type { BodyEdit } from './edit.js';
import { findAnchor } from './findAnchor.js';
import { isBlank } from '../document/lines.js';
import { planDelete } from './planDelete.js';
import { planAppend, planInsertAfter } from './planInsert.js';
import { planReplace } from './planReplace.js';
import { isAlreadyIn } from './sameRule.js';
import type { SkillDocument } from '../document/skillDocument.js';
import { contains, textOf } from '../document/span.js';
import type { NotAppliedReason, Splice } from './splice.js';
import { findTrespass } from './trespass.js';

/** An edit of the body. Its anchor stands in exactly one place of the document, and that place is free. */
export function planInBody(document: SkillDocument, edit: BodyEdit): Splice | NotAppliedReason {
  if (edit.op === 'append') {
    return findDuplicate(document, edit.content) ?? planAppend(document, edit.content);
  }
  const anchor = findAnchor(document.text, edit.anchor);
  if ('kind' in anchor) return anchor;
  const trespass = findTrespass(document, anchor, 'body');
  if (trespass !== undefined) return trespass;
  if (edit.op === 'delete' || isBlank(edit.content)) return planDelete(document, anchor);
  if (edit.op === 'replace') return planReplace(document, anchor, edit.content);
  // Code may repeat itself.
  const isCode = document.fences.some((fence) => contains(fence.body, anchor));
  return (
    (isCode ? undefined : findDuplicate(document, edit.content)) ?? planInsertAfter(document, anchor, edit.content)
  );
}

function findDuplicate({ text, body }: SkillDocument, content: string): NotAppliedReason | undefined {
  if (!isAlreadyIn(textOf(text, body), content)) return undefined;
  return { kind: 'refused', reason: 'duplicate', detail: 'The document says this already.' };
}
