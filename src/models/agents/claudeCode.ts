import path from 'node:path';
import { parseJson } from '../../parseJson.js';
import { usualLimits } from '../patience.js';
import type { ModelUsage } from '../../ports/languageModel.js';
import {
  askedAgain,
  askedForTool,
  at,
  countedUsage,
  failure,
  numberAt,
  ofType,
  textAt,
  unfinished,
} from './agentEvents.js';
import { words } from './agentWords.js';
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
import { variable, variables } from './agentLogin.js';
import { noSystem, plainly } from './agentPrompt.js';

const keys = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'];

/** Claude Code of Anthropic. */
export const claudeCode: AgentKind = {
  id: 'claude-code',
  label: 'Claude Code',
  suggests: ['sonnet', 'opus', 'haiku'],
  commands: ['claude'],
  places: ['.local/bin', '.claude/local', '/usr/local/bin', '/opt/homebrew/bin'],
  tested: true,
  oldest: '2.1.325',
  install: 'npm install -g @anthropic-ai/claude-code',
  logIn: 'run “claude” in a terminal and type /login.',
  listsModels: 'claude: /model',
  waysIn: keys,
  serverNamedBy: 'ANTHROPIC_BASE_URL',
  host: 'api.anthropic.com',
  toolsOff: 'yes',
  atOnce: 4,
  addsTokens: 300,
  mostOutputTokens: (limit) => limit,
  limits: usualLimits,
  login,
  environment: ({ home }) => ({
    CLAUDE_CONFIG_DIR: path.join(home, '.claude'),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '0',
    DISABLE_AUTOUPDATER: '1',
    // A prompt that names a file with an @ would be sent with what the file holds, tools or not.
    CLAUDE_CODE_DISABLE_ATTACHMENTS: '1',
    CLAUDE_CODE_DISABLE_FILE_MENTIONS: '1',
    CLAUDE_CODE_DISABLE_CLAUDE_MDS: '1',
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
    CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: '1',
    CLAUDE_CODE_DISABLE_MODEL_ACCESS_FALLBACK: '1',
  }),
  call,
  read,
  piece,
  stops,
  used,
};

/** A key of the environment, or the access token of the file that its own login leaves; never the refresh token. */
async function login(person: AgentPerson): Promise<FoundLogin | undefined> {
  const key = variable(person, ...keys);
  return key === undefined ? ownLogin(person) : withKey(person, key);
}

function withKey(person: AgentPerson, [name, value]: readonly [string, string]): FoundLogin {
  const server = variable(person, 'ANTHROPIC_BASE_URL')?.[1];
  const paid = name === 'CLAUDE_CODE_OAUTH_TOKEN' ? 'subscription' : 'api-key';
  const kind = server === undefined ? paid : 'own-server';
  const handed = { ...variables(person, ['ANTHROPIC_BASE_URL']), [name]: value };
  return { kind, server, handOver: () => ({ kind, variables: handed, secrets: [value], server }) };
}

async function ownLogin(person: AgentPerson): Promise<FoundLogin | undefined> {
  const folder = variable(person, 'CLAUDE_CONFIG_DIR')?.[1] ?? path.join(person.home, '.claude');
  const kept = parseJson((await person.read(path.join(folder, '.credentials.json'))) ?? '');
  const token = textAt(kept, 'claudeAiOauth', 'accessToken') ?? '';
  if (token === '') return undefined;
  const handed = { CLAUDE_CODE_OAUTH_TOKEN: token };
  return {
    kind: 'subscription',
    kept: true,
    until: numberAt(kept, 'claudeAiOauth', 'expiresAt') || undefined,
    handOver: () => ({ kind: 'subscription', variables: handed, secrets: [token] }),
  };
}

const systemFile = 'system-prompt.md';

function call({ model, system, prompt, maxOutputTokens, folders }: AgentAsk) {
  return {
    arguments: words(
      '-p --output-format stream-json --verbose --include-partial-messages',
      model === undefined ? [] : ['--model', model],
      ['--system-prompt-file', path.join(folders.home, systemFile)],
      // No tools, and nothing of the person's or of a project's around the prompt.
      ['--tools', ''],
      '--setting-sources project --strict-mcp-config --disable-slash-commands',
      '--max-turns 1 --no-session-persistence',
    ),
    environment: { CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(maxOutputTokens) },
    files: { [systemFile]: system === '' ? noSystem : system },
    input: plainly(prompt),
  };
}

/** The last line tells it all; `subtype` says “success” of a failure too. */
function read(all: AgentSaid): AgentOutcome {
  const { events, code } = all;
  const result = ofType(events, 'result').at(-1);
  if (result === undefined) return unfinished(all);
  if (result['is_error'] !== false || code !== 0 || isTurnsUp(result)) return failedResult(result);
  if (!ofType(events, 'assistant').some((event) => textAt(event, 'message', 'model') !== '<synthetic>')) {
    return failure('it ended without any answer of a model', { error: 'malformed' });
  }
  return { kind: 'answered', text: saidIn(result), usage: usageOf(result) };
}

/** What its last line tells that everything took. */
export function usageOf(result: AgentEvent): ModelUsage | undefined {
  const usage = at(result, 'usage');
  return countedUsage(inputOf(usage), numberAt(usage, 'output_tokens'), numberAt(result, 'total_cost_usd'));
}

/** Cut at its limit, and also where there is nothing to be seen, it would ask its model to go on, and give that alone. */
function stops(line: AgentEvent | string, { written }: AgentSoFar): AgentStop | undefined {
  if (typeof line === 'string') return undefined;
  const failed = failedAt(line);
  if (failed !== undefined) return failed;
  if (textAt(line, 'event', 'content_block', 'type')?.endsWith('tool_use') === true) return askedForTool;
  if (textAt(line, 'event', 'delta', 'stop_reason') === 'max_tokens') return { kind: 'cut', text: written };
  return line['type'] === 'user' ? askedAgain : undefined;
}

/** What a line tells of a try that failed. */
export function failedAt(line: AgentEvent): AgentFailure | undefined {
  // Nothing comes after it; where the network is gone it may take its time to end.
  if (line['type'] === 'result' && line['is_error'] === true) return failedResult(line);
  if (line['type'] !== 'system' || line['subtype'] !== 'api_retry') return undefined;
  const status = numberAt(line, 'error_status') || undefined;
  return failure(textAt(line, 'error') ?? 'the server failed', { status });
}

/** Of thinking nothing is kept. */
function piece(event: AgentEvent): string | undefined {
  if (event['type'] !== 'stream_event') return undefined;
  if (textAt(event, 'event', 'delta', 'type') === 'text_delta') return textAt(event, 'event', 'delta', 'text');
  return textAt(event, 'event', 'type') === 'content_block_delta' ? '' : undefined;
}

const inputCounts = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'];

export function inputOf(usage: unknown): number {
  return inputCounts.reduce((sum, name) => sum + numberAt(usage, name), 0);
}

/** Each message tells at its start what was read, and at its end what was written. */
function used(events: readonly AgentEvent[]): ModelUsage | undefined {
  let [input, output] = [0, 0];
  for (const event of ofType(events, 'stream_event')) {
    if (textAt(event, 'event', 'type') === 'message_start') input += inputOf(at(event, 'event', 'message', 'usage'));
    if (textAt(event, 'event', 'type') === 'message_delta')
      output += numberAt(event, 'event', 'usage', 'output_tokens');
  }
  return countedUsage(input, output);
}

function saidIn(result: AgentEvent): string {
  return textAt(result, 'result') ?? textAt(result, 'subtype') ?? '';
}

/** Whether it was ended at the most turns that it was told. */
export function isTurnsUp(result: AgentEvent): boolean {
  return textAt(result, 'subtype')?.startsWith('error_max') === true;
}

function failedResult(result: AgentEvent): AgentFailure {
  const said = saidIn(result);
  if (isTurnsUp(result))
    return failure(`it did not answer in one turn (${textAt(result, 'subtype') ?? ''})`, { error: 'malformed' });
  if (/not logged in|\/login/iu.test(said)) return failure(said, { error: 'auth', sent: false });
  if (/(?<!not your )usage limit|limit reached|out of (?:extra )?usage/iu.test(said))
    return failure(said, { error: 'quota' });
  if (/issue with the selected model/iu.test(said)) return failure(said, { error: 'model-not-found' });
  if (/empty or malformed|without receiving any events/iu.test(said)) return failure(said, { error: 'malformed' });
  return failure(said, { status: numberAt(result, 'api_error_status') || undefined });
}
