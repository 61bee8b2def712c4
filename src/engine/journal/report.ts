import { figureLines, headWord, verdictReport } from '../../wording/verdictReport.js';
import { english } from '../../wording/translate.js';
import type { GateFigures } from '../../gate/verdict/verdict.js';
import type { Proposal } from '../../ports/proposal.js';
import {
  comparisonTable,
  epochTable,
  passRateTable,
  plain,
  score,
  stageTable,
  stepTable,
  typeTable,
} from './reportTables.js';
import type { TaskPassRate } from './taskFigures.js';
import { editSections, triedText } from './reportEdits.js';
import type { RunSummary } from './runSummary.js';
import type { NoProposal } from '../noProposal.js';
import { baselineSentence, invalidSentence } from '../../wording/amounts.js';
import { candidateGrid, candidateNotes } from '../../wording/candidateText.js';
import { workerNotes } from '../../wording/programs/workerCalls.js';
import { groupedNotes } from '../../wording/noteText.js';
import { shownModels } from '../../wording/programs/shownModel.js';

/** What a report is made from: the fold of the journal, and what the run proposes, if anything. */
export interface ReportInput {
  readonly summary: RunSummary;
  readonly proposal: Proposal | undefined;
  /** Edits of the proposal that can only be decided together. */
  readonly bound?: readonly (readonly string[])[];
  /** What was tried, where nothing is proposed. */
  readonly nothing?: Pick<NoProposal, 'tried' | 'baseline'> | undefined;
  /** Of training tasks, the hardest first. */
  readonly passRates?: readonly TaskPassRate[];
  /** The held-out tasks that cannot decide, in sentences. */
  readonly settled?: readonly string[];
}

/** A run as a page of Markdown for people. What models and tasks wrote stands in it as plain text. */
export function reportText(input: ReportInput): string {
  const { summary, proposal, nothing, bound = [], passRates = [], settled = [] } = input;
  const sections = [
    `# Report on ${plain(summary.skillName)}`,
    ...opening(summary, proposal),
    ...(proposal === undefined ? triedSections(nothing) : proposalSections(proposal, bound)),
    ...(settled.length === 0 ? [] : ['## Held-out tasks that cannot decide', listOf(settled)]),
    ...stepSections(summary),
    ...taskSections(summary, passRates),
    '## Calls, tokens and time by stage',
    stageTable(summary),
    ...(summary.resumed === 0 ? [] : [`The run was cut off and resumed ${times(summary.resumed)}.`]),
    ...notes(summary),
  ];
  return `${sections.join('\n\n')}\n`;
}

function opening(summary: RunSummary, proposal: Proposal | undefined): readonly string[] {
  const { tasks } = summary;
  const models = summary.models === undefined ? undefined : shownModels(summary.models);
  return [
    proposal === undefined ? `**Nothing is proposed.** ${plain(summary.reason)}` : verdictText(proposal.verdict),
    ...(proposal?.verdict.kind === 'inconclusive' ? [`What would settle it: ${plain(proposal.verdict.cure)}`] : []),
    [
      ...(models === undefined
        ? []
        : [
            `- Models: target ${plain(models.target)}, optimizer ${plain(models.optimizer)}, judge ${plain(models.judge)}`,
          ]),
      ...(tasks === undefined
        ? []
        : [
            `- Tasks: ${tasks.training} training, ${tasks.heldOut} held-out, ${tasks.sealed} sealed, ${tasks.setAside} set aside`,
          ]),
      `- Run: ${summary.runId}, begun ${new Date(summary.startedAt).toISOString()}`,
    ].join('\n'),
  ];
}

/** A measurement trains nothing and has no steps to show. */
function stepSections({ purpose, steps, epochs = [] }: RunSummary): readonly string[] {
  if (purpose === 'measure') return [];
  return [
    '## Steps',
    steps.length === 0 ? 'No step came to its end.' : stepTable(steps),
    ...(epochs.length === 0 ? [] : ['## Ends of epochs', epochTable(epochs)]),
  ];
}

/** How training tasks did, and all tasks by type where there are several. */
function taskSections({ byType = [] }: RunSummary, passRates: readonly TaskPassRate[]): readonly string[] {
  return [
    ...(byType.length === 0 ? [] : ['## Tasks by type', typeTable(byType)]),
    ...(passRates.length === 0 ? [] : ['## Training tasks', passRateTable(passRates)]),
  ];
}

/** The word, then the sentence with its statistics, which may begin with the same word. */
function verdictText(verdict: Proposal['verdict']): string {
  const { reason } = verdict;
  const word = capitalized(headWord(verdict, english));
  if (!reason.startsWith(word)) return `**${word}.** ${plain(reason)}`;
  const rest = reason.slice(word.length);
  return `**${word}**${rest.startsWith(' ') ? ' ' : ''}${plain(rest)}`;
}

function capitalized(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

function proposalSections(proposal: Proposal, bound: readonly (readonly string[])[]): readonly string[] {
  return [
    '## Held-out tasks',
    ...heldOutText(proposal),
    ...candidateSection(proposal),
    ...editSections(proposal, bound),
  ];
}

/** What else the run found, where it chose by more than the score. */
function candidateSection(proposal: Proposal): readonly string[] {
  const grid = candidateGrid(proposal, english);
  if (grid === undefined) return [];
  const lines = [grid.head, grid.head.map(() => '---'), ...grid.rows];
  return [
    '## Candidates',
    lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n'),
    ...candidateNotes(proposal, english).map(plain),
  ];
}

function heldOutText({ verdict, comparisons, sealed, models }: Proposal): readonly string[] {
  const figures = 'figures' in verdict ? verdict.figures : undefined;
  const report = verdictReport(verdict, sealed, models);
  const rows = [
    ...(figures === undefined
      ? []
      : [
          `| held-out | ${score(figures.before)} | ${score(figures.after)} | ${numberOf(figures)} | gate: ${figures.rule} |`,
        ]),
    ...(sealed === undefined
      ? []
      : [
          `| sealed | ${score(sealed.before)} | ${score(sealed.after)} | ${sealed.n} | final exam, not used for the decision |`,
        ]),
  ];
  return [
    ...(rows.length === 0 ? [] : ['| tasks | before | after | number | |\n|---|---|---|---|---|\n' + rows.join('\n')]),
    ...(figures === undefined
      ? []
      : [['<details><summary>Statistics</summary>', listOf(figureLines(report, english)), '</details>'].join('\n\n')]),
    ...report.warnings.map((warning) => `> ${plain(warning)}`),
    comparisons.length === 0 ? 'No held-out task was compared.' : comparisonTable(comparisons),
  ];
}

/** Only tasks that were attempted stand behind the scores. */
function numberOf({ n, notNeeded = 0 }: GateFigures): string {
  return notNeeded === 0 ? String(n) : `${n - notNeeded} of ${n}`;
}

function triedSections(nothing: ReportInput['nothing']): readonly string[] {
  if (nothing === undefined) return [];
  const { baseline, tried } = nothing;
  return [
    ...(baseline === undefined ? [] : [baselineSentence(baseline, english)]),
    ...(tried.length === 0 ? [] : ['## Edits that were tried', tried.map(triedText).join('\n')]),
  ];
}

function notes(summary: RunSummary): readonly string[] {
  const invalid = invalidSentence(summary, english);
  const lines = [...(invalid === undefined ? [] : [invalid]), ...groupedNotes(summary.notes), ...workerNotes(summary)];
  return lines.length === 0 ? [] : ['## Notes', listOf(lines)];
}

function listOf(lines: readonly string[]): string {
  return lines.map((line) => `- ${plain(line)}`).join('\n');
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
