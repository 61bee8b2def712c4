import { score } from './figures.js';
import { drawn, element, reachable } from './section.js';

/** One line of points from 0 to 1. Each looks different by shape, not by colour alone. */
export interface Line {
  readonly name: string;
  readonly mark: 'circle' | 'square' | 'diamond';
  readonly points: readonly { readonly at: number; readonly value: number; readonly says: string }[];
}

const width = 640;
const height = 240;
const left = 44;
const bottom = 34;
const top = 12;
const right = 40;

/** Scores over steps or time. Every point can be reached with the keyboard and says what it is. */
export function lineChart(
  label: string,
  lines: readonly Line[],
  ticks: readonly { readonly at: number; readonly text: string }[],
): SVGElement {
  const all = [...ticks.map(({ at }) => at), ...lines.flatMap(({ points }) => points.map(({ at }) => at))];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const x = (at: number): number =>
    high === low ? left + (width - left - right) / 2 : left + ((at - low) / (high - low)) * (width - left - right);
  const y = (value: number): number => top + (1 - value) * (height - top - bottom);
  return drawn(
    'svg',
    { viewBox: `0 0 ${width} ${height}`, role: 'group', 'aria-label': label, class: 'chart' },
    ...grid(y),
    ...ticks.map(({ at, text }) => drawn('text', { x: x(at), y: height - 12, class: 'tick middle' }, text)),
    ...lines.flatMap((line, index) => lineMarks(line, index, x, y)),
  );
}

function grid(y: (value: number) => number): readonly SVGElement[] {
  return [0, 0.25, 0.5, 0.75, 1].flatMap((value) => [
    drawn('line', { x1: left, x2: width - right, y1: y(value), y2: y(value), class: 'grid' }),
    drawn('text', { x: left - 8, y: y(value) + 4, class: 'tick end' }, score(value)),
  ]);
}

function lineMarks(
  line: Line,
  index: number,
  x: (at: number) => number,
  y: (value: number) => number,
): readonly SVGElement[] {
  const path = line.points.map(({ at, value }, step) => `${step === 0 ? 'M' : 'L'}${x(at)} ${y(value)}`).join(' ');
  return [
    drawn('path', { d: path, class: `line series${index}` }),
    ...line.points.map(({ at, value, says }) =>
      reachable(says, `point series${index}`, markOf(line.mark, x(at), y(value))),
    ),
  ];
}

function markOf(mark: Line['mark'], x: number, y: number): SVGElement {
  if (mark === 'circle') return drawn('circle', { cx: x, cy: y, r: 5 });
  const square = { x: x - 4.5, y: y - 4.5, width: 9, height: 9 };
  return drawn('rect', mark === 'square' ? square : { ...square, transform: `rotate(45 ${x} ${y})` });
}

const shapes: Readonly<Record<Line['mark'], string>> = { circle: '●', square: '■', diamond: '◆' };

/** Which mark is which line. */
function legend(lines: readonly Pick<Line, 'name' | 'mark'>[]): HTMLElement {
  return element(
    'ul',
    { class: 'legend' },
    ...lines.map(({ name, mark }, index) =>
      element(
        'li',
        {},
        element('span', { class: `key series${index}`, 'aria-hidden': 'true' }, shapes[mark]),
        ` ${name}`,
      ),
    ),
  );
}

/** A drawing with its legend above. */
export function withLegend(lines: readonly Line[], drawing: SVGElement): HTMLElement {
  return element('div', {}, legend(lines), drawing);
}

/** A short text in a drawing. */
export function caption(x: number, y: number, text: string, place: 'start' | 'middle' | 'end'): SVGElement {
  return drawn('text', { x, y, class: `tick ${place}` }, text);
}
