import path from 'node:path';
import { parseJson } from '../../parseJson.js';
import { askedForTool, countedUsage, failure, numberAt, ofType, textAt, unfinished } from './agentEvents.js';
import type {
  AgentAsk,
  AgentEvent,
  AgentFailure,
  AgentKind,
  AgentOutcome,
  AgentPerson,
  AgentSaid,
  FoundLogin,
} from './agentKind.js';
import { variable, variables } from './agentLogin.js';
import { noSystem, plainly } from './agentPrompt.js';
import { words } from './agentWords.js';

/** Gemini CLI of Google. */
export const geminiCli: AgentKind = {
  id: 'gemini-cli',
  label: 'Gemini CLI',
  commands: ['gemini'],
  places: ['.local/bin', '/usr/local/bin', '/opt/homebrew/bin'],
  tested: true,
  oldest: '0.61.0',
  install: 'npm install -g @google/gemini-cli',
  logIn: 'run “gemini” in a terminal and choose how to log in, or set GEMINI_API_KEY.',
  listsModels: 'gemini: /model',
  waysIn: ['GEMINI_API_KEY'],
  serverNamedBy: 'GOOGLE_GEMINI_BASE_URL',
  host: 'generativelanguage.googleapis.com',
  toolsOff: 'yes',
  atOnce: 2,
  addsTokens: 300,
  mostOutputTokens: (limit) => limit,
  limits: { firstByteMs: 120_000, idleMs: 120_000, totalMs: 900_000 },
  login,
  environment: ({ home }) => ({ GEMINI_CLI_HOME: home, GEMINI_CLI_NO_RELAUNCH: 'true' }),
  call,
  read,
  piece: (event) =>
    event['type'] === 'message' && event['role'] === 'assistant' ? textAt(event, 'content') : undefined,
  stops: (line) => (typeof line !== 'string' && line['type'] === 'tool_use' ? askedForTool : undefined),
};

async function login(person: AgentPerson): Promise<FoundLogin | undefined> {
  const key = variable(person, 'GEMINI_API_KEY')?.[1];
  if (key !== undefined) {
    const server = variable(person, 'GOOGLE_GEMINI_BASE_URL')?.[1];
    const kind = server === undefined ? 'api-key' : 'own-server';
    const handed = variables(person, ['GEMINI_API_KEY', 'GOOGLE_GEMINI_BASE_URL']);
    return { kind, server, handOver: () => ({ kind, variables: handed, secrets: [key], server }) };
  }
  const kept = parseJson((await person.read(path.join(person.home, '.gemini', 'oauth_creds.json'))) ?? '');
  const token = textAt(kept, 'access_token') ?? '';
  if (token === '') return undefined;
  const handed = {
    ...variables(person, ['GOOGLE_CLOUD_PROJECT']),
    GOOGLE_GENAI_USE_GCA: 'true',
    GOOGLE_CLOUD_ACCESS_TOKEN: token,
  };
  return {
    kind: 'subscription',
    kept: true,
    until: numberAt(kept, 'expiry_date') || undefined,
    handOver: () => ({ kind: 'subscription', variables: handed, secrets: [token] }),
  };
}

const systemFile = 'system.md';
const tellingFile = 'telling.log';

function call({ model, system, prompt, maxOutputTokens, login: { kind }, folders }: AgentAsk) {
  const settings = {
    security: { auth: { selectedType: kind === 'subscription' ? 'oauth-personal' : 'gemini-api-key' } },
    privacy: { usageStatisticsEnabled: false },
    general: { maxAttempts: 1, retryFetchErrors: false, enableAutoUpdate: false, enableAutoUpdateNotification: false },
    // An answer that repeats itself is an answer.
    model: { maxSessionTurns: 1, skipNextSpeakerCheck: true, disableLoopDetection: true },
    // What every model that chats is asked with.
    modelConfigs: {
      customOverrides: [{ match: { model: 'chat-base' }, modelConfig: { generateContentConfig: { maxOutputTokens } } }],
    },
    // Why an answer ended is told nowhere else.
    telemetry: { enabled: true, target: 'local', outfile: path.join(folders.home, tellingFile), logPrompts: false },
    tools: { core: [] },
    context: { includeDirectoryTree: false },
    skills: { enabled: false },
    hooksConfig: { enabled: false },
    experimental: { enableAgents: false },
  };
  return {
    arguments: words('-o stream-json --skip-trust --approval-mode default', model === undefined ? [] : ['-m', model]),
    environment: { GEMINI_SYSTEM_MD: path.join(folders.home, systemFile) },
    files: {
      [systemFile]: system === '' ? noSystem : system,
      '.gemini/settings.json': JSON.stringify(settings),
      // A tool that is denied for every call is not offered at all.
      '.gemini/policies/no-tools.toml': '[[rule]]\ntoolName = "*"\ndecision = "deny"\npriority = 999\n',
    },
    input: plainly(prompt),
    leaves: [tellingFile],
  };
}

function read(all: AgentSaid): AgentOutcome {
  const { events, code, written, left } = all;
  const result = ofType(events, 'result').at(-1);
  if (result === undefined) return failedStart(all) ?? unfinished(all);
  if (textAt(result, 'status') !== 'success' || code !== 0) return failedResult(result, all);
  if (written === '') return failure('it ended without any answer of a model', { error: 'malformed' });
  return {
    kind: 'answered',
    text: written,
    usage: countedUsage(numberAt(result, 'stats', 'input_tokens'), numberAt(result, 'stats', 'output_tokens')),
    cut: wasCut.test(left[tellingFile] ?? ''),
  };
}

/** Of a line of its own, which no text can make: there line breaks are escaped. */
const wasCut = /^[^\S\n]*"finish_reasons": \[\s*"(?:max_tokens|length)"/imu;

/** The status stands in its error output alone. */
function failedResult(result: AgentEvent, { events, words: errors }: AgentSaid): AgentFailure {
  const said = textAt(result, 'error', 'message') ?? textAt(ofType(events, 'error').at(-1), 'message') ?? 'it failed';
  if (/empty response|in JSON at position|max session turns/iu.test(said)) return failure(said, { error: 'malformed' });
  if (/(?:exhausted|exceeded) your (?:daily|capacity|quota)/iu.test(said)) return failure(said, { error: 'quota' });
  const status = /^[^\S\n]*status: (\d{3})/mu.exec(errors)?.[1];
  return failure(said, { status: status === undefined ? undefined : Number(status) });
}

function failedStart({ words: said, code }: AgentSaid): AgentFailure | undefined {
  return code === 41 ? failure(said.trim(), { error: 'auth', sent: false }) : undefined;
}
