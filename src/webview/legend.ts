import { drawn, element } from './dom.js';
import type { Line } from './lineChart.js';

const shapes: Readonly<Record<Line['mark'], string>> = { circle: '●', square: '■', diamond: '◆' };

/** Which mark is which line. */
export function legend(lines: readonly Pick<Line, 'name' | 'mark'>[]): HTMLElement {
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
