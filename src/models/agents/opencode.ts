import path from 'node:path';
import { parseJson } from '../../parseJson.js';
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
import type {
  AgentAsk,
  AgentEvent,
  AgentFailure,
  AgentKind,
  AgentLogin,
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

/** The key that opencode reads for a provider; each is handed over for models of that provider alone. */
const providerKeys: Readonly<Record<string, string>> = {
  opencode: 'OPENCODE_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  openai: 'OPENAI_API_KEY',
  openrouter: 'OPENROUTER_API_KEY',
  google: 'GOOGLE_GENERATIVE_AI_API_KEY',
  groq: 'GROQ_API_KEY',
  mistral: 'MISTRAL_API_KEY',
  deepseek: 'DEEPSEEK_API_KEY',
  xai: 'XAI_API_KEY',
};

export const configVariable = 'OPENCODE_CONFIG_CONTENT';

/** OpenCode. */
export const opencode: AgentKind = {
  id: 'opencode',
  label: 'OpenCode',
  commands: ['opencode'],
  places: ['.opencode/bin', '.local/bin', '/usr/local/bin', '/opt/homebrew/bin'],
  tested: true,
  oldest: '1.18.33',
  install: 'npm install -g opencode-ai',
  logIn: 'run “opencode auth login” in a terminal.',
  listsModels: 'opencode models',
  waysIn: [...Object.values(providerKeys), configVariable],
  serverNamedBy: 'the baseURL of its provider',
  host: 'opencode.ai',
  toolsOff: 'yes',
  atOnce: 1, // it takes 650 MB
  addsTokens: 300,
  mostOutputTokens: (limit) => limit,
  // It tells nothing before an answer is whole, nor that it tries again.
  limits: { firstByteMs: 180_000, idleMs: 180_000, totalMs: 600_000 },
  login,
  environment: () => ({
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_EXTERNAL_SKILLS: '1',
    OPENCODE_DISABLE_PROJECT_CONFIG: '1',
    OPENCODE_DISABLE_CLAUDE_CODE: '1',
  }),
  call,
  read,
  stops,
  used,
};

async function login(person: AgentPerson, model: string | undefined): Promise<FoundLogin | undefined> {
  const provider = model?.includes('/') === true ? model.split('/')[0] : undefined;
  return (await ownServer(person, provider)) ?? withKey(person, provider) ?? (await keptLogin(person, provider));
}

/** A provider that the person described, without anything else of that file. */
async function ownServer(person: AgentPerson, provider: string | undefined): Promise<FoundLogin | undefined> {
  const file = path.join(person.home, '.config', 'opencode', 'opencode.json');
  const described = variable(person, configVariable)?.[1] ?? (await person.read(file)) ?? '';
  const all = at(parseJson(described), 'provider');
  const name = provider ?? (all instanceof Object ? Object.keys(all)[0] : undefined);
  const server = name === undefined ? undefined : textAt(all, name, 'options', 'baseURL');
  if (name === undefined || server === undefined) return undefined;
  const key = textAt(all, name, 'options', 'apiKey');
  const handed = { [configVariable]: JSON.stringify({ provider: { [name]: at(all, name) } }) };
  const secrets = key === undefined ? [] : [key];
  return { kind: 'own-server', server, handOver: () => ({ kind: 'own-server', variables: handed, secrets, server }) };
}

function withKey(person: AgentPerson, provider: string | undefined): FoundLogin | undefined {
  const names = provider === undefined ? Object.values(providerKeys) : [providerKeys[provider] ?? ''];
  const key = variable(person, ...names);
  if (key === undefined) return undefined;
  const handed = { [key[0]]: key[1] };
  return { kind: 'api-key', handOver: () => ({ kind: 'api-key', variables: handed, secrets: [key[1]] }) };
}

async function keptLogin(person: AgentPerson, wanted: string | undefined): Promise<FoundLogin | undefined> {
  const data = variable(person, 'XDG_DATA_HOME')?.[1] ?? path.join(person.home, '.local', 'share');
  const kept = parseJson((await person.read(path.join(data, 'opencode', 'auth.json'))) ?? '');
  const provider = wanted ?? (kept instanceof Object ? Object.keys(kept)[0] : undefined);
  return provider === undefined ? undefined : loginOf(provider, at(kept, provider));
}

function loginOf(provider: string, kept: unknown): FoundLogin | undefined {
  const [access = '', key = ''] = [textAt(kept, 'access'), textAt(kept, 'key')];
  if (access !== '') {
    const expires = numberAt(kept, 'expires');
    const entry = { type: 'oauth', access, refresh: '', expires } as const;
    return { ...handing(provider, entry, access), until: expires || undefined };
  }
  return key === '' ? undefined : handing(provider, { type: 'api', key }, key);
}

type AuthEntry =
  | { readonly type: 'api'; readonly key: string }
  | { readonly type: 'oauth'; readonly access: string; readonly refresh: string; readonly expires: number };

function handing(provider: string, entry: AuthEntry, secret: string): FoundLogin {
  const kind = entry.type === 'oauth' ? 'subscription' : 'api-key';
  const handed = { OPENCODE_AUTH_CONTENT: JSON.stringify({ [provider]: entry }) };
  return { kind, kept: true, handOver: () => ({ kind, variables: handed, secrets: [secret] }) };
}

/** An agent of ours that has no tools, in the place of the one that builds. */
function configOf(system: string, { variables }: AgentLogin): string {
  const off = { tools: { '*': false }, permission: { '*': 'deny' } };
  return JSON.stringify({
    ...Object(parseJson(variables[configVariable] ?? '')),
    ...off,
    agent: { whetstone: { mode: 'primary', prompt: system === '' ? noSystem : system, ...off } },
    share: 'disabled',
    autoupdate: false,
    snapshot: false,
    lsp: false,
    formatter: false,
  });
}

/** In a home without these it fetches a package for plugins, which are off, from npm's registry at every start. */
export const pluginsInstalled = {
  '.config/opencode/package-lock.json': '{"packages":{"":{"dependencies":{"@opencode-ai/plugin":"*"}}}}',
  '.config/opencode/node_modules/.keep': '',
};

function call({ model, system, prompt, maxOutputTokens, login: handed }: AgentAsk) {
  return {
    arguments: words(
      // Without a title it would ask a model for one.
      'run --pure --agent whetstone --title whetstone --format json --print-logs --log-level ERROR',
      model === undefined ? [] : ['-m', model],
    ),
    environment: {
      [configVariable]: configOf(system, handed),
      OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX: String(maxOutputTokens),
    },
    files: pluginsInstalled,
    input: plainly(prompt),
  };
}

function read(all: AgentSaid): AgentOutcome {
  const { events, code } = all;
  const failed = ofType(events, 'error').at(-1);
  if (failed !== undefined) return failedSession(failed);
  const steps = ofType(events, 'step_finish');
  if (/^opencode run \[message/mu.test(all.words)) {
    return failure('it does not know how it was called', { error: 'endpoint', sent: false });
  }
  if (steps.length === 0 || code !== 0) return unfinished(all);
  const text = ofType(events, 'text').map((event) => textAt(event, 'part', 'text') ?? '');
  const cut = steps.some((step) => textAt(step, 'part', 'reason') === 'length');
  return { kind: 'answered', text: text.at(-1) ?? '', usage: used(events), cut };
}

function used(events: readonly AgentEvent[]): ModelUsage | undefined {
  const steps = ofType(events, 'step_finish');
  const sum = (...names: readonly string[]): number =>
    steps.reduce((total, step) => total + numberAt(step, 'part', ...names), 0);
  const input = sum('tokens', 'input') + sum('tokens', 'cache', 'read') + sum('tokens', 'cache', 'write');
  return countedUsage(input, sum('tokens', 'output') + sum('tokens', 'reasoning'), sum('cost'));
}

function failedSession(event: AgentEvent): AgentFailure {
  const said = textAt(event, 'error', 'data', 'message') ?? textAt(event, 'error', 'name') ?? 'the session failed';
  return failedTry(said, { status: numberAt(event, 'error', 'data', 'statusCode') || undefined });
}

function failedTry(said: string, more: Pick<AgentFailure, 'status' | 'graceMs'>): AgentFailure {
  const { graceMs: grace } = more;
  return /json ?pars/iu.test(said) ? failure(said, { error: 'malformed', graceMs: grace }) : failure(said, more);
}

/** What a line of its log says of a try that failed. A line may be megabytes of anything, so it is gone through once. */
function tryFailed(line: string): string | undefined {
  const from = line.indexOf('message="stream error"');
  const told = from < 0 ? -1 : line.lastIndexOf(saidAs);
  if (told < 0 || told < from) return undefined;
  return /^(?:AI_APICallError: )?([^"]*)/u.exec(line.slice(told + saidAs.length))?.[1];
}

const saidAs = 'error.error="';

const graceMs = 1_000; // it tries again after two seconds, and says at once where it does not

/** What a line of its log says of a try that failed, as a failure: it is let go on for a moment where it was the first. */
export function failedTryIn(line: string, { words: before }: Pick<AgentSoFar, 'words'>): AgentFailure | undefined {
  const said = tryFailed(line);
  if (said === undefined) return undefined;
  const hasFailedBefore = before.split('\n').some((each) => tryFailed(each) !== undefined);
  return failedTry(said, hasFailedBefore ? {} : { graceMs });
}

/** It tries again for ever where that may help, and says so in its log alone. */
function stops(line: AgentEvent | string, before: AgentSoFar): AgentStop | undefined {
  if (typeof line === 'string') return failedTryIn(line, before);
  const { events } = before;
  if (line['type'] === 'tool_use') return askedForTool;
  return line['type'] === 'step_start' && ofType(events, 'step_start').length > 0 ? askedAgain : undefined;
}
