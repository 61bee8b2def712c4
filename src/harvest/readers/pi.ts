import { at, listAt, textAt, textOf, timeAt } from '../fields.js';
import { entriesOf, type Line } from '../lines.js';
import { skillRead } from '../names.js';
import type { Author, Session, SessionPlace } from '../session.js';
import { SessionDraft } from '../sessionDraft.js';

/**
 * Pi: JSON lines as its own documentation describes them, a tree by `id` and `parentId` since its second version. The last
 * entry is where the person is; other branches were left.
 */
export async function readPi(lines: AsyncIterable<Line>, place: SessionPlace): Promise<Session> {
  const draft = new SessionDraft('pi', place);
  for await (const entry of entriesOf(lines, draft.counts)) {
    const type = textAt(entry, 'type') ?? '';
    if (type === 'session') takeHeader(draft, entry);
    else {
      draft.follow(textAt(entry, 'parentId'));
      if (type === 'message') takeMessage(draft, at(entry, 'message'), timeAt(entry, 'timestamp'));
      else if (!known.has(type)) draft.counts.unknown += 1;
      draft.mark(textAt(entry, 'id'));
    }
  }
  return draft.finish();
}

const known = new Set([
  ...'model_change thinking_level_change compaction branch_summary custom custom_message label'.split(' '),
  ...'session_info usage context_edit'.split(' '),
]);

function takeHeader(draft: SessionDraft, header: object): void {
  draft.id ??= textAt(header, 'id');
  draft.folder ??= textAt(header, 'cwd');
  draft.stand(textAt(header, 'cwd'));
  draft.hear(timeAt(header, 'timestamp'));
}

function takeMessage(draft: SessionDraft, message: unknown, time: number | undefined): void {
  const role = textAt(message, 'role') ?? '';
  if (role === 'user') takeUser(draft, textOf(at(message, 'content')), time);
  else if (role === 'assistant') {
    draft.hear(time);
    for (const block of listAt(message, 'content')) takeBlock(draft, block);
  } else if (!roles.has(role)) draft.counts.unknown += 1;
}

const roles = new Set('system toolResult bashExecution custom hookMessage branchSummary compactionSummary'.split(' '));

/** `/skill:name words` is kept as the skill's body in a tag, with the words behind it. */
function takeUser(draft: SessionDraft, text: string, time: number | undefined): void {
  draft.hear(time);
  const skill = /^<skill name="([^"]{1,128})"/u.exec(text)?.[1];
  const end = text.indexOf('</skill>');
  if (skill === undefined || end < 0) return draft.ask(text, { at: time, by });
  draft.ask(`/skill:${skill} ${text.slice(end + '</skill>'.length).trim()}`.trim(), { at: time, by });
  draft.load(skill);
}

const by: Author = 'unknown';

function takeBlock(draft: SessionDraft, block: unknown): void {
  const type = at(block, 'type');
  if (type === 'text') draft.say(textAt(block, 'text') ?? '');
  if (type !== 'toolCall') return;
  draft.use(at(block, 'name'));
  draft.load(skillRead(textAt(block, 'name') ?? '', at(block, 'arguments')));
}
