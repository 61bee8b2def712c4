import { isNamed, isNotation } from '../notation.js';
import { caseless, findingIn } from '../names/caselessPattern.js';
import { isLikelyPassword, isSpokenPassword } from '../plausibleValue.js';
import type { Search, Span } from '../span.js';
import { cellsOf, type Cell, type Separator } from '../tableSecrets.js';

/**
 * Secrets in rows without a header, of which a sentence tells the column: “The last column is the password.” The rows may
 * stand above the sentence or below it.
 */
export function* findToldColumns(text: string): Search {
  const found: Span[] = [];
  let heard = 0;
  for (const { index, 0: sentence, groups = {} } of findingIn(text)(told)) {
    if ((heard += 1) > mostSentences) break;
    yield;
    const place = placeOf(groups['place'] ?? '');
    const end = index + sentence.length;
    const from = Math.max(0, index - farthest);
    const above = linesOf(text.slice(from, text.lastIndexOf('\n', index) + 1), from).toReversed();
    const below = linesOf(text.slice(end, end + farthest), end).slice(1);
    found.push(...[above, below].flatMap((lines) => firstRows(lines).flatMap((row) => cellAt(row, place))));
  }
  return found;
}

const mostSentences = 50; // all rows around each are read
const farthest = 4_000; // characters to each side of the sentence

const told = caseless(
  String.raw`\b(?<place>last|first|second|third|fourth|fifth|letzte|erste|zweite|dritte|vierte|dernière|première|deuxième|troisième|última|primera|segunda|tercera|1st|2nd|3rd|4th|5th)\s{1,3}(?:column|field|value|entry|word|spalte|colonne|columna)\s{1,3}(?:is|are|holds|has|contains|ist|sind|enthält|est|contient|es|contiene)\s{1,3}(?:(?:the|their|its|das|die|le|la|les|las)\s{1,3})?(?:\p{L}{2,20}\s{1,3})?(?:passwords?|passwort|passwörter|kennwort|pwd?|mots? de passe|contraseñas?|secrets?|tokens?|keys?)(?=\s{0,3}(?:[.,:;!)—–\n-]|(?:for|of|in|and|für|pour|de)(?!\p{L})|(?![^])))`,
);

const places = [
  /^(?:first|erste|première|primera|1st)$/i,
  /^(?:second|zweite|deuxième|segunda|2nd)$/i,
  /^(?:third|dritte|troisième|tercera|3rd)$/i,
  /^(?:fourth|vierte|4th)$/i,
  /^(?:fifth|5th)$/i,
];

/** As of `at` of a list: the last one is -1. */
function placeOf(word: string): number {
  return places.findIndex((each) => each.test(word));
}

interface Row {
  readonly separator: Separator;
  readonly cells: readonly Cell[];
}

/** The lines of a text, each with the place where it begins. */
function linesOf(text: string, from: number): readonly (readonly [line: string, start: number])[] {
  return [...text.matchAll(/^.{0,1000}/gm)].map(({ 0: line, index }) => [line, from + index]);
}

/** The first rows that are alike, with nothing but empty lines before them. */
function firstRows(lines: readonly (readonly [line: string, start: number])[]): readonly Row[] {
  const begun = lines.slice(lines.findIndex(([line]) => line.trim() !== ''));
  const rows: Row[] = [];
  for (const [line, start] of begun) {
    const row = rowOf(line, start);
    if (row === undefined || (rows[0] !== undefined && !isAlike(rows[0], row))) break;
    rows.push(row);
  }
  return rows;
}

const separators: readonly Separator[] = ['|', '\t', ';', ',', 'spaces', 'space'];
const mostWords = 6; // of a row that single spaces part, which reads like a sentence

function rowOf(line: string, start: number): Row | undefined {
  const separator = separators.find((each) => isSeparatedBy(line.trim(), each));
  if (separator === undefined) return undefined;
  const cells = cellsOf(line.trimEnd(), separator).map((cell) => ({ ...cell, start: start + cell.start }));
  return cells.length < 2 || (separator === 'space' && cells.length > mostWords) ? undefined : { separator, cells };
}

function isAlike(one: Row, other: Row): boolean {
  return one.separator === other.separator && one.cells.length === other.cells.length;
}

function isSeparatedBy(line: string, separator: Separator): boolean {
  if (separator === 'spaces') return / {2}/.test(line);
  return line.includes(separator === 'space' ? ' ' : separator);
}

function cellAt({ separator, cells }: Row, place: number): readonly Span[] {
  const { value, start } = cells.at(place) ?? { value: '', start: 0 };
  return isToldValue(value, separator) ? [{ start, end: start + value.length, kind: 'table-secret' }] : [];
}

/** Words stand between commas and spaces, too. */
function isToldValue(value: string, separator: Separator): boolean {
  if (isNamed(value) || isNotation(value)) return false;
  return separator === 'space' || separator === ',' ? isSpokenPassword(value) : isLikelyPassword(value);
}
