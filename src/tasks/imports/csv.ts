/** A row of a table, with the line of the file that it begins on. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** A table of text, or the line on which a quoted field begins that never ends. */
export type Csv =
  | { readonly kind: 'rows'; readonly rows: readonly CsvRow[] }
  | { readonly kind: 'unclosed'; readonly line: number; readonly rows: readonly CsvRow[] };

/**
 * Reads comma-separated text as RFC 4180 has it: fields in quotation marks may hold separators, line breaks and doubled
 * marks. Semicolons and tabs separate where the first line has more of them; a byte order mark is dropped, blank lines are
 * passed over.
 */
export function readCsv(text: string): Csv {
  const source = text.replace(/^\uFEFF/u, '');
  const separator = separatorOf(source);
  const rows: CsvRow[] = [];
  let line = 1;
  let at = 0;
  while (at < source.length) {
    const row = readRow(source, at, separator);
    if (row === undefined) return { kind: 'unclosed', line, rows };
    if (row.cells.some((cell) => cell.trim() !== '')) rows.push({ line, cells: row.cells });
    line += countLines(source, at, row.end);
    at = row.end;
  }
  return { kind: 'rows', rows };
}

function separatorOf(source: string): string {
  const first = source.slice(0, source.search(/[\r\n]/u) < 0 ? undefined : source.search(/[\r\n]/u));
  const bare = first.replaceAll(/"[^"]*"/gu, '');
  const count = (mark: string): number => bare.split(mark).length;
  return [',', ';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
}

/** The fields of one row and where the next begins; undefined where a quotation mark is never closed. */
function readRow(
  source: string,
  from: number,
  separator: string,
): { readonly cells: readonly string[]; readonly end: number } | undefined {
  const cells: string[] = [];
  let at = from;
  for (;;) {
    const field = source[at] === '"' ? quotedField(source, at, separator) : bareField(source, at, separator);
    if (field === undefined) return undefined;
    cells.push(field.text);
    at = field.end;
    if (source[at] !== separator) return { cells, end: afterLineBreak(source, at) };
    at += 1;
  }
}

interface Field {
  readonly text: string;
  readonly end: number;
}

function bareField(source: string, from: number, separator: string): Field {
  const end = endOfBare(source, from, separator);
  return { text: source.slice(from, end), end };
}

function endOfBare(source: string, from: number, separator: string): number {
  let end = from;
  while (end < source.length && source[end] !== separator && source[end] !== '\n' && source[end] !== '\r') end += 1;
  return end;
}

function quotedField(source: string, from: number, separator: string): Field | undefined {
  const parts: string[] = [];
  let at = from + 1;
  for (;;) {
    const close = source.indexOf('"', at);
    if (close < 0) return undefined;
    parts.push(source.slice(at, close));
    if (source[close + 1] !== '"') {
      // What a careless program writes behind the closing mark belongs to the field.
      const end = endOfBare(source, close + 1, separator);
      return { text: parts.join('"') + source.slice(close + 1, end), end };
    }
    at = close + 2;
  }
}

function afterLineBreak(source: string, at: number): number {
  if (source[at] === '\r') return source[at + 1] === '\n' ? at + 2 : at + 1;
  return at + 1;
}

function countLines(source: string, from: number, to: number): number {
  return source.slice(from, to).match(/\r\n|\r|\n/gu)?.length ?? 0;
}
