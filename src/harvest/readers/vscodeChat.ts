import { parseJson } from '../../parseJson.js';
import { at, listAt, textAt, timeAt } from '../fields.js';
import { entriesOf, type Line } from '../lines.js';
import { skillOfPath } from '../names.js';
import type { Author, Session, SessionPlace } from '../session.js';
import { mostExchanges, SessionDraft } from '../sessionDraft.js';
import { OperationLog, type Shape } from './operationLog.js';

/**
 * Copilot Chat in VS Code: a log of changes to the session's state (`.jsonl`), the same for stable, Insiders and portable
 * ones. The folder stands in a file above it (`workspace.json`); a window without a folder has none.
 */
export async function readVscodeChat(lines: AsyncIterable<Line>, place: SessionPlace): Promise<Session> {
  const draft = new SessionDraft('vscode-chat', place);
  const log = new OperationLog(session);
  for await (const entry of entriesOf(lines, draft.counts)) {
    if (!log.apply(entry)) draft.counts.unknown += 1;
    log.forget('requests', mostExchanges * 2);
  }
  return tell(draft, log.value);
}

/** The state as one object, as older versions wrote it (`.json`). Where both are there, the log is the newer one. */
export function readVscodeChatObject(text: string, place: SessionPlace): Session {
  const draft = new SessionDraft('vscode-chat', place);
  const log = new OperationLog(session);
  const state = parseJson(text);
  if (at(state, 'requests') === undefined) draft.counts.broken += 1;
  log.apply({ kind: 0, v: state });
  return tell(draft, log.value);
}

/** Of a message or of arguments no more than the skill that they name. */
const skillNamed: Shape = (value) => skillOfPath(typeof value === 'string' ? value : at(value, 'value'));

const uri: Shape = { fields: { path: 'plain' } };

const part: Shape = {
  fields: {
    // Text has no kind; what has one that is no name may be anything, a thought too.
    kind: (value) => (value === undefined || typeof value === 'string' ? value : ''),
    value: (value) => (typeof value === 'string' ? value : at(value, 'value')),
    content: (value) => at(value, 'value'),
    toolId: 'plain',
    pastTenseMessage: skillNamed,
    invocationMessage: skillNamed,
    name: 'plain',
    inlineReference: { fields: { name: 'plain', path: 'plain', uri, location: { fields: { uri } } } },
  },
};

const toolCalls: Shape = { each: { fields: { name: 'plain', arguments: skillNamed } } };

const request: Shape = {
  fields: {
    timestamp: 'plain',
    message: { fields: { text: 'plain' } },
    agent: { fields: { extensionId: { fields: { value: 'plain' } } } },
    isSystemInitiated: 'plain',
    vote: 'plain',
    modelState: { fields: { completedAt: 'plain' } },
    response: { each: part },
    result: { fields: { metadata: { fields: { toolCallRounds: { each: { fields: { toolCalls } } } } } } },
  },
};

const session: Shape = {
  fields: { sessionId: 'plain', creationDate: 'plain', requests: { each: request } },
};

function tell(draft: SessionDraft, state: unknown): Session {
  draft.id = textAt(state, 'sessionId');
  draft.hear(timeAt(state, 'creationDate'));
  for (const each of listAt(state, 'requests')) {
    if (each === undefined || !isCopilots(each) || at(each, 'isSystemInitiated') === true) continue;
    const time = timeAt(each, 'timestamp');
    draft.hear(time);
    draft.hear(timeAt(each, 'modelState', 'completedAt'));
    draft.ask(textAt(each, 'message', 'text') ?? '', { at: time, by });
    tellResponse(draft, each);
    const vote = at(each, 'vote');
    if (vote === 1 || vote === 0) draft.vote(vote === 1 ? 'positive' : 'negative');
  }
  return draft.finish();
}

const by: Author = 'person';

/** Another extension's participant may have been asked in the same session. */
function isCopilots(asked: unknown): boolean {
  const extension = textAt(asked, 'agent', 'extensionId', 'value');
  return extension === undefined || extension.toLowerCase() === 'github.copilot-chat';
}

/** Text and references to files make up sentences, until a tool stands between them. */
function tellResponse(draft: SessionDraft, asked: unknown): void {
  let words = '';
  for (const each of listAt(asked, 'response')) {
    if (textAt(each, 'kind') === 'toolInvocationSerialized') {
      draft.say(words);
      words = '';
      draft.use(at(each, 'toolId'));
      if (/read/iu.test(textAt(each, 'toolId') ?? ''))
        draft.load(at(each, 'pastTenseMessage') ?? at(each, 'invocationMessage'));
    } else words += wordsOf(each);
  }
  draft.say(words);
  for (const round of listAt(asked, 'result', 'metadata', 'toolCallRounds'))
    for (const call of listAt(round, 'toolCalls'))
      if (/read/iu.test(textAt(call, 'name') ?? '')) draft.load(at(call, 'arguments'));
}

function wordsOf(each: unknown): string {
  const kind = textAt(each, 'kind');
  if (kind === undefined) return textAt(each, 'value') ?? '';
  if (kind === 'markdownContent') return textAt(each, 'content') ?? '';
  return kind === 'inlineReference' ? nameOf(each) : '';
}

/** A file, a place in one, or a symbol. */
function nameOf(each: unknown): string {
  const referred = at(each, 'inlineReference');
  const paths = [['path'], ['uri', 'path'], ['location', 'uri', 'path']].map((names) => textAt(referred, ...names));
  const path = paths.find((found) => found !== undefined) ?? '';
  return textAt(each, 'name') ?? textAt(referred, 'name') ?? path.slice(path.lastIndexOf('/') + 1);
}
