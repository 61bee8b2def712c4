import path from 'node:path';
import { parseJson } from '../../parseJson.js';
import {
  askedAgain,
  askedForTool,
  at,
  countedUsage,
  failure,
  listAt,
  numberAt,
  ofType,
  textAt,
  unfinished,
} from './agentEvents.js';
import { longestAnswer } from './agentKind.js';
import type {
  AgentAsk,
  AgentEvent,
  AgentFailure,
  AgentKind,
  AgentOutcome,
  AgentPerson,
  AgentSaid,
  AgentSoFar,
  AgentStop,
  FoundLogin,
} from './agentKind.js';
import { variable } from './agentLogin.js';
import { noSystem, plainly } from './agentPrompt.js';
import { words } from './agentWords.js';

/** Codex has no variable for another server: this one is ours. */
const serverVariable = 'WHETSTONE_CODEX_BASE_URL';

/** Codex of OpenAI. */
export const codex: AgentKind = {
  id: 'codex',
  label: 'Codex',
  commands: ['codex'],
  places: ['.local/bin', '/usr/local/bin', '/opt/homebrew/bin'],
  tested: true,
  oldest: '0.166.0',
  install: 'npm install -g @openai/codex',
  logIn: 'run “codex login” in a terminal.',
  listsModels: 'codex: /model',
  waysIn: ['CODEX_API_KEY'],
  serverNamedBy: serverVariable,
  host: 'api.openai.com',
  toolsOff: 'yes',
  atOnce: 4,
  addsTokens: 300,
  mostOutputTokens: (limit) => Math.max(limit, longestAnswer), // it knows no setting for it
  // It tells nothing while an answer is written.
  limits: { firstByteMs: 60_000, idleMs: 300_000, totalMs: 900_000 },
  login,
  asks: ['debug', 'models'],
  // It must be there already, as the fresh home is.
  environment: ({ home }) => ({ CODEX_HOME: home }),
  call,
  read,
  stops,
};

async function login(person: AgentPerson): Promise<FoundLogin | undefined> {
  const key = variable(person, 'CODEX_API_KEY')?.[1];
  if (key !== undefined) {
    const server = variable(person, serverVariable)?.[1];
    const kind = server === undefined ? 'api-key' : 'own-server';
    return { kind, server, handOver: () => ({ kind, variables: { CODEX_API_KEY: key }, secrets: [key], server }) };
  }
  const folder = variable(person, 'CODEX_HOME')?.[1] ?? path.join(person.home, '.codex');
  return keptLogin(parseJson((await person.read(path.join(folder, 'auth.json'))) ?? ''));
}

function keptLogin(kept: unknown): FoundLogin | undefined {
  const key = textAt(kept, 'OPENAI_API_KEY') ?? '';
  const token = textAt(kept, 'tokens', 'access_token') ?? '';
  if (token !== '') {
    return {
      kind: 'subscription',
      kept: true,
      until: expiryOf(token),
      handOver: () => ({
        kind: 'subscription',
        variables: {},
        files: { 'auth.json': withoutRefresh(kept, token) },
        secrets: [token],
      }),
    };
  }
  if (key === '') return undefined;
  const handed = { CODEX_API_KEY: key };
  return { kind: 'api-key', kept: true, handOver: () => ({ kind: 'api-key', variables: handed, secrets: [key] }) };
}

/** As Codex keeps it, with nothing in the place of the refresh token: a refresh here would end the person's own login. */
function withoutRefresh(kept: unknown, access_token: string): string {
  const tokens = {
    id_token: textAt(kept, 'tokens', 'id_token') ?? '',
    access_token,
    refresh_token: '',
    account_id: textAt(kept, 'tokens', 'account_id') ?? null,
  };
  return JSON.stringify({ OPENAI_API_KEY: null, tokens, last_refresh: new Date().toISOString() });
}

/** The `exp` of a JSON web token. */
function expiryOf(token: string): number | undefined {
  const claims = parseJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  return numberAt(claims, 'exp') * 1000 || undefined;
}

const systemFile = 'instructions.md';
const catalogFile = 'models.json';

/** The one model that is asked, as Codex describes it, but that it has no tools: some stay on whatever is turned off. */
function catalogOf(told: string, wanted: string | undefined): string {
  const models = listAt(parseJson(told), 'models').filter((model) => at(model, 'visibility') === 'list');
  const byPriority = models.toSorted((a, b) => numberAt(a, 'priority') - numberAt(b, 'priority'));
  const chosen = byPriority.find((model) => wanted === undefined || textAt(model, 'slug') === wanted);
  const entry = {
    ...Object(chosen ?? byPriority[0] ?? {}),
    ...(wanted === undefined ? {} : { slug: wanted }),
    ...withoutTools,
  };
  return JSON.stringify({ models: [entry] });
}

const withoutTools = {
  shell_type: 'disabled',
  tool_mode: 'direct',
  apply_patch_tool_type: null,
  experimental_supported_tools: [],
  supports_search_tool: false,
  multi_agent_version: null,
  // Words of Codex to its agent; ours take their place.
  model_messages: null,
  upgrade: null,
};

/** Every feature that brings a tool, asks somebody else, or brings something of the person's. */
const off = words(
  'shell_tool unified_exec view_image multi_agent goals image_generation sleep_tool tool_suggest skill_search',
  'apps plugins remote_plugin plugin_sharing hooks browser_use computer_use in_app_browser code_mode_host',
  'shell_snapshot unbounded_connection_retries enable_request_compression workspace_dependencies',
);

function call({ model, system, prompt, login: { kind, server }, folders, told }: AgentAsk) {
  const settings = [
    `model_instructions_file=${JSON.stringify(path.join(folders.home, systemFile))}`,
    `model_catalog_json=${JSON.stringify(path.join(folders.home, catalogFile))}`,
    'web_search="disabled"',
    'tools.update_plan.enabled=false',
    'tools.experimental_request_user_input.enabled=false',
    'skills.bundled.enabled=false',
    'include_permissions_instructions=false',
    'include_apps_instructions=false',
    'include_collaboration_mode_instructions=false',
    'include_environment_context=false',
    'project_doc_max_bytes=0',
    'analytics.enabled=false',
    'check_for_update_on_startup=false',
    ...(kind === 'subscription' ? [] : providerSettings(server ?? 'https://api.openai.com/v1')),
  ];
  return {
    arguments: words(
      'exec --json --skip-git-repo-check --ephemeral --ignore-rules -s read-only',
      model === undefined ? [] : ['-m', model],
      off.flatMap((feature) => ['--disable', feature]),
      settings.flatMap((setting) => ['-c', setting]),
      '-',
    ),
    environment: {},
    files: {
      [systemFile]: noSystem,
      [catalogFile]: catalogOf(told, model),
      // Without tools Codex says its first instructions twice, and these once.
      'config.toml': system === '' ? '' : `developer_instructions = ${tomlText(system)}\n`,
    },
    input: plainly(prompt),
  };
}

/** JSON's texts are TOML's, but for one sign that JSON leaves as it is. */
function tomlText(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}

/** With a key: as its own provider, but that tries once. */
export function providerSettings(server: string): readonly string[] {
  const provider = `{name="OpenAI",base_url=${JSON.stringify(server)},env_key="CODEX_API_KEY",wire_api="responses",request_max_retries=0,stream_max_retries=0}`;
  return ['model_provider="whetstone"', `model_providers.whetstone=${provider}`];
}

function read(all: AgentSaid): AgentOutcome {
  const { events, code } = all;
  const failed = ofType(events, 'turn.failed').at(-1);
  if (failed !== undefined) return failedTurn(textAt(failed, 'error', 'message') ?? 'the turn failed');
  const done = ofType(events, 'turn.completed').at(-1);
  if (done === undefined || code !== 0) return unfinished(all);
  const text = messageIn(events);
  if (text === undefined) return failure('it ended without any answer of a model', { error: 'malformed' });
  const usage = at(done, 'usage');
  return {
    kind: 'answered',
    text,
    usage: countedUsage(numberAt(usage, 'input_tokens'), numberAt(usage, 'output_tokens')),
  };
}

function messageIn(events: readonly AgentEvent[]): string | undefined {
  const items = ofType(events, 'item.completed').map((event) => at(event, 'item'));
  return textAt(
    items.findLast((item) => textAt(item, 'type') === 'agent_message'),
    'text',
  );
}

export function failedTurn(said: string): AgentFailure {
  const inner = parseJson(said.slice(said.indexOf('{')));
  const status = numberAt(inner, 'status') || undefined;
  if (/not logged in|log in|refresh token|401 Unauthorized/iu.test(said)) return failure(said, { error: 'auth' });
  if (/usage limit|hit your .*limit|quota exceeded/iu.test(said)) return failure(said, { error: 'quota' });
  if (/closed before response\.completed/iu.test(said)) return failure(said, { error: 'malformed' });
  return failure(said, { status });
}

/** It goes on trying for ever where it cannot connect or is not logged in, and asks its model for ever that wants a tool. */
function stops(line: AgentEvent | string, { events }: AgentSoFar): AgentStop | undefined {
  // Of a tool that it does not have it speaks in its error output alone.
  if (typeof line === 'string') return /\bcodex_core::tools::/u.test(line) ? askedForTool : undefined;
  const item = textAt(line, 'item', 'type');
  if (item !== undefined && !answering.has(item)) return askedForTool;
  if (line['type'] === 'turn.started' && ofType(events, 'turn.started').length > 0) return askedAgain;
  return line['type'] === 'error' ? stopsAt(textAt(line, 'message') ?? '', events) : undefined;
}

function stopsAt(said: string, events: readonly AgentEvent[]): AgentStop | undefined {
  if (/reason: max_output_tokens/iu.test(said)) return { kind: 'cut', text: messageIn(events) ?? '' };
  return /reconnecting|retrying/iu.test(said) ? failedTurn(said) : undefined;
}

/** The kinds of items that are no tool. */
const answering: ReadonlySet<string> = new Set(['agent_message', 'reasoning', 'error']);
