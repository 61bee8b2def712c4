import { totalSpend, type RunSummary } from '../engine/runSummary.js';
import { sealedWarning } from '../gate/sentences.js';
import type { Proposal } from '../ports/proposal.js';
import type { OptimizeResult } from '../workshop/workshop.js';
import { proposalText } from './editText.js';
import { gateTable, verdictWord } from './gateTable.js';
import { painter, type Paint, type Terminal } from './terminal.js';

/** All that a person wants to know when a run has ended: the gate, the edits, the cost, and what to type next. */
export function resultText(
  { proposal, proposalFile, nothing, summary }: OptimizeResult,
  skill: string,
  terminal: Terminal,
): string {
  const paint = painter(terminal);
  const cost = costText(summary);
  if (proposal === undefined) {
    return [`${paint('bold', summary.skillName)}: nothing is proposed.`, nothing?.reason ?? '', '', cost].join('\n');
  }
  return [
    verdictText(proposal, paint),
    '',
    ...(proposal.comparisons.length === 0 ? [] : [gateTable(proposal.comparisons, paint), '']),
    proposalText(proposal, paint),
    '',
    ...leftOutText(proposal, paint),
    cost,
    `Models: target ${proposal.models.target}, optimizer ${proposal.models.optimizer}, judge ${proposal.models.judge}.`,
    ...(proposalFile === undefined ? [] : [`The proposal lies in ${proposalFile}. The skill itself is unchanged.`]),
    '',
    nextText(proposal, skill, paint),
  ].join('\n');
}

/** The verdict in words, with the figures beneath. */
export function verdictText({ skillName, verdict, sealed }: Proposal, paint: Paint): string {
  const figures = 'figures' in verdict ? verdict.figures : undefined;
  const warning = sealed === undefined || figures === undefined ? undefined : sealedWarning(figures.difference, sealed);
  return [
    `${paint('bold', skillName)}: ${verdictWord(verdict, paint)}${figures === undefined ? '' : ` (rule ${figures.rule})`}`,
    verdict.reason,
    ...(verdict.kind === 'inconclusive' ? [`What would settle it: ${verdict.cure}`] : []),
    ...(figures === undefined
      ? []
      : [
          `Held-out score ${share(figures.before)} → ${share(figures.after)} over ${figures.n} tasks and ${figures.passes} ${figures.passes === 1 ? 'pass' : 'passes'}.`,
        ]),
    ...(sealed === undefined
      ? []
      : [`Sealed score ${share(sealed.before)} → ${share(sealed.after)} over ${sealed.n} tasks; it decides nothing.`]),
    ...(warning === undefined ? [] : [paint('yellow', warning)]),
  ].join('\n');
}

function leftOutText({ leftOut }: Proposal, paint: Paint): readonly string[] {
  if (leftOut.length === 0) return [];
  const rows = leftOut.map(({ edit, outcome }) =>
    paint('dim', `  ${edit.op}: ${outcome.kind === 'applied' ? '' : outcome.detail}`),
  );
  return ['Edits that were left out:', ...rows, ''];
}

function costText(summary: RunSummary): string {
  const { calls, cachedCalls, tokens, usd, exact } = totalSpend(summary);
  const money = usd === undefined ? 'price unknown' : `${usd.toFixed(2)} USD`;
  const cached = cachedCalls === 0 ? '' : `, ${cachedCalls} more from stored replies at no cost`;
  return `${calls} model calls, ${tokens} tokens${exact ? '' : ' (estimated)'}, ${money}${cached}.`;
}

function nextText({ verdict }: Proposal, skill: string, paint: Paint): string {
  const command = (text: string): string => paint('cyan', text);
  switch (verdict.kind) {
    case 'accepted':
      return `Next: ${command(`whetstone adopt ${skill}`)} to take all edits, ${command(`whetstone adopt ${skill} --edits E1`)} to take some, ${command(`whetstone undo ${skill}`)} to go back.`;
    case 'rejected':
      return 'Next: look at the tasks above; a rejected proposal is shown, not adopted.';
    case 'inconclusive':
    case 'unmeasured':
      return `Next: ${command(`whetstone show ${skill}`)} to look again, ${command(`whetstone adopt ${skill}`)} to take the edits although nothing proves them.`;
  }
}

function share(score: number): string {
  return score.toFixed(2);
}
