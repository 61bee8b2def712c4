import { PatternError, type ClassName, type Pattern, type Place, type SetItem } from './pattern.js';
import type { PatternReader } from './patternReader.js';

const places: Readonly<Record<string, Place>> = {
  A: 'textStart',
  Z: 'textEnd',
  z: 'textEnd',
  b: 'wordEdge',
  B: 'notWordEdge',
};
const controls: Readonly<Record<string, number>> = { n: 0x0a, r: 0x0d, t: 0x09, f: 0x0c, v: 0x0b, a: 0x07 };

/** What follows a backslash outside a set. */
export function readEscape(reader: PatternReader): Pattern {
  const at = reader.at;
  const place = reader.take(/[AZzbB]/y)?.[0];
  if (place !== undefined) return { kind: 'place', place: places[place] ?? 'start' };
  const name = reader.take(/k<(\w+)>/y)?.[1];
  if (name !== undefined) return { kind: 'reference', to: reader.groupNamed(name, at) };
  const number = reader.take(/[1-9]\d?/y)?.[0];
  if (number !== undefined) return { kind: 'reference', to: reader.groupNumbered(Number(number), at) };
  const item = readSharedEscape(reader);
  return item.kind === 'range'
    ? { kind: 'character', code: item.from }
    : { kind: 'set', negated: false, items: [item] };
}

/** What follows a backslash and means the same inside a set and outside. */
export function readSharedEscape(reader: PatternReader): SetItem {
  const at = reader.at;
  const name = reader.take(/[dDwWsS]/y)?.[0];
  if (isClassName(name)) return { kind: 'class', name };
  const property = reader.take(/[pP]\{[A-Za-z_=0-9]+\}/y)?.[0];
  if (property !== undefined) return { kind: 'property', text: `\\${property}` };
  const code = readCode(reader);
  if (code !== undefined) return one(code);
  if (/^[0-9A-Za-z]/.test(reader.rest(1))) {
    throw new PatternError(`“\\${reader.rest(1)}” does not mean the same in Python and JavaScript`, at - 1);
  }
  return one(reader.next());
}

function one(code: number): SetItem {
  return { kind: 'range', from: code, to: code };
}

function readCode(reader: PatternReader): number | undefined {
  const at = reader.at;
  const control = reader.take(/[nrtfva]/y)?.[0] ?? reader.take(/0(?![0-9])/y)?.[0];
  if (control !== undefined) return controls[control] ?? 0;
  for (const spelling of hexadecimal) {
    const digits = reader.take(spelling)?.[1];
    if (digits === undefined) continue;
    const code = Number.parseInt(digits, 16);
    if (code > 0x10ffff) throw new PatternError('there is no such character', at);
    return code;
  }
  return undefined;
}

const hexadecimal = [/x([0-9a-fA-F]{2})/y, /u([0-9a-fA-F]{4})/y, /u\{([0-9a-fA-F]{1,6})\}/y, /U([0-9a-fA-F]{8})/y];

function isClassName(text: string | undefined): text is ClassName {
  return text !== undefined && 'dDwWsS'.includes(text);
}
