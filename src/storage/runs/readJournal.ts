import { readFile, stat } from 'node:fs/promises';
import * as z from 'zod';
import { unlessMissing } from '../files/fileErrors.js';
import { newerStore } from '../files/sealedFile.js';
import type { StateKey } from '../state/stateKey.js';
import { sealedJson, ordered } from '../files/sealedJson.js';
import { parseJson } from '../../parseJson.js';

/** The first event of every journal. */
const journalHeader = z.object({
  format: z.literal('whetstone-journal'),
  version: z.number().int(),
  runId: z.string(),
});

/**
 * Raised with new fields. 2: a run's start may list its held-out tasks, which earlier versions would not count. 3, where
 * the run uses a queue: a call may name its worker, which earlier versions would not tell.
 */
export const journalVersions = { plain: 2, workers: 3 } as const;
const newest = journalVersions.workers;

/**
 * A journal as found. Only `verified` may be resumed or folded into a summary. `made-elsewhere` has a line that this
 * user did not write here, and is shown at most as existing.
 */
export type JournalReading =
  | {
      readonly kind: 'verified';
      /** Without the header. */
      readonly lines: readonly JournalLine[];
      /** How far the file is sound; what follows is a torn last line. */
      readonly soundBytes: number;
      readonly torn: boolean;
      readonly lastMac: string;
    }
  | { readonly kind: 'made-elsewhere'; readonly reason: string }
  | { readonly kind: 'missing' };

const mostBytes = 512 * 1024 * 1024; // a string's limit in Node; journals hold hashes and stay far below

/** Reads and verifies a whole journal. Throws `store-newer` where a newer Whetstone began it. */
export async function readJournal(key: StateKey, runId: string, file: string): Promise<JournalReading> {
  const found = await unlessMissing(stat(file));
  if (found === undefined) return { kind: 'missing' };
  if (!found.isFile() || found.size > mostBytes) return { kind: 'made-elsewhere', reason: 'it is not a journal' };
  const bytes = await readFile(file);
  refuseNewer(file, bytes);
  return verify(key, runId, bytes);
}

function verify(key: StateKey, runId: string, bytes: Buffer): JournalReading {
  const lines: JournalLine[] = [];
  let before = chainStart(key, runId);
  let soundBytes = 0;
  while (soundBytes < bytes.length) {
    const end = bytes.indexOf(0x0a, soundBytes);
    const line = end < 0 ? undefined : parseLine(bytes.toString('utf8', soundBytes, end));
    const isLast = end < 0 || end === bytes.length - 1;
    // A cut in the power can leave half a line, or a whole one of zeros; neither was ever promised to anybody.
    if (line === undefined && isLast) break;
    if (line === undefined || line.seq !== lines.length || !continues(key, before, line)) {
      return { kind: 'made-elsewhere', reason: `line ${lines.length + 1} was not written here, or was changed` };
    }
    lines.push(line);
    before = line.mac;
    soundBytes = end + 1;
  }
  const torn = soundBytes < bytes.length;
  return { kind: 'verified', lines: lines.slice(1), soundBytes, torn, lastMac: before };
}

/** Before the MACs: a newer version may chain its lines in another way. */
function refuseNewer(file: string, bytes: Buffer): void {
  const end = bytes.indexOf(0x0a);
  const first = end < 0 ? undefined : parseLine(bytes.toString('utf8', 0, end));
  const header = journalHeader.safeParse(first?.event);
  if (header.success && header.data.version > newest) throw newerStore(file);
}

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
function continues(key: StateKey, before: string, line: JournalLine): boolean {
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
