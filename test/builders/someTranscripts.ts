import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The programs whose session files are written here, each in the form of its version of November 2026. */
export type TranscriptProgram = keyof typeof forms;

/** A session that a person had with an agent. */
export interface ToldTranscript {
  readonly program: TranscriptProgram;
  readonly id: string;
  /** Where it was had. */
  readonly folder: string;
  /** When it began; a minute passes between two messages. */
  readonly at: number;
  /** What the person said, message by message. */
  readonly said: readonly string[];
  /** What the agent answered, message by message. */
  readonly answered: readonly string[];
  /** The skill that was loaded for the first message. */
  readonly skill?: string | undefined;
  /** A program asked, not a person. */
  readonly isHeadless?: boolean;
}

const aMinute = 60_000;

/** Writes a session into a home as its program leaves it: with its bookkeeping, and with what a tool was given and gave back. */
export function writeTranscript(home: string, told: ToldTranscript): void {
  const { file, lines } = forms[told.program](told);
  const whole = path.join(home, file);
  mkdirSync(path.dirname(whole), { recursive: true });
  writeFileSync(whole, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const ended = Math.floor((told.at + told.said.length * aMinute) / 1000); // a time that can be set again to the letter
  utimesSync(whole, ended - 100_000, ended); // last looked at before: a look would be noted
}

interface Written {
  readonly file: string;
  readonly lines: readonly object[];
}

const forms = { 'claude-code': ofClaudeCode, codex: ofCodex, 'copilot-cli': ofCopilot } satisfies Record<
  string,
  (told: ToldTranscript) => Written
>;

function ofClaudeCode({ id, folder, at, said, answered, skill, isHeadless = false }: ToldTranscript): Written {
  const common = (index: number): object => ({
    isSidechain: false,
    userType: 'external',
    entrypoint: isHeadless ? 'sdk-cli' : 'cli',
    cwd: folder,
    sessionId: id,
    version: '2.1.325',
    gitBranch: 'main',
    timestamp: timeOf(at, index),
  });
  const assistant = (index: number, content: object): object => ({
    ...common(index),
    type: 'assistant',
    uuid: `${id}-a${index}-${Object.keys(content).length}`,
    requestId: `req_${index}`,
    message: {
      id: `msg_${index}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [content],
      usage: { input_tokens: 1200, output_tokens: 42 },
    },
  });
  const loaded = (index: number): readonly object[] =>
    skill === undefined || index > 0
      ? []
      : [
          assistant(index, { type: 'tool_use', id: 'toolu_0', name: 'Skill', input: { skill } }),
          {
            ...common(index),
            type: 'user',
            uuid: `${id}-r`,
            message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_0', content: 'Launching' }] },
          },
        ];
  const human = isHeadless ? { turnOrigin: 'sdk' } : { turnOrigin: 'human', promptSource: 'typed' };
  const turns = said.flatMap((content, index) => [
    { ...common(index), ...human, type: 'user', uuid: `${id}-u${index}`, message: { role: 'user', content } },
    ...loaded(index),
    assistant(index, { type: 'text', text: answered[index] ?? '' }),
  ]);
  return {
    file: `.claude/projects/${folder.replaceAll(/[^A-Za-z0-9]/gu, '-')}/${id}.jsonl`,
    lines: [{ type: 'mode', mode: 'normal', sessionId: id }, ...turns],
  };
}

function ofCodex({ id, folder, at, said, answered, skill, isHeadless = false }: ToldTranscript): Written {
  const started = timeOf(at, 0);
  const line = (index: number, type: string, payload: object): object => ({
    timestamp: timeOf(at, index),
    type,
    payload,
  });
  const item = (index: number, of: object): object =>
    line(index, 'event_msg', { type: 'item_completed', thread_id: id, turn_id: `turn-${index}`, item: of });
  const command = `cat .claude/skills/${skill}/SKILL.md`;
  const read = { type: 'read', cmd: command, name: 'SKILL.md', path: `.claude/skills/${skill}/SKILL.md` };
  const turns = said.flatMap((text, index) => [
    line(index, 'event_msg', { type: 'task_started', turn_id: `turn-${index}` }),
    item(index, { type: 'UserMessage', id: `${id}-u${index}`, content: [{ type: 'text', text, text_elements: [] }] }),
    ...(skill === undefined || index > 0
      ? []
      : [
          item(index, {
            type: 'CommandExecution',
            id: `${id}-c`,
            command: ['/bin/bash', '-lc', command],
            cwd: `file://${folder}`,
            parsed_cmd: [read],
            status: 'completed',
            aggregated_output: '---',
            exit_code: 0,
          }),
        ]),
    item(index, { type: 'AgentMessage', id: `${id}-a${index}`, content: [{ type: 'Text', text: answered[index] }] }),
    line(index, 'event_msg', {
      type: 'task_complete',
      turn_id: `turn-${index}`,
      last_agent_message: answered[index],
      duration_ms: 91,
    }),
  ]);
  const meta = {
    id,
    timestamp: started,
    cwd: folder,
    originator: isHeadless ? 'codex_exec' : 'codex-tui',
    source: isHeadless ? 'exec' : 'cli',
    cli_version: '0.166.0',
    thread_source: 'user',
    model_provider: 'openai',
    history_mode: 'paginated',
  };
  const lines = [line(0, 'session_meta', meta), ...turns];
  const day = started.slice(0, 10).replaceAll('-', '/');
  return {
    file: `.codex/sessions/${day}/rollout-${started.slice(0, 19).replaceAll(':', '-')}-${id}.jsonl`,
    lines: lines.map((each, ordinal) => ({ ...each, ordinal })),
  };
}

function ofCopilot({ id, folder, at, said, answered, skill }: ToldTranscript): Written {
  const line = (index: number, type: string, data: object): object => ({
    type,
    data,
    timestamp: timeOf(at, index),
  });
  const turns = said.flatMap((content, index) => [
    line(index, 'user.message', { content, transformedContent: content, delivery: 'idle', turnId: String(index) }),
    line(index, 'assistant.turn_start', { turnId: String(index) }),
    ...(skill === undefined || index > 0
      ? []
      : [
          line(index, 'skill.invoked', {
            name: skill,
            path: `${folder}/.claude/skills/${skill}/SKILL.md`,
            trigger: 'agent-invoked',
          }),
        ]),
    line(index, 'assistant.message', { messageId: `${id}-a${index}`, content: answered[index], toolRequests: [] }),
    line(index, 'assistant.turn_end', { turnId: String(index) }),
  ]);
  const started = line(0, 'session.start', {
    sessionId: id,
    version: 1,
    producer: 'copilot-agent',
    copilotVersion: '1.0.102',
    startTime: timeOf(at, 0),
    context: { cwd: folder, branch: 'main' },
  });
  const lines = [started, ...turns];
  return {
    file: `.copilot/session-state/${id}/events.jsonl`,
    lines: lines.map((each, index) => ({
      ...each,
      id: `${id}-${index}`,
      parentId: index === 0 ? null : `${id}-${index - 1}`,
    })),
  };
}

function timeOf(at: number, index: number): string {
  return new Date(at + index * aMinute).toISOString();
}
