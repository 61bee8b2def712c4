import { effects, taskCounts, type Cell } from './cells.js';

/** How the page about the gate names an effect. */
const names: Readonly<Record<(typeof effects)[number], string>> = {
  0: 'no effect',
  [-10]: '10 points worse',
  [-20]: '20 points worse',
  20: '20 points better',
  40: '40 points better',
};

const head = [
  `| | ${taskCounts.map((n, at) => (at === 0 ? `${n} tasks` : n)).join(' | ')} |`,
  `|---|${taskCounts.map(() => '---').join('|')}|`,
];

/** How often each rule accepts, row by row as the page about the gate shows it. */
export function acceptedRows(cells: readonly Cell[]): readonly string[] {
  return effects.flatMap((effect) => [
    row(`${names[effect]}: strict rule`, (n) => acceptedShare(cells, { rule: 'strict', n, effect })),
    row(`**${names[effect]}: Whetstone**`, (n) => `**${acceptedShare(cells, { rule: 'confident', n, effect })}**`),
  ]);
}

/** What our rule costs. */
export function passesRows(cells: readonly Cell[]): readonly string[] {
  return effects.map((effect) =>
    row(names[effect], (n) => find(cells, { rule: 'confident', n, effect })?.passes.toFixed(2) ?? '-'),
  );
}

/** Both as Markdown tables. */
export function printTables(cells: readonly Cell[]): string {
  return ['Accepted', ...head, ...acceptedRows(cells), '', 'Passes', ...head, ...passesRows(cells), ''].join('\n');
}

function acceptedShare(cells: readonly Cell[], which: Pick<Cell, 'rule' | 'n' | 'effect'>): string {
  const cell = find(cells, which);
  return cell === undefined ? '-' : `${((100 * cell.accepted) / cell.gates).toFixed(2)} %`;
}

function find(cells: readonly Cell[], { rule, n, effect }: Pick<Cell, 'rule' | 'n' | 'effect'>): Cell | undefined {
  return cells.find((cell) => cell.rule === rule && cell.n === n && cell.effect === effect);
}

function row(name: string, figure: (n: number) => string): string {
  return `| ${name} | ${taskCounts.map(figure).join(' | ')} |`;
}
