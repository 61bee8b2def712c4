import { drawn, reachable, sectionOf } from './section.js';
import { filledIn, named, points } from './figures.js';
import { caption } from './lineChart.js';
import type { ReportPayload } from './reportMessage.js';

const width = 640;
const rowHeight = 28;
const labelWidth = 240;
const longestLabel = 30; // characters that fit beside the drawing

type Edit = ReportPayload['data']['edits'][number];

/** What each edit is worth: a dot with its 95 % interval, left of the middle worse, right of it better. */
export function editsSection({ data, words }: ReportPayload): HTMLElement {
  const { edits } = data;
  const measured = edits.filter(({ worth }) => worth.kind === 'measured');
  const attributes = {
    viewBox: `0 0 ${width} ${edits.length * rowHeight + 20}`,
    role: 'group',
    'aria-label': words.edits,
    class: 'chart',
  };
  const middle = drawn('line', { x1: x(0), x2: x(0), y1: 0, y2: edits.length * rowHeight, class: 'axis' });
  const axis = [-1, -0.5, 0, 0.5, 1].map((share) =>
    caption(x(share), edits.length * rowHeight + 16, points(share), 'middle'),
  );
  return sectionOf({
    id: 'edits',
    title: words.edits,
    about: edits.length === 0 ? words.noEdits : words.editsAbout,
    drawing:
      measured.length === 0
        ? undefined
        : drawn('svg', attributes, middle, ...axis, ...edits.map((edit, row) => editRow(edit, row, words))),
    asTable: words.asTable,
    head: [words.edit, words.text, words.worth, words.interval, words.decision, words.reason],
    rows: edits.map((edit) => [
      edit.id,
      textOf(edit),
      ...worthCells(edit, words),
      named(words, edit.decision),
      reasonOf(edit, words),
    ]),
  });
}

/** Why it is proposed, and why it cannot be decided by itself, where it cannot. */
function reasonOf({ rationale, together, environment, script }: Edit, words: ReportPayload['words']): string {
  return [
    rationale,
    ...(script === true ? [`(${words.changesScript})`] : []),
    ...(environment === undefined ? [] : [`(${filledIn(words.proposedBy, environment)})`]),
    ...(together.length === 0 ? [] : [filledIn(words.decidedTogether, together.join(', '))]),
  ]
    .join(' ')
    .trim();
}

function editRow(edit: Edit, row: number, words: ReportPayload['words']): SVGElement {
  const y = row * rowHeight + rowHeight / 2;
  const [worth, interval] = worthCells(edit, words);
  const says = `${edit.id}, ${textOf(edit)}: ${worth}, ${words.interval} ${interval}`;
  const marks =
    edit.worth.kind === 'measured' ? interval95(edit.worth, y) : [caption(x(0) + 8, y + 4, words.notMeasured, 'start')];
  return reachable(says, 'row', caption(labelWidth - 12, y + 4, `${edit.id} ${short(textOf(edit))}`, 'end'), ...marks);
}

function interval95({ effect, interval: [low, high] }: Extract<Edit['worth'], { kind: 'measured' }>, y: number) {
  return [
    drawn('line', { x1: x(low), x2: x(high), y1: y, y2: y, class: 'whisker' }),
    drawn('circle', { cx: x(effect), cy: y, r: 5, class: 'point series0' }),
  ];
}

function worthCells({ worth }: Edit, words: ReportPayload['words']): readonly [string, string] {
  if (worth.kind !== 'measured') return [words.notMeasured, '–'];
  const [low, high] = worth.interval;
  const together = worth.group.length === 0 ? '' : `, ${filledIn(words.together, worth.group.join(', '))}`;
  return [`${points(worth.effect)}${together}`, `${points(low)} … ${points(high)}`];
}

/** What the edit writes, on one line, behind its file where that is not SKILL.md; what it takes away stands struck. */
function textOf({ op, file, text }: Edit): string {
  const line = text
    .replace(/^\s*(?:[-*+]|\d+[.)])\s+/u, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  return `${file === undefined ? '' : `${file}: `}${op === 'delete' ? '− ' : ''}${line}`;
}

function short(text: string): string {
  return text.length > longestLabel ? `${text.slice(0, longestLabel - 1)}…` : text;
}

function x(share: number): number {
  const clamped = Math.max(-1, Math.min(1, share));
  return labelWidth + ((clamped + 1) / 2) * (width - labelWidth - 20);
}
