import { drawn, reachable, scrolled, sectionOf } from './section.js';
import { score } from './figures.js';
import { caption } from './lineChart.js';
import type { ReportPayload } from './reportMessage.js';

const labelWidth = 220;
const cellWidth = 56;
const rowHeight = 20;
const headHeight = 24;
const longestLabel = 30;

/** Every task at every step: a word and a shade in each cell, so that the shade alone decides nothing. */
export function heatSection({ data, words }: ReportPayload): HTMLElement {
  const { columns, rows } = data.heat;
  const sideWord = (side: string): string => (side === 'training' ? words.training : words.heldOut);
  return sectionOf({
    id: 'heat',
    title: words.heat,
    about: words.heatAbout,
    drawing: scrolled(words.heat, drawing({ data, words })),
    asTable: words.asTable,
    head: [words.task, words.side, ...columns.map(({ label }) => label)],
    rows: rows.map(({ task, side, scores }) => [task, sideWord(side), ...scores.map(score)]),
  });
}

function drawing({ data, words }: ReportPayload): SVGElement {
  const { columns, rows } = data.heat;
  const width = labelWidth + columns.length * cellWidth;
  const height = headHeight + rows.length * rowHeight;
  const head = columns.map(({ stage, step }, index) => {
    const text = stage === 'baseline' ? words.before : `${step}${stage === 'rollout' ? ' T' : ' H'}`;
    return caption(labelWidth + (index + 0.5) * cellWidth, headHeight - 8, text, 'middle');
  });
  const body = rows.map(({ task, scores }, row) => {
    const y = headHeight + row * rowHeight;
    const says = `${task}: ${columns.map(({ label }, index) => `${label} ${score(scores[index])}`).join(', ')}`;
    const cells = scores.flatMap((value, index) => (value === null ? [] : cell(value, index, y)));
    return reachable(says, 'row', caption(labelWidth - 8, y + 14, short(task), 'end'), ...cells);
  });
  const attributes = { viewBox: `0 0 ${width} ${height}`, width, height, role: 'group', 'aria-label': words.heat };
  return drawn('svg', { ...attributes, class: 'heat' }, ...head, ...body);
}

function cell(value: number, index: number, y: number): readonly SVGElement[] {
  const x = labelWidth + index * cellWidth;
  const kind = value === 1 ? 'passed' : value === 0 ? 'failed' : 'partly';
  const mark = { passed: '✓', failed: '✗', partly: score(value) }[kind];
  return [
    drawn('rect', { x: x + 2, y: y + 2, width: cellWidth - 4, height: rowHeight - 4, class: `cell ${kind}` }),
    drawn('text', { x: x + cellWidth / 2, y: y + 14, class: 'mark middle' }, mark),
  ];
}

function short(task: string): string {
  return task.length > longestLabel ? `${task.slice(0, longestLabel - 1)}…` : task;
}
