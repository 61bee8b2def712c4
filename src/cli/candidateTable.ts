import type { Proposal } from '../ports/proposal.js';
import { candidateGrid, candidateNotes } from '../wording/candidateText.js';
import { t } from '../wording/translate.js';
import { table } from './table.js';
import { oneLine, type Paint } from './terminal.js';

/** The candidates of a run that chose by more than the score; nothing for any other. */
export function candidateTable(proposal: Proposal, paint: Paint): readonly string[] {
  const grid = candidateGrid(proposal, t);
  if (grid === undefined) return [];
  return [
    paint('bold', 'Candidates'),
    table([grid.head, ...grid.rows]),
    ...candidateNotes(proposal, t).map((note) => oneLine(note)),
    ...hints(proposal.candidates?.others ?? []),
    '',
  ];
}

/** What can be done with another one: a certification that ended is never opened again, and what failed is not adopted. */
function hints(others: NonNullable<Proposal['candidates']>['others']): readonly string[] {
  const known = others.map(({ id, evidence }) => ({ id, kind: evidence?.verdict.kind }));
  const [any] = known;
  const open = known.find(({ kind }) => kind !== 'accepted' && kind !== 'rejected');
  const free = known.find(({ kind }) => kind !== 'rejected');
  const said = [
    ...(any === undefined ? [] : [`“whetstone show <skill> --candidate ${any.id}” shows the edits of one`]),
    ...(open === undefined ? [] : [`“whetstone gather <skill> --candidate ${open.id}” certifies one`]),
    ...(free === undefined ? [] : [`“whetstone adopt <skill> --candidate ${free.id}” takes one as it is`]),
  ];
  return said.length === 0 ? [] : [`${said.join('; ')}.`];
}
