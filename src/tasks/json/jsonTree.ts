import { atOnce, type Steps } from '../steps.js';

/** A JSON value that knows where it stands, so that a problem can be shown on the right line and one value replaced. */
export type JsonNode =
  | { readonly kind: 'object'; readonly start: number; readonly end: number; readonly members: readonly JsonMember[] }
  | { readonly kind: 'array'; readonly start: number; readonly end: number; readonly items: readonly JsonNode[] }
  | { readonly kind: 'scalar'; readonly start: number; readonly end: number; readonly value: JsonScalar };

export interface JsonMember {
  readonly key: string;
  readonly start: number;
  readonly value: JsonNode;
}

export type JsonScalar = string | number | boolean | null;
export type JsonPath = readonly (string | number)[];

/** Text that is not JSON, and where it stops being it. */
export class JsonSyntaxError extends Error {
  readonly offset: number;

  constructor(what: string, offset: number, options?: { readonly cause?: unknown }) {
    super(what, options);
    this.name = 'JsonSyntaxError';
    this.offset = offset;
  }
}

/**
 * Parses strict JSON; a byte order mark is skipped. Throws {@link JsonSyntaxError}, also beyond `most` values: it is they
 * that take the time, not the characters.
 */
export function parseJsonTree(text: string, most = Infinity): JsonNode {
  return atOnce(parsingJsonTree(text, most));
}

/** The same in pieces: a list of thousands of values is read a few at a time. */
export function* parsingJsonTree(text: string, most: number): Steps<JsonNode> {
  const reader: Reader = { text, at: text.startsWith('\uFEFF') ? 1 : 0, depth: 0, left: most };
  const root = yield* readInSteps(reader, listsInPieces);
  skipSpace(reader);
  if (reader.at < text.length) throw new JsonSyntaxError('Nothing may follow the value', reader.at);
  return root;
}

/** The plain value of a node. Of members with the same key the last one counts, as in every JSON parser. */
export function valueOf(node: JsonNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'array') return node.items.map(valueOf);
  const value: Record<string, unknown> = {};
  for (const member of node.members) {
    // Defined, not assigned: a key named __proto__ is a key.
    Object.defineProperty(value, member.key, {
      value: valueOf(member.value),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return value;
}

export function memberOf(node: JsonNode, key: string): JsonMember | undefined {
  return node.kind === 'object' ? node.members.findLast((member) => member.key === key) : undefined;
}

/** The node at a path, or the deepest one on the way to it that exists. */
export function nearestNode(root: JsonNode, path: JsonPath): JsonNode {
  let node = root;
  for (const step of path) {
    const next =
      node.kind === 'array' && typeof step === 'number' ? node.items[step] : memberOf(node, String(step))?.value;
    if (next === undefined) return node;
    node = next;
  }
  return node;
}

interface Reader {
  readonly text: string;
  at: number;
  depth: number;
  left: number;
}

const deepestNesting = 200;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const words: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

function readValue(reader: Reader): JsonNode {
  skipSpace(reader);
  const start = reader.at;
  const character = reader.text[start];
  if (character === undefined) throw new JsonSyntaxError('The text ends where a value should stand', start);
  reader.left -= 1;
  if (reader.left < 0) throw new JsonSyntaxError('Here it holds more values than are read of one file', start);
  if (character === '{') return nested(reader, readObject);
  if (character === '[') return nested(reader, readArray);
  if (character === '"') return { kind: 'scalar', start, value: readString(reader), end: reader.at };
  return { kind: 'scalar', start, value: readWordOrNumber(reader), end: reader.at };
}

const listsInPieces = 2; // the file itself, and the lists in it: a task is read at one go
const valuesInAPiece = 32;

function* readInSteps(reader: Reader, levels: number): Steps<JsonNode> {
  skipSpace(reader);
  const start = reader.at;
  const open = reader.text[start];
  if (levels === 0 || (open !== '{' && open !== '[')) return readValue(reader);
  reader.left -= 1;
  const close = open === '{' ? '}' : ']';
  const members: JsonMember[] = [];
  const items: JsonNode[] = [];
  let count = 0;
  for (let more = beginsList(reader, close); more; more = goesOn(reader, close)) {
    skipSpace(reader);
    if (open === '[') items.push(yield* readInSteps(reader, levels - 1));
    else members.push({ ...readKey(reader), value: yield* readInSteps(reader, levels - 1) });
    count += 1;
    if (count % valuesInAPiece === 0) yield;
  }
  const end = reader.at;
  return open === '[' ? { kind: 'array', start, end, items } : { kind: 'object', start, end, members };
}

function nested(reader: Reader, read: (reader: Reader) => JsonNode): JsonNode {
  if (reader.depth >= deepestNesting) throw new JsonSyntaxError('The values are nested too deeply', reader.at);
  reader.depth += 1;
  const node = read(reader);
  reader.depth -= 1;
  return node;
}

function readObject(reader: Reader): JsonNode {
  const start = reader.at;
  const members: JsonMember[] = [];
  readList(reader, '}', () => members.push({ ...readKey(reader), value: readValue(reader) }));
  return { kind: 'object', start, end: reader.at, members };
}

function readKey(reader: Reader): Pick<JsonMember, 'key' | 'start'> {
  const start = reader.at;
  if (reader.text[start] !== '"') throw new JsonSyntaxError('Expected a name in double quotes', start);
  const key = readString(reader);
  skipSpace(reader);
  if (reader.text[reader.at] !== ':') throw new JsonSyntaxError('Expected “:”', reader.at);
  reader.at += 1;
  return { key, start };
}

function readArray(reader: Reader): JsonNode {
  const start = reader.at;
  const items: JsonNode[] = [];
  readList(reader, ']', () => items.push(readValue(reader)));
  return { kind: 'array', start, end: reader.at, items };
}

function readList(reader: Reader, close: string, readOne: () => void): void {
  for (let more = beginsList(reader, close); more; more = goesOn(reader, close)) {
    skipSpace(reader);
    readOne();
  }
}

/** Steps into a list; false where it is empty, and left again. */
function beginsList(reader: Reader, close: string): boolean {
  reader.at += 1;
  skipSpace(reader);
  if (reader.text[reader.at] !== close) return true;
  reader.at += 1;
  return false;
}

/** Steps over what follows a value; false where that is the end of the list. */
function goesOn(reader: Reader, close: string): boolean {
  skipSpace(reader);
  const character = reader.text[reader.at];
  if (character !== ',' && character !== close) throw new JsonSyntaxError(`Expected “,” or “${close}”`, reader.at);
  reader.at += 1;
  return character === ',';
}

function readString(reader: Reader): string {
  const { text } = reader;
  const start = reader.at;
  let at = start + 1;
  let escaped = false;
  for (; ; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) break;
    if (Number.isNaN(code)) throw new JsonSyntaxError('This text has no closing quote', start);
    if (code < 0x20) throw new JsonSyntaxError('Line breaks and control characters must be escaped in a text', at);
    if (code === 0x5c) {
      escaped = true;
      at += 1;
    }
  }
  reader.at = at + 1;
  return escaped ? unescaped(text.slice(start, at + 1), start) : text.slice(start + 1, at);
}

function unescaped(literal: string, offset: number): string {
  try {
    return String(JSON.parse(literal));
  } catch (error) {
    throw new JsonSyntaxError('This text holds an escape that JSON does not know', offset, { cause: error });
  }
}

function readWordOrNumber(reader: Reader): JsonScalar {
  const start = reader.at;
  number.lastIndex = start;
  const digits = number.exec(reader.text)?.[0];
  if (digits !== undefined) {
    reader.at += digits.length;
    return Number(digits);
  }
  const word = Object.keys(words).find((candidate) => reader.text.startsWith(candidate, start));
  if (word === undefined) throw new JsonSyntaxError('Expected a value', start);
  reader.at += word.length;
  return words[word] ?? null;
}

function skipSpace(reader: Reader): void {
  for (;;) {
    const code = reader.text.charCodeAt(reader.at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
    reader.at += 1;
  }
}
