import { isSecret } from './assignedSecrets.js';
import { isDrawn } from './drawnValue.js';
import { isNamed } from './notation.js';
import { isDrawnToken } from './plausibleValue.js';
import { judgeName, type NameFamily } from './names/secretNames.js';
import type { Search, Span } from './span.js';

/**
 * Secrets in tables of text whose header names them: CSV, Markdown, what databases print in a frame, and columns that only
 * spaces align. A line over a thousand characters is no line of these.
 */
export function* findInTables(text: string): Search {
  if (!headerHint.test(text)) return [];
  const found: Span[] = [];
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

const headerHint =
  /pass|kennwort|pwd|\bpw\b|secret|token|key|credential|contrase|senha|wachtwoord|heslo|has[lł]o|lösenord|парол|密[码碼]|パスワード|비밀번호|mot de passe/i;

/** The columns of a table that hold secrets. */
interface Table {
  readonly separator: Separator;
  readonly columns: number;
  readonly secret: ReadonlyMap<number, ColumnFamily>;
  /** Words may stand between such separators: “user, password” is the header of a table, and a row of arguments. */
  readonly isSpaced: boolean;
}

/** What a column holds; `key` alone is said of much else. */
type ColumnFamily = NameFamily | 'key';

/** What stands between two cells of a row. */
export type Separator = ',' | ';' | '\t' | '|' | 'spaces' | 'space';
const separators: readonly Separator[] = ['|', '\t', ';', ',', 'spaces', 'space'];

/** A line is the header of a table where each of its cells is a name, and one of them that of a secret. */
function tableOf(line: string): Table | undefined {
  if (!headerHint.test(line)) return undefined;
  const separator = separators.find((each) => isSeparatedBy(line, each));
  if (separator === undefined) return undefined;
  const cells = cellsOf(line, separator);
  if (cells.length < 2 || cells.length > mostColumns || !cells.every(({ value }) => isColumnName(value)))
    return undefined;
  const secret = new Map<number, ColumnFamily>();
  cells.forEach(({ value }, column) => {
    const family = familyOf(value);
    if (family !== undefined) secret.set(column, family);
  });
  const isSpaced = separator === 'spaces' || separator === 'space' || /[,;] /.test(line);
  return secret.size === 0 ? undefined : { separator, columns: cells.length, secret, isSpaced };
}

const mostColumns = 60;

function isSeparatedBy(line: string, separator: Separator): boolean {
  if (separator === 'spaces') return /\S {2,}\S/.test(line);
  if (separator === 'space') return isRowOfColumns(line);
  return line.includes(separator);
}

/** Columns with one space between them read like a sentence: every word must be one that columns are called. */
function isRowOfColumns(line: string): boolean {
  const words = line.trim().toLowerCase().split(' ');
  return words.length >= 2 && words.length <= 8 && words.every((word) => columnWords.has(word));
}

const columnWords: ReadonlySet<string> = new Set(
  'id user username name login account email mail host server service role url site port database db password passwd pass pw pwd secret token key api_key apikey type status benutzer benutzername passwort kennwort'.split(
    ' ',
  ),
);

function familyOf(name: string): ColumnFamily | undefined {
  const family = judgeName(name) ?? foreignFamily(name);
  if (family === 'vendor') return undefined;
  return family ?? (/^keys?$/i.test(name) ? 'key' : undefined);
}

function foreignFamily(name: string): NameFamily | undefined {
  return /^(?:contraseña|hasło|lösenord|пароль|密码|密碼|パスワード|비밀번호)$/i.test(name) ? 'password' : undefined;
}

/** Whether a cell of a text or of HTML can be the name of a column. */
export function isColumnName(value: string): boolean {
  return /^[\p{L}_#][\p{L}\p{N}_ ./()-]{0,39}$/u.test(value);
}

/** What stands between two separators, and where. */
export interface Cell {
  readonly value: string;
  readonly start: number;
}

/** The secrets of a row, or undefined where the table ended above it. */
function rowOf({ separator, columns, secret, isSpaced }: Table, line: string, at: number): readonly Span[] | undefined {
  if (isRule(line)) return [];
  const isAligned = separator === 'spaces' || separator === 'space';
  if (line.trim() === '' || (!isAligned && !line.includes(separator))) return undefined;
  const cells = cellsOf(line, separator);
  if (cells.length !== columns) return undefined;
  return [...secret].flatMap(([column, family]) => {
    const { value, start } = cells[column] ?? { value: '', start: 0 };
    const isLoose = separator === '|' || isSpaced;
    if (!isSecretCell(family, value, isLoose) || (isSpaced && !isDrawn(value))) return [];
    return [{ start: at + start, end: at + start + value.length, kind: 'table-secret' }];
  });
}

/** `|---|:-:|`, `+----+----+`, `----  --------`. */
function isRule(line: string): boolean {
  return /^[\s|:+=-]+$/.test(line) && /[-=]/.test(line);
}

function isSecretCell(family: ColumnFamily, value: string, isLoose: boolean): boolean {
  if (family === 'key') return isLongKey(value);
  return isSecret(family, { value, form: 'loose', weak: isLoose && family !== 'password' });
}

/** Not the key of an issue, of a keyboard or of a setting. */
function isLongKey(value: string): boolean {
  return value.length >= 12 && /\d/.test(value) && !/[+/.]/.test(value) && isDrawnToken(value) && !isNamed(value);
}

/** The cells of a line; a table of Markdown has none before its first mark and behind its last one. */
export function cellsOf(line: string, separator: Separator): readonly Cell[] {
  if (separator === 'spaces' || separator === 'space') return alignedCells(line, separator);
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

function alignedCells(line: string, separator: 'spaces' | 'space'): readonly Cell[] {
  const cell = separator === 'spaces' ? /\S+(?: \S+)*/g : /\S+/g;
  return [...line.matchAll(cell)].map(({ 0: value, index }) => bareCell(value, index));
}

/** Without the quotation marks, and the marks of Markdown, around it. */
export function bareCell(cell: string, at: number): Cell {
  const open = /^[\s"'`*]*/.exec(cell)?.[0].length ?? 0;
  let close = cell.length;
  while (close > open && /[\s"'`*]/.test(cell.charAt(close - 1))) close -= 1;
  return { value: cell.slice(open, close), start: at + open };
}

function endOfCell(line: string, at: number, separator: string): number {
  const closing = line[at] === '"' ? line.indexOf(`"${separator}`, at + 1) : -1;
  const end = closing >= 0 ? closing + 1 : line.indexOf(separator, at);
  return line[at] === '"' && closing < 0 && line.trimEnd().endsWith('"') ? line.length : end < 0 ? line.length : end;
}
