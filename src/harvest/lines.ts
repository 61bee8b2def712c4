import { parseJson } from '../parseJson.js';

/** A longer line is counted and skipped: the longest that programs write are outputs of tools, of which nothing is kept. */
export const longestLineBytes = 16 * 1024 * 1024;

/** A file that is one JSON value must be held whole, with its value beside it: a longer one is left out and named. */
export const longestWholeBytes = 64 * 1024 * 1024;

/** A line of a file, without its end; of one that is too long nothing is kept. */
export type Line = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'too-long' };

/** The lines of bytes that come in pieces. At no time more than one line is held. */
export async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const pending = new PendingLine();
  for await (const piece of pieces) {
    let from = 0;
    for (let end = piece.indexOf(lineFeed); end >= 0; end = piece.indexOf(lineFeed, from)) {
      yield pending.end(piece.subarray(from, end));
      from = end + 1;
    }
    pending.add(piece.subarray(from));
  }
  if (!pending.isEmpty) yield pending.end(new Uint8Array());
}

const lineFeed = 10;

class PendingLine {
  #pieces: Uint8Array[] = [];
  #size = 0;

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  /** Keeps a copy: whoever reads a file may use its buffer again. */
  add(piece: Uint8Array): void {
    this.#size += piece.length;
    if (this.#size > longestLineBytes) this.#pieces = [];
    else if (piece.length > 0) this.#pieces.push(Uint8Array.from(piece));
  }

  end(last: Uint8Array): Line {
    const isTooLong = this.#size + last.length > longestLineBytes;
    const pieces = this.#pieces;
    [this.#pieces, this.#size] = [[], 0];
    if (isTooLong) return { kind: 'too-long' };
    return { kind: 'text', text: utf8.decode(pieces.length === 0 ? last : Buffer.concat([...pieces, last])) };
  }
}

const utf8 = new TextDecoder(); // takes a mark of byte order away, and puts a sign in the place of what is no UTF-8

/** What reading a file of JSON lines counts. */
export interface LineCounts {
  broken: number;
  tooLong: number;
}

/** The objects of JSON lines; what is none is counted. */
export async function* entriesOf(lines: AsyncIterable<Line>, counts: LineCounts): AsyncGenerator<object> {
  for await (const line of lines) {
    if (line.kind === 'too-long') counts.tooLong += 1;
    else if (line.text.trim() !== '') {
      const entry = parseJson(line.text);
      if (typeof entry === 'object' && entry !== null && !Array.isArray(entry)) yield entry;
      else counts.broken += 1;
    }
  }
}
