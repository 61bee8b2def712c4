import { isSecret } from './assignedSecrets.js';
import { isDrawn } from './drawnValue.js';
import { isPassword } from './plausibleValue.js';
import { judgeName, type NameFamily } from './secretNames.js';
import { findShape, isRealPassword } from './secretShape.js';
import type { Search, SecretShape, Span } from './span.js';

/**
 * Secrets in what people paste: tables whose header names them (CSV, Markdown), fields of forms, and the files that programs keep accounts
 * in (`.pgpass`, htpasswd, `/etc/shadow`). A line over a thousand characters is no line of these.
 */
export function* findPastedSecrets(text: string): Search {
  const found: Span[] = accountHint.test(text) ? accountShapes.flatMap((shape) => findShape(text, shape)) : [];
  yield;
  if (/<(?:input|t[dh])\b/i.test(text)) found.push(...findShape(text, fieldShape), ...inHtmlTables(text));
  yield;
  if (!headerHint.test(text)) return found;
  let table: Table | undefined;
  let looked = 0;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const line = end - start > longestLine ? '' : text.slice(start, end);
    const row = table === undefined ? undefined : rowOf(table, line, start);
    if (row !== undefined) found.push(...row);
    else table = tableOf(line);
    start = end + 1;
    if ((looked += 1) % few === 0) yield;
  }
  return found;
}

const few = 2048; // lines a piece
const longestLine = 1000;

const headerHint = /pass|kennwort|pwd|\bpw\b|secret|token|key|credential|contrase|senha|mot de passe/i;

/** The columns of a table that hold secrets. */
interface Table {
  readonly separator: Separator;
  readonly columns: number;
  readonly secret: ReadonlyMap<number, NameFamily>;
  /** Words may stand between such commas: “user, password” is the header of a table, and a row of arguments. */
  readonly isSpaced: boolean;
}

type Separator = ',' | ';' | '\t' | '|';
const separators: readonly Separator[] = ['|', '\t', ';', ','];

/** A line is the header of a table where each of its cells is a name, and one of them that of a secret. */
function tableOf(line: string): Table | undefined {
  if (!headerHint.test(line)) return undefined;
  const separator = separators.find((each) => line.includes(each));
  if (separator === undefined) return undefined;
  const cells = cellsOf(line, separator);
  if (cells.length < 2 || cells.length > mostColumns || !cells.every(({ value }) => isColumnName(value)))
    return undefined;
  const secret = new Map<number, NameFamily>();
  cells.forEach(({ value }, column) => {
    const family = judgeName(value);
    if (family !== undefined && family !== 'vendor') secret.set(column, family);
  });
  return secret.size === 0 ? undefined : { separator, columns: cells.length, secret, isSpaced: /[,;] /.test(line) };
}

const mostColumns = 60;

function isColumnName(value: string): boolean {
  return /^[\p{L}_#][\p{L}\p{N}_ ./()-]{0,39}$/u.test(value);
}

interface Cell {
  readonly value: string;
  readonly start: number;
}

/** The secrets of a row, or undefined where the table ended above it. */
function rowOf({ separator, columns, secret, isSpaced }: Table, line: string, at: number): readonly Span[] | undefined {
  if (separator === '|' && /^[\s|:-]+$/.test(line) && line.includes('-')) return [];
  if (!line.includes(separator)) return undefined;
  const cells = cellsOf(line, separator);
  if (cells.length !== columns) return undefined;
  return [...secret].flatMap(([column, family]) => {
    const { value, start } = cells[column] ?? { value: '', start: 0 };
    const isLoose = separator === '|' || isSpaced;
    if (!isSecret(family, { value, form: 'loose', weak: isLoose && family !== 'password' })) return [];
    if (isSpaced && !isDrawn(value)) return [];
    return [{ start: at + start, end: at + start + value.length, kind: 'table-secret' }];
  });
}

/** The cells of a line; a table of Markdown has none before its first mark and behind its last one. */
function cellsOf(line: string, separator: Separator): readonly Cell[] {
  const cells: Cell[] = [];
  for (let at = 0; at <= line.length;) {
    const end = endOfCell(line, at, separator);
    cells.push(bareCell(line.slice(at, end), at));
    at = end + 1;
  }
  if (separator !== '|') return cells;
  const inner = cells[0]?.value === '' ? cells.slice(1) : cells;
  return inner.at(-1)?.value === '' ? inner.slice(0, -1) : inner;
}

/** Without the quotation marks, and the marks of Markdown, around it. */
function bareCell(cell: string, at: number): Cell {
  const open = /^[\s"'`*]*/.exec(cell)?.[0].length ?? 0;
  let close = cell.length;
  while (close > open && /[\s"'`*]/.test(cell.charAt(close - 1))) close -= 1;
  return { value: cell.slice(open, close), start: at + open };
}

function endOfCell(line: string, at: number, separator: Separator): number {
  const closing = line[at] === '"' ? line.indexOf(`"${separator}`, at + 1) : -1;
  const end = closing >= 0 ? closing + 1 : line.indexOf(separator, at);
  return line[at] === '"' && closing < 0 && line.trimEnd().endsWith('"') ? line.length : end < 0 ? line.length : end;
}

/** What stands in a table of HTML below a cell that names a secret. */
function inHtmlTables(text: string): readonly Span[] {
  const found: Span[] = [];
  let header: readonly (NameFamily | undefined)[] = [];
  const starts = [...text.matchAll(/<tr\b/gi)].map(({ index }) => index);
  for (const [at, start] of starts.entries()) {
    const cells = htmlCells(text.slice(start, Math.min(starts[at + 1] ?? text.length, start + longestRow)), start);
    const names = cells.map(({ value }) => (isColumnName(value) ? judgeName(value) : undefined));
    const isHeader = names.some((name) => name !== undefined && name !== 'vendor');
    if (isHeader) header = names;
    else if (cells.length !== header.length) header = [];
    else found.push(...cells.flatMap((cell, column) => secretCell(cell, header[column])));
  }
  return found;
}

const longestRow = 4_000;

function secretCell({ value, start }: Cell, family: NameFamily | undefined): readonly Span[] {
  if (family === undefined || family === 'vendor' || !isSecret(family, { value, form: 'loose', weak: false }))
    return [];
  return [{ start, end: start + value.length, kind: 'table-secret' }];
}

function htmlCells(row: string, at: number): readonly Cell[] {
  return [...row.matchAll(/<t[dh]\b[^<>]{0,200}>([^<]{0,300})<\/t[dh]>/gi)].map((match) => {
    const cell = match[1] ?? '';
    return bareCell(cell, at + match.index + match[0].length - '</td>'.length - cell.length);
  });
}

/** The fields of a form that was pasted with what stands in them. */
const fieldShape: SecretShape = {
  kind: 'field-secret',
  pattern:
    /\bname\s{0,3}=\s{0,3}["'][^"'<>]{0,40}(?:pass|pwd|secret|token|key)[^"'<>]{0,40}["'][^<>]{0,200}?\bvalue\s{0,3}=\s{0,3}["'](?<secret>[^"'<>\n]{6,200})["']/dgi,
  accept: isDrawn,
};

const accountHint = /\$\w{1,10}\$|\{S?SHA|:(?:\d{1,6}|\*):/;

const accountShapes: readonly SecretShape[] = [
  {
    // host:port:database:user:password; a number in place of the database is a line and a column of some file
    kind: 'pgpass-password',
    pattern:
      /^[\w.*-]{1,100}:(?:54\d\d|6432|\*):[A-Za-z_*][\w*-]{0,63}:[\w.*@-]{1,63}:(?<secret>(?:\\[:\\]|[^\s:\\]){3,200})[ \t]{0,4}\r?$/dgm,
    accept: isRealPassword,
  },
  {
    kind: 'pgpass-password',
    pattern:
      /^[\w.-]{1,100}:\d{1,5}:[A-Za-z_*][\w*-]{0,63}:[\w.*@-]{1,63}:(?<secret>(?:\\[:\\]|[^\s:\\]){6,200})[ \t]{0,4}\r?$/dgm,
    accept: (secret) => isPassword(secret, 'loose') && isDrawn(secret),
  },
  {
    kind: 'password-hash',
    pattern:
      /(?<![\w$])\$(?:apr1|1|5|6|2[abxy]?|7|g?y|argon2(?:id|i|d)|pbkdf2-\w{2,10}|scrypt)\$[A-Za-z0-9./$=,+-]{20,300}/g,
    accept: (secret) => /\d/.test(secret.slice(6)),
  },
  { kind: 'password-hash', pattern: /\{S?SHA(?:256|384|512)?\}(?<secret>[A-Za-z0-9+/]{20,100}={0,2})/dg },
  {
    kind: 'password-hash',
    pattern: /^[a-z_][\w.-]{0,31}:(?<secret>[^:\s*!]{10,200}):\d{1,6}:\d{0,6}:\d{0,6}:\d{0,6}:/dgm,
  },
];
