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
import { variable, variables } from './agentLogin.js';
import { folded, plainly } from './agentPrompt.js';
import { words } from './agentWords.js';

/** A server of the person's own, in Copilot's variables. */
const provider = [
  'COPILOT_PROVIDER_BASE_URL',
  'COPILOT_PROVIDER_TYPE',
  'COPILOT_PROVIDER_API_KEY',
  'COPILOT_PROVIDER_BEARER_TOKEN',
  'COPILOT_PROVIDER_WIRE_API',
  'COPILOT_PROVIDER_AZURE_API_VERSION',
];

/** Copilot CLI of GitHub. */
export const copilotCli: AgentKind = {
  id: 'copilot-cli',
  label: 'GitHub Copilot CLI',
  commands: ['copilot'],
  places: ['.local/bin', '/usr/local/bin', '/opt/homebrew/bin'],
  tested: true,
  oldest: '1.0.102',
  install: 'npm install -g @github/copilot',
  logIn:
    'set COPILOT_GITHUB_TOKEN to a fine-grained token with the permission “Copilot Requests”; it keeps its own login in the system’s keychain, which is not read.',
  listsModels: 'copilot: /model',
  waysIn: ['COPILOT_GITHUB_TOKEN', 'COPILOT_PROVIDER_BASE_URL'],
  serverNamedBy: 'COPILOT_PROVIDER_BASE_URL',
  host: 'api.github.com',
  toolsOff: 'yes',
  atOnce: 2,
  addsTokens: 3_000,
  // It can be told for a server of the person's own alone.
  mostOutputTokens: (limit, paid) => (paid === 'own-server' ? limit : Math.max(limit, longestAnswer)),
  limits: { firstByteMs: 120_000, idleMs: 120_000, totalMs: 900_000 },
  login: (person) => Promise.resolve(login(person)),
  environment: ({ home }, person) => ({
    COPILOT_HOME: path.join(home, '.copilot'),
    // What it unpacks for itself: 235 MB that it would else unpack for each call.
    COPILOT_CACHE_HOME: cacheOf(person),
    COPILOT_AUTO_UPDATE: 'false',
  }),
  call,
  read,
  piece: (event) => (event['type'] === 'assistant.message_delta' ? textAt(event, 'data', 'deltaContent') : undefined),
  stops,
};

export function cacheOf(person: AgentPerson): string {
  const { environment, home } = person;
  const own = variable(person, 'COPILOT_CACHE_HOME')?.[1];
  if (own !== undefined) return own;
  if (process.platform === 'darwin') return path.join(home, 'Library', 'Caches', 'copilot');
  if (process.platform === 'win32') return path.join(environment['LOCALAPPDATA'] ?? home, 'copilot');
  return path.join(variable(person, 'XDG_CACHE_HOME')?.[1] ?? path.join(home, '.cache'), 'copilot');
}

function login(person: AgentPerson): FoundLogin | undefined {
  const server = variable(person, 'COPILOT_PROVIDER_BASE_URL')?.[1];
  if (server !== undefined) {
    const handed = { ...variables(person, provider), COPILOT_OFFLINE: 'true' };
    const secrets = ['COPILOT_PROVIDER_API_KEY', 'COPILOT_PROVIDER_BEARER_TOKEN'].flatMap(
      (name) => variable(person, name)?.[1] ?? [],
    );
    return { kind: 'own-server', server, handOver: () => ({ kind: 'own-server', variables: handed, secrets, server }) };
  }
  const token = variable(person, 'COPILOT_GITHUB_TOKEN')?.[1];
  if (token === undefined) return undefined;
  const handed = { COPILOT_GITHUB_TOKEN: token };
  return { kind: 'subscription', handOver: () => ({ kind: 'subscription', variables: handed, secrets: [token] }) };
}

export const usageFile = 'usage.json';

function call({ model, folders, login: { server }, maxOutputTokens, ...said }: AgentAsk) {
  const named = model === undefined ? [] : ['--model', model];
  return {
    arguments: words(
      '--output-format json --stream on --no-color --log-level none',
      '--available-tools=none --disable-builtin-mcps --no-custom-instructions --no-ask-user',
      '--no-auto-update --no-remote --no-remote-export --no-experimental --disable-client-telemetry',
      ['--usage-output-file', path.join(folders.home, usageFile)],
      // A server of the person's own is asked for a model by variable.
      server === undefined ? named : [],
    ),
    environment:
      server === undefined
        ? {}
        : {
            ...(model === undefined ? {} : { COPILOT_MODEL: model }),
            COPILOT_PROVIDER_MAX_OUTPUT_TOKENS: String(maxOutputTokens),
          },
    input: plainly(folded(said)),
    leaves: [usageFile],
  };
}

function read(all: AgentSaid): AgentOutcome {
  const { events, code, left } = all;
  const failed = ofType(events, 'session.error').at(-1);
  if (failed !== undefined) return failedSession(failed);
  const result = ofType(events, 'result').at(-1);
  if (result === undefined || code !== 0) return neverAsked(all) ?? unfinished(all);
  const text = textAt(ofType(events, 'assistant.message').at(-1), 'data', 'content');
  if (text === undefined) return failure('it ended without any answer of a model', { error: 'malformed' });
  return { kind: 'answered', text, usage: usageIn(parseJson(left[usageFile] ?? '')) };
}

function usageIn(file: unknown) {
  const metrics = at(file, 'modelMetrics');
  const models = typeof metrics === 'object' && metrics !== null ? Object.values(metrics) : [];
  const sum = (name: string): number => models.reduce((total, each) => total + numberAt(each, 'usage', name), 0);
  return countedUsage(sum('inputTokens'), sum('outputTokens'));
}

function neverAsked({ words: said }: AgentSaid): AgentFailure | undefined {
  if (/require an explicit model/iu.test(said)) return failure(said, { error: 'model-not-found', sent: false });
  return /no authentication|not logged in|authenticate|\/login/iu.test(said)
    ? failure(said.trim(), { error: 'auth', sent: false })
    : undefined;
}

function failedSession(event: AgentEvent): AgentFailure {
  const said = textAt(event, 'data', 'message') ?? 'the session failed';
  const type = textAt(event, 'data', 'errorType') ?? '';
  if (type === 'authentication' || type === 'authorization') return failure(said, { error: 'auth' });
  if (type === 'quota') return failure(said, { error: 'quota' });
  if (type === 'rate_limit') return failure(said, { error: 'rate-limit' });
  if (/no response was returned/iu.test(said)) return failure(said, { error: 'malformed' });
  return failure(said, { status: numberAt(event, 'data', 'statusCode') || undefined });
}

/** It would ask for ever where its model wants a tool, and twice more where the answer was cut, which it does not tell. */
function stops(line: AgentEvent | string, { events, written }: AgentSoFar): AgentStop | undefined {
  if (typeof line === 'string') return undefined;
  const type = textAt(line, 'type') ?? '';
  if (type === 'model.call_failure') return failedTry(line);
  const isTool = type === 'assistant.tool_call_delta' || type.startsWith('tool.');
  if (isTool || listAt(line, 'data', 'toolRequests').length > 0) return askedForTool;
  if (type !== 'assistant.turn_start' || ofType(events, type).length === 0) return undefined;
  return written === '' ? askedAgain : { kind: 'cut', text: written };
}

/** It would try the server again for a minute and more: its first failure is enough. */
export function failedTry(line: AgentEvent): AgentFailure {
  const status = numberAt(line, 'data', 'statusCode') || undefined;
  const said =
    textAt(line, 'data', 'errorMessage') ?? (status === undefined ? 'the connection broke' : `status ${status}`);
  return failure(said, /failed to parse/iu.test(said) ? { error: 'malformed' } : { status });
}
