import { parseJson } from '../../parseJson.js';
import { at, listAt, textAt, timeAt } from '../fields.js';
import { entriesOf, type Line } from '../lines.js';
import type { Author, Session, SessionPlace } from '../session.js';
import { dropOldest, longestText, SessionDraft } from '../sessionDraft.js';

/**
 * Gemini CLI: JSON lines that add to a list of messages, replace one of the same id (an answer is written again once its
 * calls are known), set the whole list, or go back to a message. So the list is kept until the end, of each message what a
 * session needs. The folder stands in a file beside it (`.project_root`), and so does who typed (`logs.json`). Older
 * releases left no more of the folder than the hash of its path.
 */
export async function readGeminiCli(lines: AsyncIterable<Line>, place: SessionPlace): Promise<Session> {
  const draft = new SessionDraft('gemini-cli', place);
  const messages = new Messages();
  for await (const entry of entriesOf(lines, draft.counts)) {
    takeHeader(draft, entry, place);
    takeHeader(draft, at(entry, '$set'), place);
    const [rewound, set] = [textAt(entry, '$rewindTo'), at(entry, '$set', 'messages')];
    if (rewound !== undefined) messages.rewindTo(rewound);
    else if (Array.isArray(set)) messages.setAll(set);
    else if (textAt(entry, 'id') !== undefined) messages.put(entry);
    else if (at(entry, '$set') === undefined && at(entry, 'sessionId') === undefined) draft.counts.unknown += 1;
  }
  return messages.tell(draft);
}

/** The one object that older releases wrote. */
export function readGeminiObject(text: string, place: SessionPlace): Session {
  const draft = new SessionDraft('gemini-cli', place);
  const value = parseJson(text);
  if (at(value, 'messages') === undefined) draft.counts.broken += 1;
  const messages = new Messages();
  takeHeader(draft, value, place);
  messages.setAll(listAt(value, 'messages'));
  return messages.tell(draft);
}

/** The sessions that a person typed into, as `logs.json` lists them: where there is none, nobody did. */
export function typedGeminiSessions(logs: string): ReadonlySet<string> {
  const list = parseJson(logs);
  const entries = Array.isArray(list) ? list.filter((each) => at(each, 'type') === 'user') : [];
  return new Set(entries.flatMap((each) => textAt(each, 'sessionId') ?? []));
}

/** The folder that Gemini gave this name, as it lists them (`projects.json`), and all others of that list. */
export function geminiProjects(list: string): ReadonlyMap<string, string> {
  const projects = at(parseJson(list), 'projects');
  if (typeof projects !== 'object' || projects === null) return new Map();
  return new Map(
    Object.entries(projects).flatMap(([folder, name]) => (typeof name === 'string' ? [[name, folder]] : [])),
  );
}

function takeHeader(draft: SessionDraft, header: unknown, { folder, folderOfHash }: SessionPlace): void {
  if (at(header, 'id') !== undefined) return;
  draft.id ??= textAt(header, 'sessionId');
  draft.folder ??= folder ?? folderOfHash?.(textAt(header, 'projectHash') ?? '');
  draft.hear(timeAt(header, 'startTime'));
  const kind = textAt(header, 'kind');
  draft.isSubAgent ||= kind !== undefined && kind !== 'main';
}

interface Message {
  readonly type: string;
  readonly time: number | undefined;
  readonly text: string;
  readonly tools: readonly unknown[];
  readonly skills: readonly unknown[];
}

const mostMessages = 5_000; // the last ones

class Messages {
  #all = new Map<string, Message>();
  #unknown = 0;

  put(told: unknown): void {
    const [id, message] = [textAt(told, 'id'), messageOf(told)];
    const before = id === undefined ? undefined : this.#all.get(id);
    if (id === undefined) this.#unknown += 1;
    else this.#all.set(id, before === undefined ? message : again(message, before));
    if (this.#all.size > mostMessages) dropOldest(this.#all, mostMessages / 2);
  }

  setAll(told: readonly unknown[]): void {
    const before = this.#all;
    this.#all = new Map();
    for (const each of told) {
      const known = before.get(textAt(each, 'id') ?? '');
      if (known === undefined) this.put(each);
      else this.#all.set(textAt(each, 'id') ?? '', known);
    }
  }

  /** That message and all after it are undone; one that is not there stood before all that are. */
  rewindTo(id: string): void {
    const ids = [...this.#all.keys()];
    for (const each of ids.slice(Math.max(0, ids.indexOf(id)))) this.#all.delete(each);
  }

  tell(draft: SessionDraft): Session {
    draft.counts.unknown += this.#unknown;
    for (const { type, time, text, tools, skills } of this.#all.values()) {
      if (!known.has(type)) draft.counts.unknown += 1;
      if (type === 'user' && text !== '' && !text.startsWith('<session_context>')) {
        draft.hear(time);
        draft.ask(text, { at: time, by });
      }
      if (type !== 'gemini') continue;
      draft.hear(time);
      draft.say(text);
      for (const tool of tools) draft.use(tool);
      for (const skill of skills) draft.load(skill);
    }
    return draft.finish();
  }
}

/** The first time that is told is the true one: a resume writes its own to every message, and leaves out the calls. */
function again(message: Message, { time, tools, skills }: Message): Message {
  return message.tools.length > 0 ? { ...message, time } : { ...message, time, tools, skills };
}

const known = new Set(['user', 'gemini', 'info', 'warning', 'error']);
const by: Author = 'unknown';

function messageOf(told: unknown): Message {
  const content = at(told, 'content');
  const calls = [
    ...listAt(told, 'toolCalls'),
    ...(Array.isArray(content) ? content.flatMap((part) => at(part, 'functionCall') ?? []) : []),
  ];
  const loads = calls.filter((call) => at(call, 'name') === 'activate_skill');
  return {
    type: textAt(told, 'type') ?? '',
    time: timeAt(told, 'timestamp'),
    text: kept(withoutFiles(partsText(at(told, 'displayContent')) || partsText(content))),
    tools: calls.map((call) => textAt(call, 'name')?.slice(0, mostOfName)),
    skills: loads.map((call) => textAt(call, 'args', 'name')?.slice(0, mostOfName)),
  };
}

const mostOfName = 200;

function partsText(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content : [content];
  return parts.map((part) => (typeof part === 'string' ? part : (textAt(part, 'text') ?? ''))).join('');
}

/** Files that a prompt names with an @ are put behind it, whole. */
function withoutFiles(text: string): string {
  const start = text.indexOf('\n--- Content from referenced files ---');
  return start < 0 ? text : text.slice(0, start);
}

/** As a text of its own, one longer than what is kept of it: whoever keeps it then sees that it was cut. */
function kept(text: string): string {
  return Buffer.from(text.slice(0, longestText + 1), 'utf16le').toString('utf16le');
}
