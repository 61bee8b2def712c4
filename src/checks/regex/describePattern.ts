import { findAllPatiently } from './boundedTest.js';
import { parsePattern } from './parsePattern.js';
import { PatternError, type Pattern, type Place } from './pattern.js';
import { atomsOf, joined, phraseOf, piecesOf, type Piece } from './patternPieces.js';
import { isPlain, unitOf, type Reading } from './patternUnits.js';
import { translateRegex } from './translateRegex.js';

/** What an expression demands of an answer, without the expression. */
export interface PatternWords {
  readonly words: string;
  /** The texts that the words quote: they are the requirement, and a skill may state them. */
  readonly texts: readonly string[];
}

const longestWords = 400;

/**
 * Puts an expression into plain words: whoever writes what they say writes what the expression finds. Undefined where
 * short words cannot say it: back references, most lookarounds, repeated groups, long ones. The words never hold the
 * source, and an example of them was tried on the expression itself.
 */
export function describePattern(source: string, flags: string): PatternWords | undefined {
  const parsed = parsedOrNot(source);
  if (parsed === undefined) return undefined;
  const all = `${flags}${parsed.flags}`;
  const reading = { anyCase: all.includes('i'), lines: all.includes('m'), dotAll: all.includes('s') };
  const clauses = clausesOf(parsed.pattern, reading);
  if (clauses === undefined || clauses.length === 0 || !isTrue(clauses, source, flags)) return undefined;
  const texts = clauses.flatMap((clause) => clause.texts);
  const words = [...clauses.map(sentenceOf), ...exampleOf(clauses), ...caseOf(texts, reading)].join(' ');
  if (words.length > longestWords || (words.includes(source) && !texts.some((text) => text.includes(source))))
    return undefined;
  return { words, texts };
}

function parsedOrNot(source: string): ReturnType<typeof parsePattern> | undefined {
  try {
    return parsePattern(source);
  } catch (error) {
    if (error instanceof PatternError) return undefined;
    throw error;
  }
}

type End = 'free' | 'text' | 'line';

/** One thing that is demanded: what, and where in the answer. */
interface Clause {
  readonly negative: boolean;
  readonly start: End;
  readonly end: End;
  readonly what: string;
  readonly example: string;
  readonly texts: readonly string[];
  /** True where the words need an example: they name more than texts. */
  readonly isLoose: boolean;
  /** True where it may go over several lines. */
  readonly mayBreak: boolean;
}

/** What the looks at the start demand, and what the rest does. */
function clausesOf(pattern: Pattern, reading: Reading): readonly Clause[] | undefined {
  const atoms = atomsOf(pattern);
  const anchored = startOf(atoms[0], reading) === 'text';
  const from = anchored ? 1 : 0;
  const count = atoms.slice(from).findIndex((atom) => atom.kind !== 'look');
  const looks = atoms.slice(from, count < 0 ? undefined : from + count);
  const rest = atoms.slice(from + looks.length);
  if (looks.length === 0) return some([clauseOf(pattern, reading)]);
  const seen = looks.map((look) => (look.kind === 'look' ? clauseOfLook(look, anchored, reading) : undefined));
  if (isNothing(rest, reading)) return some(seen);
  const sequence: Pattern = { kind: 'sequence', parts: atoms.slice(0, from).concat(rest) };
  return anchored ? some([...seen, clauseOf(sequence, reading)]) : undefined;
}

function some(clauses: readonly (Clause | undefined)[]): readonly Clause[] | undefined {
  const known = clauses.filter((clause) => clause !== undefined);
  return known.length < clauses.length ? undefined : known;
}

function isNothing(atoms: readonly Pattern[], reading: Reading): boolean {
  return atoms.length === 0 || (atoms.length === 1 && atoms.every((atom) => isAnything(atom, reading)));
}

/** True for what finds any text whatever, or none. */
function isAnything(atom: Pattern | undefined, reading: Reading): boolean {
  if (atom?.kind !== 'repeat' || atom.least !== 0 || atom.most !== Infinity) return false;
  return unitOf(atom.parts[0], reading)?.reach === 'anywhere';
}

function clauseOfLook(
  look: Extract<Pattern, { kind: 'look' }>,
  anchored: boolean,
  reading: Reading,
): Clause | undefined {
  const [first, ...rest] = atomsOf(look.parts[0]);
  if (look.behind || first === undefined || (look.negative && !anchored)) return undefined;
  if (isAnything(first, reading)) {
    return turned(clauseOf({ kind: 'sequence', parts: rest }, reading), look.negative);
  }
  if (!anchored) return undefined;
  const start: Pattern = { kind: 'place', place: 'textStart' };
  return turned(clauseOf({ kind: 'sequence', parts: [start, first, ...rest] }, reading), look.negative);
}

/** What stands on one line by our words may go over several by the expression: then not to write it is not enough. */
function turned(clause: Clause | undefined, negative: boolean): Clause | undefined {
  if (clause === undefined || !negative) return clause;
  const isLine = clause.start === 'line' || clause.end === 'line';
  return isLine && clause.mayBreak ? undefined : { ...clause, negative };
}

/** What a pattern without looks demands; every branch of it in the same place. */
function clauseOf(pattern: Pattern, reading: Reading): Clause | undefined {
  const atoms = atomsOf(pattern);
  const [only] = atoms;
  const branches = atoms.length === 1 && only?.kind === 'alternatives' ? only.parts.map(atomsOf) : [atoms];
  const whole = branches.length > 1 ? branchOf(atoms, reading) : undefined;
  if (whole !== undefined) return whole;
  const clauses = branches.map((branch) => branchOf(branch, reading));
  const known = clauses.filter((clause) => clause !== undefined);
  const [first] = known;
  if (first === undefined || known.length < clauses.length || known.length > mostBranches) return undefined;
  if (known.some(({ start, end }) => start !== first.start || end !== first.end)) return undefined;
  return {
    ...first,
    what: known.map(({ what }) => what).join(', or else '),
    texts: known.flatMap(({ texts }) => texts),
    isLoose: known.some(({ isLoose }) => isLoose),
    mayBreak: known.some(({ mayBreak }) => mayBreak),
  };
}

const mostBranches = 6;
const mostPieces = 9;

function branchOf(atoms: readonly Pattern[], reading: Reading): Clause | undefined {
  const [start, end] = [startOf(atoms[0], reading), endOf(atoms.at(-1), reading)];
  const inner = atoms.slice(start === 'free' ? 0 : 1, end === 'free' ? undefined : -1);
  const pieces = piecesOf(demanded(inner, start, end), reading);
  if (pieces === undefined) return undefined;
  const front = trimmed(pieces, start);
  const back = trimmed(front.pieces.toReversed(), end);
  const left = back.pieces.toReversed();
  if (left.length === 0 || left.length > mostPieces || left.every(({ optional }) => optional)) return undefined;
  if (isMixed(front.end, back.end)) return undefined;
  return { negative: false, start: front.end, end: back.end, ...said(left) };
}

/** Without what may be missing at an open end: nobody need be told of it. */
function demanded(atoms: readonly Pattern[], start: End, end: End): readonly Pattern[] {
  const first = start === 'free' ? atoms.findIndex(isNeeded) : 0;
  const last = end === 'free' ? atoms.findLastIndex(isNeeded) : atoms.length - 1;
  return first < 0 ? [] : atoms.slice(first, last + 1);
}

function isNeeded(atom: Pattern): boolean {
  return atom.kind !== 'repeat' || atom.least > 0;
}

function said(pieces: readonly Piece[]): Omit<Clause, 'negative' | 'start' | 'end'> {
  const { example, texts } = joined(pieces);
  return {
    what: phraseOf(pieces),
    example,
    texts,
    isLoose: pieces.some((piece) => piece.texts.length === 0),
    mayBreak: pieces.some(({ mayBreak }) => mayBreak),
  };
}

function isMixed(start: End, end: End): boolean {
  return start !== 'free' && end !== 'free' && start !== end;
}

/** Without what demands nothing at an end of the pattern: parts that may be missing where anything may stand. */
function trimmed(pieces: readonly Piece[], end: End): { readonly pieces: readonly Piece[]; readonly end: End } {
  const [first, ...rest] = pieces;
  if (first === undefined) return { pieces, end };
  if (end === 'free') return first.optional ? trimmed(rest, end) : { pieces, end };
  const opens = first.reach === 'anywhere' || (first.reach === 'line' && end === 'line');
  return opens ? trimmed(rest, 'free') : { pieces, end };
}

function startOf(atom: Pattern | undefined, { lines }: Reading): End {
  return endAt(atom, { start: lines ? 'line' : 'text', textStart: 'text' });
}

function endOf(atom: Pattern | undefined, { lines }: Reading): End {
  return endAt(atom, { end: lines ? 'line' : 'text', textEnd: 'text' });
}

function endAt(atom: Pattern | undefined, places: Partial<Readonly<Record<Place, End>>>): End {
  return atom?.kind === 'place' ? (places[atom.place] ?? 'free') : 'free';
}

/** The expression says of each example what the words say of it. */
function isTrue(clauses: readonly Clause[], source: string, flags: string): boolean {
  const translation = translateRegex(source, flags);
  if (translation.kind === 'refused') return false;
  const wanted = clauses.filter(({ negative }) => !negative).map(({ example }) => example);
  const refused = clauses.filter(({ negative }) => negative).map(({ example }) => example);
  const wantedText = wanted.join('\n');
  if (![...wanted, ...refused].every((text) => isPlain(text.replaceAll(/[\n\t]/g, ' ')))) return false;
  if (findAllPatiently(translation.regex, [wantedText]) !== true) return false;
  return refused.every((text) => findAllPatiently(translation.regex, [text]) === false);
}

function sentenceOf({ negative, start, end, what }: Clause): string {
  const isLine = start === 'line' || end === 'line';
  const where =
    start !== 'free' && end !== 'free' ? 'whole' : start === 'free' ? (end === 'free' ? 'in' : 'end') : 'start';
  if (isLine) return (negative ? noLine : aLine)[where](what);
  return (negative ? notTheAnswer : theAnswer)[where](what);
}

type Frames = Readonly<Record<'in' | 'start' | 'end' | 'whole', (what: string) => string>>;

const theAnswer: Frames = {
  in: (what) => `The answer contains ${what}.`,
  start: (what) => `The answer starts with ${what}.`,
  end: (what) => `The answer ends with ${what}.`,
  whole: (what) => `The answer is ${what} and nothing else.`,
};
const notTheAnswer: Frames = {
  in: (what) => `The answer does not contain ${what}.`,
  start: (what) => `The answer does not start with ${what}.`,
  end: (what) => `The answer does not end with ${what}.`,
  whole: (what) => `The answer is not just ${what}.`,
};
const aLine: Frames = {
  in: theAnswer.in,
  start: (what) => `A line of the answer starts with ${what}.`,
  end: (what) => `A line of the answer ends with ${what}.`,
  whole: (what) => `A line of the answer is ${what} and nothing else.`,
};
const noLine: Frames = {
  in: notTheAnswer.in,
  start: (what) => `No line of the answer starts with ${what}.`,
  end: (what) => `No line of the answer ends with ${what}.`,
  whole: (what) => `No line of the answer is just ${what}.`,
};

function exampleOf(clauses: readonly Clause[]): readonly string[] {
  return clauses.flatMap(({ negative, isLoose, example }) =>
    negative || !isLoose || example.includes('\n') ? [] : [`For example: “${example.trim()}”.`],
  );
}

function caseOf(texts: readonly string[], { anyCase }: Reading): readonly string[] {
  if (texts.every((text) => text.toLowerCase() === text.toUpperCase())) return [];
  return [anyCase ? 'Capital and small letters count the same.' : 'Capital and small letters count as written.'];
}
