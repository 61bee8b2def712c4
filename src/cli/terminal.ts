import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { Readable } from 'node:stream';
import { randomBytes } from 'node:crypto';
import { UserError } from '../errors.js';
import { replaceInvisible, visibleText } from '../wording/shownText.js';

/**
 * Where a command writes: the one door to the screen. Whatever is said goes through it, so that no text of a model, a file or
 * a server can move the cursor, clear the screen, turn the reading direction or hide: such characters are written out, as
 * `‹U+001B›`.
 */
export interface Terminal {
  /** A live line can be drawn over: only where a person watches. */
  readonly live: boolean;
  readonly columns: number;
  /** Colours text where the terminal shows colours, and leaves it alone otherwise. */
  readonly paint: Paint;
  out(text: string): void;
  err(text: string): void;
  /** One JSON value for a program: the value as it is, with what nobody would see as JSON's own escapes. */
  json(value: unknown): void;
  /** Draws the live line over, with nothing where no text is given. */
  line(text: string): void;
  /** Asks the person for a line; undefined where nobody is there to answer. */
  readonly ask: ((question: string, signal: AbortSignal) => Promise<string>) | undefined;
  /** The same for one key, which needs no Enter. */
  readonly askKey: ((question: string, signal: AbortSignal) => Promise<string>) | undefined;
}

/** What a terminal is made of. */
export interface Screen {
  readonly color: boolean;
  readonly live: boolean;
  readonly columns: number;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Reads a line from a person who sees the screen; undefined where nobody does. */
  readonly readLine?: ((signal: AbortSignal) => Promise<string>) | undefined;
  /** Reads one key of theirs. */
  readonly readKey?: ((signal: AbortSignal) => Promise<string>) | undefined;
}

const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

export type Paint = (style: keyof typeof codes, text: string) => string;

const escape = '\u001b';

/** Opens the door to a screen. Our own colours are marked with a word that nobody else knows: only they come through. */
export function openTerminal({ color, live, columns, out, err, readLine, readKey }: Screen): Terminal {
  const word = randomBytes(8).toString('hex');
  const sanitize = (text: string): string => sanitizeForTerminal(text, word);
  const asking = (read: Screen['readLine']): Terminal['ask'] =>
    read === undefined
      ? undefined
      : (question, signal) => {
          err(sanitize(question));
          return read(signal);
        };
  return {
    live,
    columns,
    paint: (style, text) => {
      const [on, off] = codes[style].map((code) => `${escape}${word}[${code}m`);
      return color ? `${on}${text}${off}` : text;
    },
    out: (text) => out(sanitize(text)),
    err: (text) => err(sanitize(text)),
    json: (value) => out(`${jsonText(value)}\n`),
    line: (text) => err(`\r${escape}[2K${sanitize(oneLine(text)).slice(0, columns - 1)}`),
    ask: asking(readLine),
    askKey: asking(readKey),
  };
}

/** A name or a reason that stands in a line of ours: it begins no line of its own. */
export function oneLine(text: string): string {
  return text.replaceAll(/(?:\r\n|[\n\t ])+/g, ' ').replaceAll(/^ | $/g, '');
}

function sanitizeForTerminal(text: string, word: string): string {
  const colour = new RegExp(`${escape}${word}\\[(\\d+)m`);
  return text
    .split(colour)
    .map((part, index) => (index % 2 === 1 ? `${escape}[${part}m` : visibleText(part, Infinity)))
    .join('');
}

export function jsonText(value: unknown): string {
  return replaceInvisible(JSON.stringify(value, undefined, 2), ({ character }) =>
    character.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

/** A table of the most tasks with the most passes that are decided is smaller; whoever gives more gave the wrong thing. */
export const mostGivenBytes = 32 * 1024 * 1024;

/** The text that a program or a person gives on standard input. What is too long is not read to its end. */
export async function givenText(parts: AsyncIterable<Uint8Array | string>): Promise<string> {
  const read: Buffer[] = [];
  let bytes = 0;
  for await (const part of parts) {
    const piece = Buffer.from(part);
    bytes += piece.length;
    if (bytes > mostGivenBytes)
      throw new UserError('usage', 'There is more than 32 MB on standard input.', 'Give less: a sample will do.');
    read.push(piece);
  }
  return Buffer.concat(read).toString('utf8');
}

/** The next line of an input. One that ends without a line (Ctrl+D) answers nothing, which is the usual answer. */
export async function lineFrom(input: Readable, signal: AbortSignal): Promise<string> {
  if (input.readableEnded) return '';
  const lines = createInterface({ input });
  try {
    const ended = once(lines, 'close').then(() => '');
    return await Promise.race([lines.question('', { signal }), ended]);
  } finally {
    lines.close();
  }
}
