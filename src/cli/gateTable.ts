import type { TaskComparison, Verdict } from '../gate/verdict/verdict.js';
import { changeOf, changeWord, sideTexts, type Change } from '../wording/gateWords.js';
import { headWord } from '../wording/verdictReport.js';
import { t } from '../wording/translate.js';
import { table } from './table.js';
import type { Paint } from './terminal.js';

/** The held-out tasks before and after, regressions first, then what was fixed. */
export function gateTable(comparisons: readonly TaskComparison[], paint: Paint): string {
  const rows = [...comparisons]
    .sort((a, b) => looks[changeOf(a)].rank - looks[changeOf(b)].rank || (a.id < b.id ? -1 : 1))
    .map((row) => {
      const { symbol, color } = looks[changeOf(row)];
      const word = paint(color, changeWord(row, t));
      const [before, after] = sideTexts(row, sideText);
      return [paint(color, symbol), row.id, before, '→', after, word];
    });
  return table([
    ['', paint('bold', 'held-out task'), paint('bold', 'before'), '', paint('bold', 'after'), ''],
    ...rows,
  ]);
}

/** The verdict in one word, coloured. */
export function paintedVerdict(verdict: Verdict, paint: Paint): string {
  return paint(verdictColors[verdict.kind], headWord(verdict, t));
}

/** What a verdict is painted in. */
export const verdictColors = {
  accepted: 'green',
  rejected: 'red',
  inconclusive: 'yellow',
  unmeasured: 'yellow',
} as const;

const looks: Readonly<
  Record<Change, { readonly rank: number; readonly symbol: string; readonly color: 'red' | 'green' | 'dim' }>
> = {
  worse: { rank: 0, symbol: '▼', color: 'red' },
  better: { rank: 1, symbol: '▲', color: 'green' },
  same: { rank: 2, symbol: '=', color: 'dim' },
  unknown: { rank: 3, symbol: '·', color: 'dim' },
};

function sideText(passes: number, valid: number): string {
  return valid === 0 ? '–' : `${passes} of ${valid}`;
}
