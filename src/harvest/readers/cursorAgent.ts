import { parseJson } from '../../parseJson.js';
import { at, listAt, textAt, textOf } from '../fields.js';
import { entriesOf, type Line } from '../lines.js';
import { skillRead } from '../names.js';
import type { Author, Session, SessionPlace } from '../session.js';
import { SessionDraft } from '../sessionDraft.js';

/**
 * Cursor: JSON lines `{ role, message: { content } }` in `agent-transcripts`, as several public readers of them describe
 * them; their vendor does not. They hold no times, no folder and no id: those come from where the file lies.
 */
export async function readCursorAgent(lines: AsyncIterable<Line>, place: SessionPlace): Promise<Session> {
  const draft = new SessionDraft('cursor-agent', place);
  for await (const entry of entriesOf(lines, draft.counts)) {
    const [role, content] = [textAt(entry, 'role'), at(entry, 'message', 'content')];
    if (role === 'user') takeUser(draft, textOf(content));
    else if (role === 'assistant') for (const block of listAt(entry, 'message', 'content')) takeBlock(draft, block);
    else if (textAt(entry, 'type') !== 'turn_ended') draft.counts.unknown += 1;
  }
  return draft.finish();
}

/** The folder that Cursor notes beside a project's transcripts once it is trusted (`.workspace-trusted`). */
export function folderOfCursorProject(trusted: string): string | undefined {
  return textAt(parseJson(trusted), 'workspacePath');
}

/** What the person typed stands in a tag of its own; what stands around it was put there. */
function takeUser(draft: SessionDraft, text: string): void {
  const start = text.indexOf('<user_query>');
  const end = text.indexOf('</user_query>', start);
  const query = start < 0 ? text : text.slice(start + '<user_query>'.length, end < 0 ? undefined : end);
  draft.ask(query, { at: undefined, by });
}

const by: Author = 'unknown';

function takeBlock(draft: SessionDraft, block: unknown): void {
  const type = at(block, 'type');
  if (type === 'text' && !/^\s*\[REDACTED\]\s*$/u.test(textAt(block, 'text') ?? ''))
    draft.say(textAt(block, 'text') ?? '');
  if (type !== 'tool_use') return;
  draft.use(at(block, 'name'));
  draft.load(skillRead(textAt(block, 'name') ?? '', at(block, 'input')));
}
