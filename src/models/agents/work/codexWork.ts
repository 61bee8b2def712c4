import { at, listAt, textAt } from '../agentEvents.js';
import type { AgentEvent } from '../agentKind.js';
import { plainly } from '../agentPrompt.js';
import { words } from '../agentWords.js';
import { codex, failedTurn, providerSettings } from '../codex.js';
import type { AgentAtWork, ProgramEvent, WorkAsk } from './agentAtWork.js';

/** Codex: it lists skills by their files and reads one by a command; forced, it puts the skill into its first request. */
export const codexWork: AgentAtWork = {
  skillsFolder: '.agents/skills',
  tellsUsage: false,
  tellsTurns: false,
  tellsCalls: true,
  callTokens: 528_000,
  forcedByPrompt: true,
  environment: ({ home }) => ({ CODEX_HOME: home }),
  start,
  hosts: ({ kind }) => (kind === 'subscription' ? ['chatgpt.com'] : [codex.host]),
  tell,
  stops: (line) => {
    if (typeof line === 'string' || line['type'] !== 'error') return undefined;
    const said = textAt(line, 'message') ?? '';
    return /reconnecting|retrying/iu.test(said) ? failedTurn(said) : undefined;
  },
  read: (said) => codex.read(said),
};

function start({ model, prompt, skill, mode, login: { kind, server } }: WorkAsk) {
  const settings = [
    'analytics.enabled=false',
    'check_for_update_on_startup=false',
    ...(kind === 'subscription' ? [] : providerSettings(server ?? 'https://api.openai.com/v1')),
  ];
  return {
    arguments: words(
      // Its own sandbox cannot be inside of ours: with it every command fails, and it ends well all the same.
      'exec --json --ephemeral --ignore-rules --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox',
      model === undefined ? [] : ['-m', model],
      '--disable plugins --disable apps --disable unbounded_connection_retries --disable enable_request_compression',
      settings.flatMap((setting) => ['-c', setting]),
      '-',
    ),
    environment: {},
    input: skill !== undefined && mode === 'forced' ? `$${skill} ${prompt}` : plainly(prompt),
  };
}

function tell(event: AgentEvent): readonly ProgramEvent[] {
  const item = at(event, 'item');
  const type = textAt(item, 'type') ?? '';
  if (type === 'agent_message')
    return event['type'] === 'item.completed' ? [{ kind: 'assistant', text: textAt(item, 'text') ?? '' }] : [];
  const call = callIn(type, item);
  if (call === undefined) return [];
  if (event['type'] === 'item.started') return [call];
  return event['type'] === 'item.completed' ? [call, resultOf(call.id, item)] : [];
}

function callIn(type: string, item: unknown): (ProgramEvent & { readonly kind: 'call' }) | undefined {
  const id = textAt(item, 'id') ?? '';
  if (type === 'command_execution') {
    const command = unwrapped(textAt(item, 'command') ?? '');
    return { kind: 'call', id, name: type, input: command, command };
  }
  if (type === 'file_change') return { kind: 'call', id, name: type, input: listAt(item, 'changes') };
  if (type === 'mcp_tool_call') {
    const name = `${textAt(item, 'server') ?? ''}.${textAt(item, 'tool') ?? ''}`;
    return { kind: 'call', id, name, input: at(item, 'arguments') };
  }
  return type === 'web_search' ? { kind: 'call', id, name: type, input: textAt(item, 'query') ?? '' } : undefined;
}

function resultOf(id: string, item: unknown): ProgramEvent {
  const code = at(item, 'exit_code');
  const ok = typeof code === 'number' ? code === 0 : textAt(item, 'status') === 'completed';
  const output = textAt(item, 'aggregated_output') ?? textAt(item, 'error', 'message') ?? '';
  return { kind: 'result', id, output, ok };
}

/** It starts every command in a shell of its own. */
function unwrapped(command: string): string {
  const inner = /^\S*sh -l?c '([\s\S]*)'$/u.exec(command)?.[1];
  if (inner !== undefined) return inner.replaceAll(`'\\''`, "'").replaceAll(`'"'"'`, "'");
  return /^\S*sh -l?c "([\s\S]*)"$/u.exec(command)?.[1]?.replaceAll(/\\(["\\$`])/gu, '$1') ?? command;
}
