import { createReadStream } from 'node:fs';
import { entriesOf, linesOf } from '../../../src/harvest/lines.js';
import { readers } from '../../../src/harvest/readers/readers.js';
import type { HarvestSource, Session } from '../../../src/harvest/session.js';
import { readSessionFile } from '../../../src/storage/harvest/readSessions.js';

/** The session that a process of its own is asked to read, and then to say how much memory that took. */
export interface LongSession {
  readonly source: HarvestSource;
  readonly file: string;
}

process.on('message', (order: LongSession) => void report(order));

async function report(order: LongSession): Promise<void> {
  const { exchanges, counts } = await sessionOf(order);
  const peakMegabytes = process.resourceUsage().maxRSS / 1024;
  const lastAsked = exchanges.at(-1)?.asked ?? '';
  process.send?.({ peakMegabytes, exchanges: exchanges.length, lastAsked, counts }, () => process.disconnect());
}

async function sessionOf({ source, file }: LongSession): Promise<Session> {
  const { lines, rows } = readers[source];
  if (lines !== undefined) return fileSession({ source, file });
  if (rows === undefined) throw new Error(source);
  for await (const session of rows.read(rowsOf(file), {})) return session;
  throw new Error('no session');
}

/** As the files of a home are read. */
async function fileSession({ source, file }: LongSession): Promise<Session> {
  const sessions: Session[] = [];
  const asked = { source, form: 'lines', path: file, bytes: 0, modified: 0 } as const;
  const take = async (session: Session): Promise<void> => void sessions.push(session);
  const reading = await readSessionFile(asked, take, new AbortController().signal);
  if (sessions[0] === undefined) throw new Error(reading);
  return sessions[0];
}

/** A row a line; the one that is too long a database would keep. */
async function* rowsOf(file: string): AsyncGenerator<Readonly<Record<string, unknown>>> {
  const counts = { broken: 0, tooLong: 0 };
  for await (const entry of entriesOf(linesOf(createReadStream(file)), counts)) yield { ...entry };
}
