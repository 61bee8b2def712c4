import { score } from './figures.js';
import { withLegend } from './legend.js';
import { lineChart, type Line } from './lineChart.js';
import type { ReportPayload } from './reportMessage.js';
import { sectionOf } from './section.js';

const mostTicks = 6;

/** Every certified run of the skill over the weeks: before, after, verdict, and whether it was adopted. */
export function historySection({ data, words }: ReportPayload): HTMLElement {
  const { history } = data;
  const date = (at: number): string => new Date(at).toLocaleDateString(words.language);
  const line = (name: string, mark: Line['mark'], side: 'before' | 'after'): Line => ({
    name,
    mark,
    points: history.map((point) => ({
      at: point.at,
      value: point[side],
      says: `${date(point.at)}, ${name}: ${score(point[side])}, ${point.verdict}`,
    })),
  });
  const lines = [line(words.before, 'circle', 'before'), line(words.after, 'square', 'after')];
  const every = Math.max(1, Math.ceil(history.length / mostTicks));
  const ticks = history.filter((_, index) => index % every === 0).map(({ at }) => ({ at, text: date(at) }));
  return sectionOf({
    id: 'history',
    title: words.history,
    about: words.historyAbout,
    drawing: history.length === 0 ? undefined : withLegend(lines, lineChart(words.history, lines, ticks)),
    asTable: words.asTable,
    head: [words.when, words.before, words.after, words.verdict, words.adopted],
    rows: history.map(({ at, before, after, verdict, adopted }) => [
      new Date(at).toLocaleString(words.language),
      score(before),
      score(after),
      verdict,
      adopted ? words.yes : words.no,
    ]),
  });
}
