import type { Proposal } from '../ports/proposal.js';
import { candidateCells, candidateColumns, candidateNotes, candidateRows } from '../wording/candidateText.js';
import { t } from '../wording/translate.js';
import { table } from './table.js';
import { oneLine, type Paint } from './terminal.js';

/** The candidates of a run that chose by more than the score; nothing for any other. */
export function candidateTable(proposal: Proposal, paint: Paint): readonly string[] {
  const rows = candidateRows(proposal, t);
  if (rows.length === 0) return [];
  const others = proposal.candidates?.others.map(({ id }) => id) ?? [];
  return [
    paint('bold', 'Candidates'),
    table([candidateColumns(t), ...rows.map(candidateCells)]),
    ...candidateNotes(proposal, t).map((note) => oneLine(note)),
    ...(others.length === 0
      ? []
      : [
          `“whetstone gather <skill> --candidate ${others[0]}” certifies one; “whetstone adopt <skill> --candidate ${others[0]}” takes it as it is.`,
        ]),
    '',
  ];
}
