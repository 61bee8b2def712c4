import { parseJson } from '../parseJson.js';

/** A longer line is counted and skipped: the longest that programs write are outputs of tools, of which nothing is kept. */
export const longestLineBytes = 16 * 1024 * 1024;

/** A file that is one JSON value must be held whole, with its value beside it: a longer one is left out and named. */
export const longestWholeBytes = 64 * 1024 * 1024;

/** A line of a file without its end, or a whole file; of one that is too long nothing is kept. */
export type Line = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'too-long' };

/** The lines of bytes that come in pieces; `most` in bytes. At no time more than one line is held. */
export async function* linesOf(pieces: AsyncIterable<Uint8Array>, most = longestLineBytes): AsyncGenerator<Line> {
  const pending = new Pending(most);
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

/** All of it as one text, for files that are one JSON value; `most` in bytes. */
export async function wholeOf(pieces: AsyncIterable<Uint8Array>, most = longestWholeBytes): Promise<Line> {
  const pending = new Pending(most);
  for await (const piece of pieces) pending.add(piece);
  return pending.end(new Uint8Array());
}

/** One buffer for all lines: a new one for each would be hundreds of megabytes that wait to be collected. */
class Pending {
  readonly #most: number;
  #buffer = Buffer.alloc(64 * 1024);
  #size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  /** Of what is too long only the length is counted. */
  add(piece: Uint8Array): void {
    const size = this.#size + piece.length;
    if (size <= this.#most) {
      if (size > this.#buffer.length) this.#grow(size);
      this.#buffer.set(piece, this.#size);
    }
    this.#size = size;
  }

  end(last: Uint8Array): Line {
    if (this.#size === 0 && last.length <= this.#most) return { kind: 'text', text: utf8.decode(last) };
    this.add(last);
    const size = this.#size;
    this.#size = 0;
    if (size > this.#most) return { kind: 'too-long' };
    return { kind: 'text', text: utf8.decode(this.#buffer.subarray(0, size)) };
  }

  #grow(size: number): void {
    const larger = Buffer.alloc(Math.min(this.#most, Math.max(size, this.#buffer.length * 2)));
    larger.set(this.#buffer.subarray(0, this.#size));
    this.#buffer = larger;
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
