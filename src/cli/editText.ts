import { structuredPatch } from 'diff';
import type { Proposal, ProposedDocument } from '../ports/proposal.js';
import type { PendingProposal } from '../app/proposals/pending.js';
import { codeWarning, documentTitle, proposedBy, togetherSentence } from '../wording/decidedEdits.js';
import { visibleText } from '../wording/shownText.js';
import { t } from '../wording/translate.js';
import { worthText } from '../wording/worthText.js';
import { oneLine, type Paint } from './terminal.js';

const longestReason = 2_000; // characters; what somebody else's proposal says may have any length

/** Each edit of a proposal with its reason, then the whole change as a diff. */
export function proposalText(proposal: Proposal, paint: Paint, decisions?: PendingProposal['decisions']): string {
  return proposal.documents.map((document) => documentText(document, paint, decisions)).join('\n\n');
}

function documentText(document: ProposedDocument, paint: Paint, decisions?: PendingProposal['decisions']): string {
  const edits = document.edits.map((proposed) => {
    const { id, edit, worth, lessonsFrom, environment } = proposed;
    const code = codeWarning([proposed], t)
      .map((words) => paint('red', ` · ${words}`))
      .join('');
    const learnt =
      lessonsFrom.length === 0
        ? ''
        : paint('dim', ` (learnt from ${lessonsFrom.length} training ${lessonsFrom.length === 1 ? 'task' : 'tasks'})`);
    return [
      [
        `${paint('bold', id)} ${edit.op.replaceAll('_', ' ')} · ${worthText(worth, t)}`,
        decisions === undefined ? '' : ` · ${decisionText(decisions[id], paint)}`,
        ...proposedBy([{ environment }], t).map((words) => ` · ${oneLine(words)}`),
        `${code}${learnt}`,
      ].join(''),
      ...(edit.rationale === '' ? [] : [`   ${visibleText(oneLine(edit.rationale), longestReason)}`]),
    ].join('\n');
  });
  return [
    paint('bold', oneLine(documentTitle(document))),
    ...edits,
    '',
    diffText(document.baseText, document.candidateText, paint),
  ].join('\n');
}

/** Which edits belong together, and why nobody can take one of them alone. */
export function togetherText(bound: PendingProposal['bound']): readonly string[] {
  return bound.map((ids) => togetherSentence(ids, t));
}

/** What was decided on an edit: `rejected (too long)`. */
function decisionText(decision: PendingProposal['decisions'][string] | undefined, paint: Paint): string {
  switch (decision?.kind) {
    case undefined:
      return 'open';
    case 'accepted':
      return paint('green', 'accepted');
    case 'edited':
      return paint('green', 'accepted as you edited it');
    case 'rejected':
      return paint('red', decision.reason === undefined ? 'rejected' : `rejected (${oneLine(decision.reason)})`);
  }
}

/** What leads from one text to the other, as a diff. */
export function diffText(before: string, after: string, paint: Paint): string {
  const patch = structuredPatch('a', 'b', before, after, '', '', { context: 2, maxEditLength: farthestDiff });
  if (patch === undefined) return replacedText(before, after, paint);
  return patch.hunks
    .flatMap((hunk) => [
      paint('cyan', `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`),
      ...hunk.lines.map((line) => paintLine(line, paint)),
    ])
    .join('\n');
}

const farthestDiff = 1_000; // lines added and removed; beyond it a minimal diff takes seconds and helps nobody
const mostLines = 200;

/** Texts with almost nothing in common are shown behind one another, each as far as a person reads. */
function replacedText(before: string, after: string, paint: Paint): string {
  const side = (text: string, sign: '-' | '+'): readonly string[] => {
    const lines = text.split('\n');
    const more = lines.length - mostLines;
    const shown = lines.slice(0, mostLines).map((line) => paintLine(`${sign}${line}`, paint));
    return more > 0 ? [...shown, paint('dim', `(${more} more lines)`)] : shown;
  };
  return ['They have too little in common for a diff.', ...side(before, '-'), ...side(after, '+')].join('\n');
}

function paintLine(line: string, paint: Paint): string {
  if (line.startsWith('+')) return paint('green', line);
  return line.startsWith('-') ? paint('red', line) : line;
}
