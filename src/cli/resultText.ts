import { totalSpend, type RunSummary } from '../engine/journal/runSummary.js';
import type { InconclusiveCause } from '../gate/verdict/verdict.js';
import { baselineSentence, count, invalidSentence, percents, simulatedSentence } from '../wording/amounts.js';
import { groupedNotes } from '../wording/noteText.js';
import { skillUseSentence } from '../wording/programs/skillUse.js';
import { t } from '../wording/translate.js';
import type { PendingProposal } from '../app/proposals/pending.js';
import { countDecisions, rejectedPart, sentenceWith } from '../wording/decidedEdits.js';
import { exactText } from '../wording/shownText.js';
import { shortVerdict, toReview } from '../wording/shortVerdict.js';
import { worthText } from '../wording/worthText.js';
import { settlesIt, verdictReport } from '../wording/verdictReport.js';
import type { Proposal } from '../ports/proposal.js';
import type { OptimizeResult } from '../app/runs/optimize.js';
import { proposalText, togetherText } from './editText.js';
import { candidateTable } from './candidateTable.js';
import { gateTable, verdictColors } from './gateTable.js';
import { oneLine, type Paint, type Terminal } from './terminal.js';
import { costText } from './spendText.js';
import { shownModels } from '../wording/programs/shownModel.js';

/** What is typed to go on from there. */
interface Again {
  /** The options that name the models of the run. */
  readonly models: string;
  /** All the options that make such a run once more. */
  readonly run: string;
  /** How many drafts wait for the person's word. */
  readonly drafts: number;
}

/** All that a person wants to know when a run has ended: the gate, the edits, the cost, and what to type next. */
export function resultText(
  { proposal, proposalFile, noProposal: nothing, summary, units = [] }: OptimizeResult,
  skill: string,
  { paint }: Pick<Terminal, 'paint'>,
  again: Partial<Again> = {},
): string {
  const cost = costText(totalSpend(summary));
  if (proposal === undefined) {
    const what = `${paint('bold', oneLine(summary.skillName))}: nothing is proposed.`;
    return [
      what,
      ...nothingText(summary.verdict, nothing?.reason),
      ...[simulatedSentence(summary.models, t)].filter((said) => said !== undefined),
      ...triedText(nothing),
      '',
      ...(nothing?.cause === 'backend-failed' ? [] : invalidText(summary, paint)),
      ...skillUseText(summary, paint),
      ...skippedText(summary, paint),
      cost,
    ].join('\n');
  }
  return [
    verdictText(proposal, { skill, paint }),
    '',
    ...(proposal.comparisons.length === 0 ? [] : [gateTable(proposal.comparisons, paint), '']),
    ...candidateTable(proposal, paint),
    proposalText(proposal, paint),
    ...togetherText(units.filter((unit) => unit.length > 1)),
    '',
    ...droppedText(proposal, paint),
    ...leftOutText(proposal.leftOut, paint),
    ...invalidText(summary, paint),
    ...skillUseText(summary, paint),
    ...skippedText(summary, paint),
    cost,
    modelsText(proposal),
    ...(proposalFile === undefined
      ? []
      : [`The proposal lies in ${exactText(proposalFile)}. The skill itself is unchanged.`]),
    '',
    nextText({ ...proposal, units, models: '', run: '', drafts: 0, ...again }, exactText(skill), paint),
  ].join('\n');
}

/** Edits that no improvement was found for are told as a verdict; its statistics are in the report. */
function nothingText(verdict: RunSummary['verdict'], reason = ''): readonly string[] {
  if (verdict?.kind !== 'rejected') return [reason];
  const cure = settlesIt(verdict);
  return [shortVerdict(verdict), ...(cure === undefined ? [] : [`What would settle it: ${cure}`])];
}

const longestEdit = 100;

/** How the skill does as it is, and what was tried to better it. */
function triedText(nothing: OptimizeResult['noProposal']): readonly string[] {
  const { baseline, tried = [] } = nothing ?? {};
  const rows = tried.map(({ edit, why }) => editRow(edit, why));
  return [
    ...(baseline === undefined ? [] : [baselineSentence(baseline, t)]),
    ...(nothing?.undescribed === undefined ? [] : [oneLine(nothing.undescribed)]),
    ...(rows.length === 0 ? [] : ['', 'Edits that were tried:', ...rows]),
  ];
}

function editRow(edit: Proposal['leftOut'][number]['edit'], why: string): string {
  const text = oneLine('content' in edit ? edit.content : edit.anchor);
  const shown = text.length <= longestEdit ? text : `${text.slice(0, longestEdit)}…`;
  return `  ${edit.op.replaceAll('_', ' ')} “${shown}”: ${oneLine(why)}`;
}

/** To whom a verdict is shown: `skill` is what a command finds the skill by. */
export interface VerdictFace {
  readonly skill: string;
  readonly paint: Paint;
}

/** The verdict in words; its statistics are in the report. */
export function verdictText(
  proposal: Proposal,
  { skill, paint }: VerdictFace,
  decisions: PendingProposal['decisions'] = {},
): string {
  const { skillName, verdict, sealed, models } = proposal;
  const report = verdictReport(verdict, sealed, models);
  const edits = countDecisions(proposal, decisions);
  const waiting = verdict.kind === 'accepted' ? ` ${toReview(edits.open)}` : '';
  const part = 'figures' in verdict ? rejectedPart(edits) : undefined;
  return [
    `${paint(verdictColors[verdict.kind], oneLine(sentenceWith(shortVerdict(verdict, skillName), part)))}${waiting}`,
    ...(report.cure === null ? [] : [`What would settle it: ${report.cure}`]),
    ...(sealed === undefined
      ? []
      : [`Final exam on ${count(sealed.n, 'sealed task', t)} (not used for the decision): ${percents(sealed)}.`]),
    ...report.warnings.map((warning) => paint('yellow', `Warning: ${warning}`)),
    ...(report.n === null ? [] : [paint('dim', `Statistics: whetstone report ${exactText(skill)}`)]),
  ].join('\n');
}

function modelsText({ models }: Proposal): string {
  const { target, optimizer, judge } = shownModels(models);
  return oneLine(`Models: target ${target}, optimizer ${optimizer}, judge ${judge}.`);
}

/** Edits that did not help on training tasks, or not clearly: each with what it is worth there. */
export function droppedText({ dropped = [] }: Proposal, paint: Paint): readonly string[] {
  if (dropped.length === 0) return [];
  const rows = dropped.map(({ edit, worth }) => paint('dim', editRow(edit, worthText(worth, t))));
  return ['Edits that were tried and dropped:', ...rows, ''];
}

/** Each by its text: of several with the same reason nobody else could tell which is which. */
export function leftOutText(leftOut: Proposal['leftOut'], paint: Paint): readonly string[] {
  if (leftOut.length === 0) return [];
  const rows = leftOut.map(({ edit, outcome }) =>
    paint('dim', editRow(edit, outcome.kind === 'applied' ? '' : outcome.detail)),
  );
  return ['Edits that were left out:', ...rows, ''];
}

/** How many attempts count for nothing: a verdict on few of them reads otherwise like one on all. */
function invalidText(summary: RunSummary, paint: Paint): readonly string[] {
  const said = invalidSentence(summary, t);
  return said === undefined ? [] : [paint('yellow', oneLine(said))];
}

/** Whether agents used the skill that they were offered: a verdict on one that they did not says nothing of its text. */
export function skillUseText({ skillUse }: RunSummary, paint: Paint): readonly string[] {
  const said = skillUseSentence(skillUse, t);
  return said === undefined ? [] : [paint('yellow', said)];
}

/** What a cap kept the run from doing. */
function skippedText({ notes }: RunSummary, paint: Paint): readonly string[] {
  return groupedNotes(notes.filter((note) => /\bcap(?:ped)?\b/.test(note))).map((note) => paint('yellow', note));
}

type Units = NonNullable<OptimizeResult['units']>;

/** How to take some of the edits and not others; nothing where there is only one thing to decide. */
function partText([first, ...others]: Units, adopt: (edits: string) => string): string {
  return first === undefined || others.length === 0 ? '' : ` ${adopt(first.join(','))} to take some,`;
}

function nextText(
  { verdict, units, models, run, drafts }: Pick<Proposal, 'verdict'> & Again & { readonly units: Units },
  skill: string,
  paint: Paint,
): string {
  const command = (text: string): string => paint('cyan', text);
  switch (verdict.kind) {
    case 'accepted':
      return `Next: ${command(`whetstone adopt ${skill}`)} to take all edits,${partText(units, (edits) => command(`whetstone adopt ${skill} --edits ${edits}`))} ${command(`whetstone undo ${skill}`)} to go back.`;
    case 'rejected':
      if (settlesIt(verdict) !== undefined)
        return [
          `Next: more held-out tasks: ${confirmText({ skill, drafts }, command)}${command(`whetstone tasks draft ${skill}${models}`)} makes some; ${command(`whetstone tasks move ${skill} <id> --to held-out`)} puts one there.`,
          `Then: ${command(`whetstone optimize ${skill}${run}`)}: ${retryText}`,
        ].join('\n');
      return 'Next: look at the tasks above; edits without a proven improvement are shown, not adopted.';
    case 'inconclusive':
      return `Next: ${gatherText(verdict.cause, `whetstone gather ${skill}${models}`, command)}, ${command(`whetstone adopt ${skill}`)} to take the edits although nothing proves them.`;
    case 'unmeasured':
      return `Next: ${command(`whetstone show ${skill}`)} to look again, ${command(`whetstone adopt ${skill}`)} to take the edits although nothing proves them.`;
  }
}

/** Only where there are some. */
function confirmText(
  { skill, drafts }: { readonly skill: string; readonly drafts: number },
  command: (text: string) => string,
): string {
  if (drafts === 0) return '';
  return `${command(`whetstone tasks confirm ${skill} <id>...`)} makes good ones of your ${count(drafts, 'draft', t)} count, or `;
}

const retryText = 'with new held-out tasks the same edits may be tried again. Until then they are shown, not adopted.';

function gatherText(cause: InconclusiveCause, gather: string, command: (text: string) => string): string {
  switch (cause) {
    case 'cap':
    case 'too-many-invalid':
      return `${command(gather)} to go on to a decision`;
    case 'error-budget-empty':
      return `add held-out tasks and ${command(gather)}, or ${command(`${gather} --refill "why"`)} to take the risk of luck upon you`;
    case 'too-few-tasks':
      return `add held-out tasks, then ${command(gather)}`;
  }
}
