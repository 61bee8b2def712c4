import { askedForTool, countedUsage, failure, numberAt, ofType, textAt, unfinished } from './agentEvents.js';
import { longestAnswer } from './agentKind.js';
import type { AgentAsk, AgentKind, AgentOutcome, AgentPerson, AgentSaid, FoundLogin } from './agentKind.js';
import { variable } from './agentLogin.js';
import { folded, plainly } from './agentPrompt.js';
import { words } from './agentWords.js';

/**
 * Cursor's agent, as its vendor documents it: no test of ours has run it. It knows no switch that turns every tool off, only
 * permissions that refuse them, so it does not run as a model outside of a sandbox.
 */
export const cursorAgent: AgentKind = {
  id: 'cursor-agent',
  label: 'Cursor Agent',
  commands: ['cursor-agent'],
  places: ['.local/bin', '/usr/local/bin'],
  tested: false,
  oldest: '2025.9.0',
  install: 'curl https://cursor.com/install -fsS | bash',
  logIn: 'run “cursor-agent login” in a terminal, or set CURSOR_API_KEY.',
  listsModels: 'cursor-agent: /model',
  waysIn: ['CURSOR_API_KEY'],
  serverNamedBy: 'nothing',
  host: 'api2.cursor.sh',
  toolsOff: 'sandbox-only',
  atOnce: 2,
  addsTokens: 3_000,
  mostOutputTokens: (limit) => Math.max(limit, longestAnswer),
  limits: { firstByteMs: 120_000, idleMs: 120_000, totalMs: 900_000 },
  login: (person) => Promise.resolve(login(person)),
  environment: () => ({}),
  call,
  read,
  stops: (line) => (typeof line !== 'string' && line['type'] === 'tool_call' ? askedForTool : undefined),
};

/** By key alone: where its own login lies is not documented. */
function login(person: AgentPerson): FoundLogin | undefined {
  const key = variable(person, 'CURSOR_API_KEY')?.[1];
  if (key === undefined) return undefined;
  const handed = { CURSOR_API_KEY: key };
  return { kind: 'subscription', handOver: () => ({ kind: 'subscription', variables: handed, secrets: [key] }) };
}

function call({ model, ...said }: AgentAsk) {
  const permissions = { allow: [], deny: ['Shell(*)', 'Read(**)', 'Write(**)'] };
  return {
    arguments: words('--print --output-format stream-json --mode ask', model === undefined ? [] : ['--model', model]),
    environment: {},
    files: { '.cursor/cli-config.json': JSON.stringify({ version: 1, permissions }) },
    input: plainly(folded(said)),
  };
}

function read(all: AgentSaid): AgentOutcome {
  const { events, code, words: said } = all;
  const result = ofType(events, 'result').at(-1);
  if (result === undefined && /not logged in|authentication required|login/iu.test(said)) {
    return failure(said.trim(), { error: 'auth', sent: false });
  }
  if (result === undefined) return unfinished(all);
  const text = textAt(result, 'result') ?? '';
  if (result['is_error'] !== false || code !== 0) return failure(text === '' ? 'it failed' : text);
  if (ofType(events, 'assistant').length === 0)
    return failure('it ended without any answer of a model', { error: 'malformed' });
  const usage = result['usage'];
  return {
    kind: 'answered',
    text,
    usage: countedUsage(numberAt(usage, 'inputTokens'), numberAt(usage, 'outputTokens')),
  };
}
