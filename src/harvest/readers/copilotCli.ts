import { at, textAt, timeAt } from '../fields.js';
import { entriesOf, type Line } from '../lines.js';
import type { Session, SessionPlace } from '../session.js';
import { SessionDraft } from '../sessionDraft.js';

/**
 * Copilot CLI: `events.jsonl`, JSON lines `{ type, data, timestamp }`. Its database beside it is an index that loses turns
 * after a resume, and is not read. Nothing in it tells a person's prompt from a script's.
 */
export async function readCopilotCli(lines: AsyncIterable<Line>, place: SessionPlace): Promise<Session> {
  const draft = new SessionDraft('copilot-cli', place);
  for await (const entry of entriesOf(lines, draft.counts)) take(draft, entry);
  return draft.finish();
}

function take(draft: SessionDraft, entry: object): void {
  const [type, data, time] = [textAt(entry, 'type') ?? '', at(entry, 'data'), timeAt(entry, 'timestamp')];
  if (!families.test(type)) draft.counts.unknown += 1;
  if (textAt(data, 'parentToolCallId') !== undefined) return; // of a sub-agent
  switch (type) {
    case 'session.start':
    case 'session.resume':
      return takeStart(draft, data);
    case 'session.context_changed':
      return draft.stand(textAt(data, 'cwd'));
    case 'user.message':
      // One with a source was put in by the program.
      if (textAt(data, 'source') !== undefined) return;
      draft.hear(time);
      return draft.ask(textAt(data, 'content') ?? '', { at: time, by: 'unknown' });
    case 'assistant.message':
      draft.hear(time);
      return draft.say(textAt(data, 'content') ?? '');
    case 'tool.execution_start':
      return draft.use(at(data, 'toolName'));
    case 'skill.invoked':
      return draft.load(at(data, 'name'));
  }
}

/** All that its vendor documents, and those that were seen beside them. */
const families =
  /^(?:session|user|assistant|tool|skill|system|hook|subagent|permission|command|external_tool|mcp)\.|^abort$/u;

function takeStart(draft: SessionDraft, data: unknown): void {
  draft.id ??= textAt(data, 'sessionId');
  draft.hear(timeAt(data, 'startTime'));
  const context = at(data, 'context');
  draft.folder ??= textAt(context, 'cwd');
  draft.stand(textAt(context, 'cwd'));
  draft.branch ??= textAt(context, 'branch');
  draft.commit ??= textAt(context, 'headCommit');
}
