import { element } from './dom.js';

/** The same figures as a drawing, for those who read instead of look. The first column names the row. */
export function tableOf(caption: string, head: readonly string[], rows: readonly (readonly string[])[]): HTMLElement {
  const heads = head.map((word) => element('th', { scope: 'col' }, word));
  const body = rows.map(([first = '', ...rest]) =>
    element('tr', {}, element('th', { scope: 'row' }, first), ...rest.map((cell) => element('td', {}, cell))),
  );
  return element(
    'table',
    {},
    element('caption', {}, caption),
    element('thead', {}, element('tr', {}, ...heads)),
    element('tbody', {}, ...body),
  );
}
