import { effects, taskCounts, type Cell } from './cells.js';

/** The cells as two Markdown tables: how often each rule accepts, and what ours costs. */
export function printTable(cells: readonly Cell[]): string {
  const cellOf = (rule: Cell['rule'], n: number, effect: number): Cell | undefined =>
    cells.find((cell) => cell.rule === rule && cell.n === n && cell.effect === effect);
  const head = `| | ${taskCounts.map((n) => `${n} tasks`).join(' | ')} |\n|---|${taskCounts.map(() => '---').join('|')}|`;
  const accepted = (['strict', 'confident'] as const).flatMap((rule) =>
    effects.map((effect) =>
      row(`${rule}, ${signed(effect)}`, (n) => {
        const cell = cellOf(rule, n, effect);
        return cell === undefined ? '-' : `${((100 * cell.accepted) / cell.gates).toFixed(2)} %`;
      }),
    ),
  );
  const passes = effects.map((effect) =>
    row(`confident, ${signed(effect)}`, (n) => cellOf('confident', n, effect)?.passes.toFixed(2) ?? '-'),
  );
  return ['Accepted', head, ...accepted, '', 'Passes', head, ...passes, ''].join('\n');
}

function row(name: string, figure: (n: number) => string): string {
  return `| ${name} | ${taskCounts.map(figure).join(' | ')} |`;
}

function signed(effect: number): string {
  return effect > 0 ? `+${effect}` : String(effect);
}
