import * as z from 'zod';
import { ordered, sealedJson } from '../files/sealedJson.js';
import { parseJson } from '../../parseJson.js';
import type { StateKey } from '../state/stateKey.js';

/** One line of a journal as it was written. */
export interface JournalLine {
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly event: unknown;
  readonly mac: string;
}

const lineSchema = z.object({ seq: z.number().int(), at: z.number(), event: z.unknown(), mac: z.string() });

/** Where a chain starts: bound to its run, so that a journal copied to another run does not verify. */
export function chainStart(key: StateKey, runId: string): string {
  return key.mac(sealedJson(['whetstone-journal', runId]));
}

/** The next line, bound by its MAC to all lines before it: none can be changed, left out or put elsewhere. */
export function nextLine(key: StateKey, before: string, line: Omit<JournalLine, 'mac'>): JournalLine {
  // What is written must read back as what was signed, whatever objects the event is made of.
  const plain = { ...line, event: ordered(line.event) };
  // In order already: what `chained` would give, without going through the event a second time.
  return { ...plain, mac: key.mac(JSON.stringify([before, plain.seq, plain.at, plain.event])) };
}

/** Whether this user wrote the line here, directly after the one whose MAC is `before`. */
export function continues(key: StateKey, before: string, line: JournalLine): boolean {
  return key.verifies(chained(before, line), line.mac);
}

/** The form of a line alone; whether it is genuine is for `continues` to say. */
export function parseLine(text: string): JournalLine | undefined {
  const parsed = lineSchema.safeParse(parseJson(text));
  return parsed.success ? { ...parsed.data, event: parsed.data.event } : undefined;
}

function chained(before: string, { seq, at, event }: Omit<JournalLine, 'mac'>): string {
  return sealedJson([before, seq, at, event]);
}
