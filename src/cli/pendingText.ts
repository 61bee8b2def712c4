import type { PendingProposal } from '../app/proposals/pending.js';
import { proposalJson } from './commands/optimize.js';
import { proposalText, togetherText } from './editText.js';
import { candidateTable } from './candidateTable.js';
import { gateTable } from './gateTable.js';
import { droppedText, verdictText, type VerdictFace } from './resultText.js';
import { documentTitle } from '../wording/decidedEdits.js';
import { oneLine } from './terminal.js';

const skillAlone = 'a proposal from another machine may change the skill alone.';

/** A waiting proposal for a program. */
export function pendingJson(pending: PendingProposal): Readonly<Record<string, unknown>> {
  const { proposal, own, stale, bound, decisions, file, dropped, refusal } = pending;
  const foreign = own ? {} : { leftOutFiles: dropped, refusal: refusal?.message ?? null };
  return { ...proposalJson(proposal), own, stale, bound, decisions, file, ...foreign };
}

/** A waiting proposal for a person: verdict, where it is from, held-out tasks, edits with their reasons. */
export function pendingText(pending: PendingProposal, face: VerdictFace): string {
  const { paint } = face;
  const { proposal, stale, bound, dropped, refusal, decisions } = pending;
  return [
    verdictText(proposal, face, decisions),
    ...dropped.map((path) => paint('yellow', `${oneLine(documentTitle({ path }))} is left out: ${skillAlone}`)),
    ...(refusal === undefined ? [] : [paint('red', `${refusal.message} ${refusal.cure}`)]),
    ...(stale ? [paint('yellow', 'The skill has changed since this proposal was made.')] : []),
    '',
    ...(proposal.comparisons.length === 0 ? [] : [gateTable(proposal.comparisons, paint), '']),
    ...candidateTable(proposal, paint),
    proposalText(proposal, paint, decisions),
    '',
    ...droppedText(proposal, paint),
    ...togetherText(bound),
  ].join('\n');
}
