import { parseJson } from '../../parseJson.js';
import { at, textAt, timeAt } from '../fields.js';
import { longestLineBytes } from '../lines.js';
import { ownName } from '../ownCalls.js';
import type { Author, Session, SessionPlace } from '../session.js';
import { SessionDraft } from '../sessionDraft.js';

/**
 * OpenCode: one SQLite database for all sessions. This is what is asked of a copy of it, row by row: a part of a message in
 * each, the session that was written to last before the others, and each in the order of its conversation. What is too long, or of another type than it should be, stays in the database.
 */
export const opencodeQuery = `
  SELECT s.id AS session, CASE WHEN s.parent_id IS NOT NULL THEN 1 END AS parent, ${short('s.directory')} AS directory,
    ${short('s.title')} AS title, ${short('s.agent')} AS agent, ${short(idIn('s.revert'))} AS undone,
    CAST(s.time_created AS REAL) AS started, CAST(s.time_updated AS REAL) AS ended,
    m.id AS message, CAST(m.time_created AS REAL) AS created,
    ${textOf('m.data', longestLineBytes)} AS said, ${textOf('p.data', longestLineBytes)} AS part, ${short('p.id')} AS part_id
  FROM session s INDEXED BY whetstone_session
    CROSS JOIN message m INDEXED BY whetstone_message ON m.session_id = s.id
    LEFT JOIN part p INDEXED BY whetstone_part ON p.message_id = m.id
  WHERE ${short('s.id')} IS NOT NULL AND ${short('m.id')} IS NOT NULL
  ORDER BY s.time_updated DESC, s.id DESC, m.time_created, m.id, p.id`;

/** Ours, on the copy: whatever the database says of itself, no row is looked for among all, and none waits to be sorted. */
export const opencodeIndexes = `
  CREATE INDEX whetstone_session ON session (time_updated, id);
  CREATE INDEX whetstone_message ON message (session_id, time_created, id);
  CREATE INDEX whetstone_part ON part (message_id, id);`;

function textOf(column: string, most: number): string {
  return `CASE WHEN typeof(${column}) = 'text' AND length(${column}) <= ${most} THEN ${column} END`;
}

function short(column: string): string {
  return textOf(column, 4_096);
}

/** The message from which on was taken back; beside its id stands a diff of any length. */
function idIn(column: string): string {
  const text = textOf(column, longestLineBytes);
  return `(CASE WHEN json_valid(${text}) THEN json_extract(${column}, '$.messageID') END)`;
}

export const opencodeTables = ['session', 'message', 'part'];

/** A row of that, as SQLite gives it. */
export type OpencodeRow = Readonly<Record<string, unknown>>;

export async function* readOpencode(rows: AsyncIterable<OpencodeRow>, place: SessionPlace): AsyncGenerator<Session> {
  let reading: OpencodeReading | undefined;
  for await (const row of rows) {
    const id = textAt(row, 'session') ?? '';
    if (reading?.id !== id) {
      if (reading !== undefined) yield reading.finish();
      reading = new OpencodeReading(id, row, place);
    }
    reading.take(row);
  }
  if (reading !== undefined) yield reading.finish();
}

class OpencodeReading {
  readonly id: string;
  readonly draft: SessionDraft;
  readonly #undoneFrom: string | undefined;
  #message = '';
  #role = '';
  #time: number | undefined;
  /** The texts of the message at hand: a person's may come in several parts. */
  #texts: string[] = [];
  #prompts = { all: 0, quoted: 0 };

  constructor(id: string, row: OpencodeRow, place: SessionPlace) {
    this.id = id;
    this.draft = new SessionDraft('opencode', place);
    this.draft.id = id;
    this.draft.folder = textAt(row, 'directory');
    const parent = at(row, 'parent');
    this.draft.isSubAgent ||= parent !== null && parent !== undefined;
    this.draft.isOwn = [textAt(row, 'agent'), textAt(row, 'title')].includes(ownName);
    this.draft.hear(timeAt(row, 'started'));
    this.draft.hear(timeAt(row, 'ended'));
    this.#undoneFrom = textAt(row, 'undone');
  }

  take(row: OpencodeRow): void {
    const message = textAt(row, 'message') ?? '';
    if (message !== this.#message) {
      this.#endMessage();
      this.#beginMessage(message, row);
    }
    // The person took back that message and all after it; their ids rise with time.
    if (this.#undoneFrom !== undefined && message >= this.#undoneFrom) return;
    this.#takePart(row);
  }

  finish(): Session {
    this.#endMessage();
    const session = this.draft.finish();
    // `opencode run` puts its prompt in quotes, and nothing else tells it from a person's.
    const { all, quoted } = this.#prompts;
    if (all === 0 || quoted < all) return session;
    return { ...session, exchanges: session.exchanges.map((each) => ({ ...each, by: 'program' as const })) };
  }

  #beginMessage(message: string, row: OpencodeRow): void {
    const said = parseJson(textAt(row, 'said') ?? '');
    this.#message = message;
    this.#role = at(said, 'summary') === true ? 'summary' : (textAt(said, 'role') ?? '');
    this.#time = timeAt(row, 'created');
    this.draft.stand(textAt(said, 'path', 'cwd'));
    if (said === undefined) this.draft.counts.broken += 1;
    this.draft.isOwn ||= textAt(said, 'agent') === ownName;
  }

  #takePart(row: OpencodeRow): void {
    const part = parseJson(textAt(row, 'part') ?? '');
    const type = textAt(part, 'type') ?? '';
    if (part === undefined) this.#countMissing(row);
    else if (type === 'tool') this.#takeTool(part);
    else if (type === 'text') this.#takeText(part);
    else if (!known.has(type)) this.draft.counts.unknown += 1;
  }

  /** Without an id there is no part; with one, it is too long or broken. */
  #countMissing(row: OpencodeRow): void {
    if (textAt(row, 'part_id') === undefined) return;
    if (textAt(row, 'part') === undefined) this.draft.counts.tooLong += 1;
    else this.draft.counts.broken += 1;
  }

  #takeTool(part: unknown): void {
    if (this.#role !== 'assistant') return;
    this.draft.use(at(part, 'tool'));
    if (at(part, 'tool') === 'skill') this.draft.load(at(part, 'state', 'input', 'name'));
  }

  #takeText(part: unknown): void {
    const text = textAt(part, 'text') ?? '';
    if (at(part, 'synthetic') === true || at(part, 'ignored') === true) return;
    if (this.#role === 'user') this.#texts.push(text);
    else if (this.#role === 'assistant') this.draft.say(text, this.#message);
  }

  #endMessage(): void {
    const text = this.#texts.join('');
    this.#texts = [];
    if (text === '') return;
    const inQuotes = /^"([\s\S]*)"\n?$/u.exec(text)?.[1];
    this.#prompts = { all: this.#prompts.all + 1, quoted: this.#prompts.quoted + (inQuotes === undefined ? 0 : 1) };
    this.draft.stand(this.draft.folder); // where it was asked stands with the answer
    this.draft.ask(inQuotes ?? text, { at: this.#time, by });
  }
}

const by: Author = 'unknown';

const known = new Set(
  'text reasoning tool step-start step-finish patch file snapshot agent subtask retry compaction'.split(' '),
);
