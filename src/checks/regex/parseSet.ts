import { readSharedEscape } from './parseEscape.js';
import { PatternError, type Pattern, type SetItem } from './pattern.js';
import type { PatternReader } from './patternReader.js';

/** A set of characters, after its opening bracket. */
export function readSet(reader: PatternReader): Pattern {
  const at = reader.at - 1;
  const negated = reader.eat('^');
  if (reader.sees(']')) {
    throw new PatternError(
      'a set that begins with “]” is text in Python and empty in JavaScript; write “\\]”',
      reader.at,
    );
  }
  const items: SetItem[] = [];
  while (!reader.eat(']')) {
    if (reader.done) throw new PatternError('this “[” is never closed', at);
    if (reader.sees('[:')) throw new PatternError('neither language knows “[:name:]”', reader.at);
    items.push(readItem(reader));
  }
  return { kind: 'set', negated, items };
}

function readItem(reader: PatternReader): SetItem {
  const at = reader.at;
  const from = readMember(reader);
  if (!reader.sees('-') || reader.sees('-]')) return from;
  reader.eat('-');
  const to = readMember(reader);
  if (from.kind !== 'range' || to.kind !== 'range')
    throw new PatternError('a range needs a character at either end', at);
  if (to.from < from.from) throw new PatternError('the ends of the range are out of order', at);
  return { kind: 'range', from: from.from, to: to.from };
}

function readMember(reader: PatternReader): SetItem {
  if (!reader.eat('\\')) {
    const code = reader.next();
    return { kind: 'range', from: code, to: code };
  }
  return reader.eat('b') ? { kind: 'range', from: 0x08, to: 0x08 } : readSharedEscape(reader);
}
