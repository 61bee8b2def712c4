import { oneLine } from './terminal.js';

const colourCode = new RegExp(`${String.fromCharCode(27)}[0-9a-f]*\\[[0-9;]*m`, 'g');

/** How many columns a text takes: East Asian wide characters take two. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text.replaceAll(colourCode, '')) {
    width += /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u.test(
      character,
    )
      ? 2
      : 1;
  }
  return width;
}

/** Rows in columns, padded to the widest cell. No cell begins a line of its own. */
export function table(given: readonly (readonly string[])[]): string {
  const rows = given.map((row) => row.map(oneLine));
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => widthOf(row[column] ?? ''))),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
