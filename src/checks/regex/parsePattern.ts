import { readEscape } from './parseEscape.js';
import { readSet } from './parseSet.js';
import { optionalGroups, PatternError, references, widthOf, type Pattern } from './pattern.js';
import { PatternReader } from './patternReader.js';

export interface ParsedPattern {
  readonly pattern: Pattern;
  /** Flags that stand in front of the expression, as `(?im)` does in Python. */
  readonly flags: string;
}

/** Parses what means the same in Python and JavaScript, up to spelling. Throws {@link PatternError} for the rest. */
export function parsePattern(source: string): ParsedPattern {
  const reader = new PatternReader(source);
  const flags = reader.take(/\(\?([a-zA-Z]+)\)/y)?.[1] ?? '';
  const pattern = readAlternatives(reader);
  if (!reader.done) throw new PatternError('“)” closes nothing', reader.at);
  const unsure = new Set(optionalGroups(pattern));
  const doubtful = references(pattern).find((to) => unsure.has(to));
  if (doubtful !== undefined) {
    throw new PatternError(
      `a reference to group ${doubtful}, which may take no part, fails in Python and matches nothing in JavaScript`,
      0,
    );
  }
  return { pattern, flags };
}

function readAlternatives(reader: PatternReader): Pattern {
  const options = [readSequence(reader)];
  while (reader.eat('|')) options.push(readSequence(reader));
  return options.length === 1 && options[0] !== undefined ? options[0] : { kind: 'alternatives', parts: options };
}

function readSequence(reader: PatternReader): Pattern {
  const items: Pattern[] = [];
  while (!reader.done && !reader.sees('|') && !reader.sees(')')) {
    const atom = readAtom(reader);
    if (atom !== undefined) items.push(readQuantifier(reader, atom));
  }
  return items.length === 1 && items[0] !== undefined ? items[0] : { kind: 'sequence', parts: items };
}

function readAtom(reader: PatternReader): Pattern | undefined {
  if (reader.sees('(')) return readGroup(reader);
  if (reader.eat('[')) return readSet(reader);
  if (reader.eat('\\')) return readEscape(reader);
  if (reader.eat('.')) return { kind: 'any' };
  if (reader.eat('^')) return { kind: 'place', place: 'start' };
  if (reader.eat('$')) return { kind: 'place', place: 'end' };
  if (quantifier.test(reader.rest(1)) || reader.take(counted) !== undefined) {
    throw new PatternError('there is nothing to repeat', reader.at);
  }
  return { kind: 'character', code: reader.next() };
}

const quantifier = /^[*+?]/;
const counted = /\{(\d+)(?:(,)(\d*))?\}/y;

function readQuantifier(reader: PatternReader, body: Pattern): Pattern {
  const at = reader.at;
  const bounds = readBounds(reader);
  if (bounds === undefined) return body;
  if (body.kind === 'place' || body.kind === 'look') throw new PatternError('a position cannot be repeated', at);
  if (bounds.most < bounds.least) throw new PatternError('the bounds of the repetition are out of order', at);
  const lazy = reader.eat('?');
  if (reader.sees('+')) throw new PatternError('JavaScript knows no possessive repetition', reader.at);
  if (quantifier.test(reader.rest(1)) || reader.take(counted) !== undefined) {
    throw new PatternError('a repetition cannot be repeated', reader.at);
  }
  return { kind: 'repeat', parts: [body], ...bounds, lazy };
}

function readBounds(reader: PatternReader): { readonly least: number; readonly most: number } | undefined {
  if (reader.eat('*')) return { least: 0, most: Infinity };
  if (reader.eat('+')) return { least: 1, most: Infinity };
  if (reader.eat('?')) return { least: 0, most: 1 };
  if (/^\{,\d+\}/.test(reader.rest(12))) {
    throw new PatternError('“{,n}” repeats in Python and is plain text in JavaScript; write “{0,n}”', reader.at);
  }
  const [, least, comma, most] = reader.take(counted) ?? [];
  if (least === undefined) return undefined;
  if (comma === undefined) return { least: Number(least), most: Number(least) };
  return { least: Number(least), most: most === undefined || most === '' ? Infinity : Number(most) };
}

function readGroup(reader: PatternReader): Pattern | undefined {
  const at = reader.at;
  reader.eat('(');
  if (reader.take(/\?#[^)]*\)/y) !== undefined) return undefined;
  const reference = reader.take(/\?P=(\w+)\)/y)?.[1];
  if (reference !== undefined) return { kind: 'reference', to: reader.groupNamed(reference, at) };
  const look = reader.take(/\?(<?)([=!])/y);
  if (look !== undefined) return readLook(reader, { at, behind: look[1] === '<', negative: look[2] === '!' });
  if (reader.take(/\?:/y) !== undefined) return readBody(reader, at, undefined);
  const name = reader.take(/\?P?<([A-Za-z_]\w*)>/y)?.[1];
  if (name === undefined && reader.sees('?')) throw new PatternError(refusal(reader.rest(3)), at);
  const number = reader.openGroup();
  const group = readBody(reader, at, number);
  reader.closeGroup(number, name);
  return group;
}

function readBody(reader: PatternReader, at: number, number: number | undefined): Pattern {
  const body = reader.deeper(() => readAlternatives(reader));
  if (!reader.eat(')')) throw new PatternError('this “(” is never closed', at);
  return { kind: 'group', number, parts: [body] };
}

function readLook(
  reader: PatternReader,
  { at, behind, negative }: { readonly at: number; readonly behind: boolean; readonly negative: boolean },
): Pattern {
  const body = reader.deeper(() => readAlternatives(reader));
  if (!reader.eat(')')) throw new PatternError('this “(” is never closed', at);
  if (behind && widthOf(body) === undefined) {
    throw new PatternError('Python looks behind only for a fixed number of characters', at);
  }
  return { kind: 'look', behind, negative, parts: [body] };
}

function refusal(opening: string): string {
  if (opening.startsWith('?>')) return 'JavaScript knows no atomic groups';
  if (opening.startsWith('?(')) return 'JavaScript knows no conditional groups';
  if (/^\?[a-zA-Z-]/.test(opening)) return 'flags must stand in front of the whole expression';
  return `“(${opening}” does not open a group that both languages know`;
}
