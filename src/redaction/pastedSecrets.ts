import { isSecret } from './assignedSecrets.js';
import { isDrawn } from './drawnValue.js';
import { findPairedSecrets } from './places/pairedSecrets.js';
import { findToldColumns } from './places/toldColumns.js';
import { isPassword } from './plausibleValue.js';
import { judgeName, type NameFamily } from './names/secretNames.js';
import { findShape, isRealPassword } from './secretShape.js';
import type { Search, SecretShape, Span } from './span.js';
import { bareCell, findInTables, isColumnName, type Cell } from './tableSecrets.js';

/**
 * Secrets in what people paste: tables whose header names them, of text or HTML, fields of forms, pairs of a name and a
 * value, and the files that programs keep accounts in (`.pgpass`, htpasswd, `/etc/shadow`).
 */
export function* findPastedSecrets(text: string): Search {
  const found: Span[] = accountHint.test(text) ? accountShapes.flatMap((shape) => findShape(text, shape)) : [];
  yield;
  if (/<(?:input|t[dh])\b/i.test(text)) found.push(...findShape(text, fieldShape), ...inHtmlTables(text));
  yield;
  found.push(...(yield* findInTables(text)), ...(yield* findToldColumns(text)), ...(yield* findPairedSecrets(text)));
  return found;
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
