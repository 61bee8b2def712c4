import { at, listAt, textAt, textOf, timeAt } from '../fields.js';
import { entriesOf, type Line } from '../lines.js';
import type { Author, Session, SessionPlace } from '../session.js';
import { SessionDraft } from '../sessionDraft.js';

/**
 * Claude Code: JSON lines, a tree by `uuid` and `parentUuid`. A person's message is a `user` entry that is no tool's result,
 * none of the program's own (`isMeta`: bodies of skills) and no summary. Requests to the server are kept in the same file
 * (`api-request-blob`), with messages in them: those are no turns.
 */
export async function readClaudeCode(lines: AsyncIterable<Line>, place: SessionPlace): Promise<Session> {
  const draft = new SessionDraft('claude-code', place);
  const seen = { main: 0, side: 0 };
  for await (const entry of entriesOf(lines, draft.counts)) {
    const type = textAt(entry, 'type') ?? '';
    if (at(entry, 'isSidechain') === true) seen.side += 1;
    else if (type === 'user' || type === 'assistant') seen.main += 1;
    if (at(entry, 'isSidechain') !== true) take(draft, type, entry);
  }
  draft.isSubAgent ||= seen.side > 0 && seen.main === 0;
  return draft.finish();
}

function take(draft: SessionDraft, type: string, entry: object): void {
  if (!known.has(type)) draft.counts.unknown += 1;
  draft.id ??= textAt(entry, 'sessionId');
  draft.folder ??= textAt(entry, 'cwd');
  draft.stand(textAt(entry, 'cwd'));
  draft.branch ??= textAt(entry, 'gitBranch');
  if (type === 'user') takeUser(draft, entry);
  else if (type === 'assistant') takeAssistant(draft, entry);
  else if (type === 'attachment') draft.commit ??= commitIn(entry);
  draft.mark(textAt(entry, 'uuid'));
}

const known = new Set([
  ...'user assistant attachment system summary progress queue-operation last-prompt mode permission-mode'.split(' '),
  ...'tools-used cost-state atis-latch file-history-snapshot file-history-delta api-request'.split(' '),
  ...'api-request-shape api-request-blob custom-title ai-title agent-name pr-link'.split(' '),
]);

function takeUser(draft: SessionDraft, entry: object): void {
  const content = at(entry, 'message', 'content');
  const text = textOf(content);
  if (at(entry, 'isMeta') === true) return draft.load(skillWithBody(text));
  const isTools = Array.isArray(content) && content.some((block) => at(block, 'type') === 'tool_result');
  if (isTools || summaries.some((name) => at(entry, name) === true)) return;
  const time = timeAt(entry, 'timestamp');
  draft.hear(time);
  draft.follow(textAt(entry, 'parentUuid'));
  draft.ask(typedCommand(text) ?? text, { at: time, by: authorOf(entry) });
}

/** The body of a skill begins with the folder that it comes from. */
function skillWithBody(text: string): string | undefined {
  const [first = ''] = text.split('\n', 1);
  const folder = first.startsWith(bodyStart) ? first.slice(bodyStart.length) : '';
  return folder.split(/[/\\]/u).findLast((name) => name !== '');
}

const bodyStart = 'Base directory for this skill: ';
const summaries = ['isCompactSummary', 'isVisibleInTranscriptOnly'];

/** `<command-name>/release-notes</command-name> … <command-args>for 1.2</command-args>`, as it was typed. */
function typedCommand(text: string): string | undefined {
  const name = text.startsWith('<command-') ? within(text, 'command-name') : undefined;
  return name === undefined ? undefined : `/${name.replace(/^\//u, '')} ${within(text, 'command-args') ?? ''}`.trim();
}

function within(text: string, tag: string): string | undefined {
  const start = text.indexOf(`<${tag}>`);
  const end = start < 0 ? -1 : text.indexOf(`</${tag}>`, start);
  return end < 0 ? undefined : text.slice(start + tag.length + 2, end);
}

/** Newer versions say of each message who sent it, older ones how the program was started. */
function authorOf(entry: object): Author {
  const origin = textAt(entry, 'turnOrigin') ?? textAt(entry, 'origin', 'kind');
  if (origin !== undefined) return origin === 'human' ? 'person' : 'program';
  const entrypoint = textAt(entry, 'entrypoint') ?? '';
  if (entrypoint.startsWith('sdk')) return 'program';
  return /^cli$|vscode|desktop/u.test(entrypoint) ? 'person' : 'unknown';
}

function takeAssistant(draft: SessionDraft, entry: object): void {
  draft.hear(timeAt(entry, 'timestamp'));
  if (textAt(entry, 'message', 'model') === '<synthetic>') return; // errors, in the place of an answer
  draft.load(textAt(entry, 'attributionSkill'));
  for (const block of listAt(entry, 'message', 'content')) {
    const type = at(block, 'type');
    if (type === 'text') draft.say(textAt(block, 'text') ?? '', textAt(entry, 'message', 'id'));
    else if (type === 'tool_use') {
      draft.use(at(block, 'name'));
      if (at(block, 'name') === 'Skill') draft.load(at(block, 'input', 'skill') ?? at(block, 'input', 'command'));
    }
  }
}

/** The last commit as the session begins, which is told among the state of git. */
function commitIn(entry: object): string | undefined {
  const status = textAt(entry, 'attachment', 'context', 'gitStatus') ?? '';
  return /\nRecent commits:\n([0-9a-f]{7,40})\s/u.exec(status)?.[1];
}
