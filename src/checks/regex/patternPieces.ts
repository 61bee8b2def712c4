import type { Pattern } from './pattern.js';
import { literalFrom } from './patternTexts.js';
import { orJoined, quoted, unitOf, type Reading, type Unit } from './patternUnits.js';

/** A part of what a pattern demands, in words; the parts follow one another with nothing in between. */
export interface Piece {
  readonly words: string;
  /** A text that it allows. */
  readonly example: string;
  /** True where it may be missing. */
  readonly optional: boolean;
  /** Set where it allows any text: on one line, or over all of them. */
  readonly reach?: 'anywhere' | 'line';
  readonly startsWord: boolean;
  readonly endsWord: boolean;
  readonly mayBreak: boolean;
  /** The texts that it quotes. */
  readonly texts: readonly string[];
}

/** The parts of a sequence; undefined where one of them cannot be put into words. */
export function piecesOf(atoms: readonly Pattern[], reading: Reading, depth = 0): readonly Piece[] | undefined {
  const pieces: (Piece | 'edge')[] = [];
  for (let at = 0; at < atoms.length;) {
    const { texts, next } = literalFrom(atoms, at, reading);
    const piece = texts === undefined ? pieceOf(atoms[at], reading, depth) : choice(texts);
    if (piece === undefined) return undefined;
    pieces.push(piece);
    at = texts === undefined ? at + 1 : next;
  }
  return withEdges(pieces);
}

/** The parts of a pattern, groups dissolved. */
export function atomsOf(pattern: Pattern): readonly Pattern[] {
  if (pattern.kind === 'group') return atomsOf(pattern.parts[0]);
  return pattern.kind === 'sequence' ? pattern.parts.flatMap(atomsOf) : [pattern];
}

/** One of several texts; an empty one among them makes it optional. */
function choice(all: readonly string[]): Piece {
  const texts = all.filter((text) => text !== '');
  const optional = texts.length < all.length;
  const named = orJoined(texts.map((text) => quoted(text) ?? ''));
  return {
    words: optional ? `optionally ${named}` : named,
    example: texts[0] ?? '',
    optional,
    startsWord: !optional && texts.every((text) => /^[\p{L}\p{N}_]/u.test(text)),
    endsWord: !optional && texts.every((text) => /[\p{L}\p{N}_]$/u.test(text)),
    mayBreak: false,
    texts,
  };
}

function pieceOf(atom: Pattern | undefined, reading: Reading, depth: number): Piece | 'edge' | undefined {
  switch (atom?.kind) {
    case 'place':
      return atom.place === 'wordEdge' ? 'edge' : undefined;
    case 'alternatives':
      return depth > 0 ? undefined : eitherOf(atom.parts, reading);
    case 'repeat':
      return repeated(atom, reading, depth);
    case 'any':
    case 'character':
    case 'set':
      return unitPiece(atom, { least: 1, most: 1 }, reading);
    case 'group':
    case 'look':
    case 'reference':
    case 'sequence':
    case undefined:
      return undefined;
  }
}

/** A run of characters of one kind, or a part that may be missing; what repeats more than that has no short words. */
function repeated(atom: Extract<Pattern, { kind: 'repeat' }>, reading: Reading, depth: number): Piece | undefined {
  const [body, ...more] = atomsOf(atom.parts[0]);
  if (body !== undefined && more.length === 0 && unitOf(body, reading) !== undefined)
    return unitPiece(body, atom, reading);
  return atom.least === 0 && atom.most === 1 && depth === 0 ? optionally(atom.parts[0], reading) : undefined;
}

/** A part that may be missing. */
function optionally(body: Pattern, reading: Reading): Piece | undefined {
  const pieces = piecesOf(atomsOf(body), reading, 1);
  if (pieces === undefined || pieces.length === 0) return undefined;
  return {
    ...joined(pieces),
    words: `optionally ${phraseOf(pieces)}`,
    optional: true,
    startsWord: false,
    endsWord: false,
  };
}

const mostBranches = 4;

function eitherOf(branches: readonly Pattern[], reading: Reading): Piece | undefined {
  const parts = branches.map((branch) => piecesOf(atomsOf(branch), reading, 1));
  const known = parts.filter((part) => part !== undefined && part.length > 0).map((part) => part ?? []);
  if (known.length < parts.length || known.length > mostBranches) return undefined;
  const all = known.map(joined);
  const [first] = all;
  if (first === undefined) return undefined;
  return {
    words: `either ${known.map(phraseOf).join(' or else ')}`,
    example: first.example,
    optional: all.some(({ optional }) => optional),
    startsWord: all.every(({ startsWord }) => startsWord),
    endsWord: all.every(({ endsWord }) => endsWord),
    mayBreak: all.some(({ mayBreak }) => mayBreak),
    texts: all.flatMap(({ texts }) => texts),
  };
}

/** Several parts as one. */
export function joined(pieces: readonly Piece[]): Piece {
  return {
    words: phraseOf(pieces),
    example: pieces.map(({ example }) => example).join(''),
    optional: pieces.every(({ optional }) => optional),
    startsWord: pieces[0]?.startsWord ?? false,
    endsWord: pieces.at(-1)?.endsWord ?? false,
    mayBreak: pieces.some(({ mayBreak }) => mayBreak),
    texts: pieces.flatMap(({ texts }) => texts),
  };
}

/** The parts in words, as they follow one another. */
export function phraseOf(pieces: readonly Piece[]): string {
  return pieces.map(({ words }) => words).join(', directly followed by ');
}

interface Bounds {
  readonly least: number;
  readonly most: number;
}

const mostCounted = 200; // characters of an example

function unitPiece(atom: Pattern, bounds: Bounds, reading: Reading): Piece | undefined {
  const unit = unitOf(atom, reading);
  const { least, most } = bounds;
  if (unit === undefined || least > mostCounted || most === 0) return undefined;
  const isWord = least > 0 && unit.isWord;
  return {
    words: countedWords(unit, bounds),
    example: exampleOf(unit, bounds),
    optional: least === 0,
    ...(least === 0 && most === Infinity && unit.reach !== 'some' ? { reach: unit.reach } : {}),
    startsWord: isWord,
    endsWord: isWord,
    mayBreak: unit.mayBreak,
    texts: [],
  };
}

/** As short as it may be, and with a space where any text may stand: that is how people write. */
function exampleOf({ sample, isWord, reach }: Unit, { least, most }: Bounds): string {
  if (most === Infinity && reach !== 'some') return least === 0 ? ' ' : sample(Math.max(least, 4));
  if (least > 0 || most < 2 || isWord) return sample(least);
  return sample(1);
}

function countedWords(unit: Unit, { least, most }: Bounds): string {
  const { one, many } = unit;
  if (most === Infinity)
    return (least < 2 ? runWords(unit, least) : undefined) ?? `${leastWords[least] ?? least} or more ${many}`;
  if (most === 1) return least === 1 ? one : `optionally ${one}`;
  if (least === most) return `${least} ${many}`;
  return least === 0 ? `at most ${most} ${many}` : `${least} to ${most} ${many}`;
}

const leastWords: readonly string[] = ['zero', 'one'];

/** What is said of any number of characters that people have a word for. */
function runWords({ many, reach }: Unit, least: number): string | undefined {
  if (many === 'white space characters') return least === 0 ? 'optional white space' : 'white space';
  if (reach === 'some') return undefined;
  const where = reach === 'line' ? ' on the same line' : '';
  return least === 0 ? `any text or none${where}` : `some text${where}`;
}

/** Where a word begins or ends is told by what stands beside it; undefined where that does not tell. */
function withEdges(pieces: readonly (Piece | 'edge')[]): readonly Piece[] | undefined {
  const said: (Piece | undefined)[] = pieces.map((piece, index) => {
    if (piece !== 'edge') return piece;
    const [before, after] = [pieces[index - 1], pieces[index + 1]];
    if (after !== undefined && after !== 'edge' && after.startsWord) return edge('the start of a word');
    return before !== undefined && before !== 'edge' && before.endsWord ? edge('the end of a word') : undefined;
  });
  const known = said.filter((piece) => piece !== undefined);
  return known.length < said.length ? undefined : asWholeWords(known);
}

function edge(words: string): Piece {
  return { words, example: '', optional: false, startsWord: false, endsWord: false, mayBreak: false, texts: [] };
}

/** `the word “x”` for a text between two edges. */
function asWholeWords(pieces: readonly Piece[]): readonly Piece[] {
  const [first, middle, last] = pieces;
  if (pieces.length !== 3 || first === undefined || middle === undefined || last === undefined) return pieces;
  if (first.words !== 'the start of a word' || last.words !== 'the end of a word' || middle.texts.length === 0)
    return pieces;
  const whole = middle.texts.length === 1 ? 'as a whole word' : 'as whole words';
  return [{ ...middle, words: `${middle.words}, ${whole}` }];
}
