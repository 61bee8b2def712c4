import { at, listAt, textAt, textOf, timeAt } from '../fields.js';
import { entriesOf, type Line } from '../lines.js';
import { skillOfPath } from '../names.js';
import { ownName } from '../ownCalls.js';
import type { Author, Session, SessionPlace } from '../session.js';
import { SessionDraft } from '../sessionDraft.js';

/**
 * Codex: JSON lines `{ timestamp, type, payload }`. Newer files tell what happened as items, older ones as messages and
 * calls, and some as both: items win, and a message that is told twice counts once.
 */
export async function readCodex(lines: AsyncIterable<Line>, place: SessionPlace): Promise<Session> {
  const reading = new CodexReading(new SessionDraft('codex', place));
  for await (const entry of entriesOf(lines, reading.draft.counts)) reading.take(entry);
  return reading.draft.finish();
}

class CodexReading {
  readonly draft: SessionDraft;
  #by: Author = 'unknown';
  #isBegun = false;
  #tellsItems = false;
  /** The last message to the agent, as long as nothing came after it. */
  #asked: string | undefined;

  constructor(draft: SessionDraft) {
    this.draft = draft;
  }

  take(entry: object): void {
    const [type, payload, time] = [textAt(entry, 'type') ?? '', at(entry, 'payload'), timeAt(entry, 'timestamp')];
    if (type === 'session_meta') this.#takeMeta(payload);
    else if (type === 'event_msg') this.#takeEvent(payload, time);
    else if (type === 'response_item') this.#takeResponse(payload, time);
    else if (type === 'turn_context') this.draft.stand(textAt(payload, 'cwd'));
    else if (!known.has(type)) this.draft.counts.unknown += 1;
  }

  /** A session that was begun from another one repeats what that one said of itself. */
  #takeMeta(meta: unknown): void {
    if (this.#isBegun) return;
    this.#isBegun = true;
    this.draft.id = textAt(meta, 'id');
    this.draft.folder = textAt(meta, 'cwd');
    this.draft.commit = textAt(meta, 'git', 'commit_hash');
    this.draft.branch = textAt(meta, 'git', 'branch');
    this.draft.hear(timeAt(meta, 'timestamp'));
    this.draft.isOwn ||= textAt(meta, 'model_provider') === ownName;
    this.draft.isSubAgent ||=
      at(meta, 'source', 'subagent') !== undefined || textAt(meta, 'thread_source') === 'subagent';
    this.#by = authorOf(meta);
    this.#tellsItems = textAt(meta, 'history_mode') === 'paginated';
  }

  #takeEvent(event: unknown, time: number | undefined): void {
    const type = textAt(event, 'type') ?? '';
    if (type === 'item_completed') this.#takeItem(at(event, 'item'), time);
    else if (type === 'user_message') this.#ask(textAt(event, 'message'), time);
    else if (type === 'agent_message') this.#say(textAt(event, 'message'), time);
    else if (type === 'task_complete') this.#say(textAt(event, 'last_agent_message'), time);
    else if (type === 'thread_settings_applied') this.draft.stand(textAt(event, 'thread_settings', 'cwd'));
    else if (type === 'thread_rolled_back') this.draft.undo(Number(at(event, 'num_turns')));
    else if (!events.has(type)) this.draft.counts.unknown += 1;
  }

  #takeItem(item: unknown, time: number | undefined): void {
    const type = textAt(item, 'type') ?? '';
    const said = listAt(item, 'content').map((each) => textAt(each, 'text') ?? '');
    if (type === 'UserMessage') return this.#ask(said.join(''), time);
    if (type === 'AgentMessage') return this.#say(said.join(''), time);
    if (type === 'Reasoning') return;
    this.#tellsItems = true;
    this.#use(textAt(item, 'tool') ?? type, time);
    for (const command of listAt(item, 'parsed_cmd'))
      if (at(command, 'type') === 'read') this.draft.load(skillOfPath(at(command, 'path')));
  }

  #takeResponse(item: unknown, time: number | undefined): void {
    const type = textAt(item, 'type') ?? '';
    if (type === 'message') this.#takeMessage(item, time);
    else if (calls.has(type)) this.#takeCall(item, time);
    else if (!responses.has(type)) this.draft.counts.unknown += 1;
  }

  #takeCall(item: unknown, time: number | undefined): void {
    if (this.#tellsItems) return;
    this.#use(textAt(item, 'name') ?? textAt(item, 'type'), time);
    const command = textAt(item, 'arguments') ?? textAt(item, 'input') ?? '';
    if (!writes.test(command)) this.draft.load(skillOfPath(command));
  }

  #takeMessage(item: unknown, time: number | undefined): void {
    const role = textAt(item, 'role');
    const kinds = listAt(item, 'internal_chat_message_metadata_passthrough', 'content_item_kinds');
    if (role === 'assistant') this.#say(textOf(at(item, 'content'), 'output_text'), time);
    if (role !== 'user') return;
    const text = textOf(at(item, 'content'), 'input_text');
    if (/^\s*<environment_context>/u.test(text)) this.draft.stand(/<cwd>([^<\n]{1,4096})<\/cwd>/u.exec(text)?.[1]);
    if (kinds.includes('skills.selected_skill_instructions'))
      this.draft.load(/<name>([^<]{1,128})<\/name>/u.exec(text)?.[1]);
    // Older files do not say what a message is; what the program puts in is known by its form.
    else if (kinds.length === 0 ? !injected.test(text) : kinds.every((kind) => kind === 'user.text'))
      this.#ask(text, time);
  }

  #ask(text: string | undefined, time: number | undefined): void {
    if (text === undefined || text === this.#asked) return;
    this.#asked = text;
    this.draft.hear(time);
    this.draft.ask(text, { at: time, by: this.#by });
  }

  #say(text: string | undefined, time: number | undefined): void {
    if (text === undefined || text === '') return;
    this.#asked = undefined;
    this.draft.hear(time);
    this.draft.say(text);
  }

  #use(tool: unknown, time: number | undefined): void {
    this.#asked = undefined;
    this.draft.hear(time);
    this.draft.use(tool);
  }
}

function authorOf(meta: unknown): Author {
  const told = textAt(meta, 'source') ?? textAt(meta, 'originator') ?? '';
  if (/^(?:exec|mcp|codex_exec|codex-exec)/u.test(told)) return 'program';
  return /^(?:cli|vscode|codex-tui|codex_cli_rs|codex_vscode)$/u.test(told) ? 'person' : 'unknown';
}

const known = new Set(['world_state', 'token_usage_record', 'compacted', 'ghost_snapshot']);

const events = new Set([
  ...'task_started turn_started turn_complete turn_aborted token_count'.split(' '),
  ...'agent_reasoning agent_reasoning_raw_content agent_reasoning_section_break context_compacted error'.split(' '),
  ...'exec_command_begin exec_command_end patch_apply_begin patch_apply_end mcp_tool_call_begin warning'.split(' '),
  ...'mcp_tool_call_end web_search_begin web_search_end entered_review_mode exited_review_mode plan_update'.split(' '),
]);

const calls = new Set(['function_call', 'custom_tool_call', 'local_shell_call', 'web_search_call']);

const responses = new Set(
  'function_call_output custom_tool_call_output reasoning additional_tools ghost_snapshot compaction'.split(' '),
);

const injected = /^\s*(?:<(?:environment_context|user_instructions|skill|turn_aborted|permissions)|# AGENTS\.md)/u;

/** Whoever writes to a SKILL.md does not use it. */
const writes = /\*\*\* (?:Update|Add|Delete) File|>\s*\S*SKILL\.md|sed -i/u;
