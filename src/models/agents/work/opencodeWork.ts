import { mapTexts } from '../../../mapTexts.js';
import { parseJson } from '../../../parseJson.js';
import { at, numberAt, textAt } from '../agentEvents.js';
import type { AgentEvent, AgentLogin } from '../agentKind.js';
import { plainly } from '../agentPrompt.js';
import { words } from '../agentWords.js';
import { configVariable, failedTryIn, opencode, pluginsInstalled } from '../opencode.js';
import { longestStep, type AgentAtWork, type ProgramEvent, type WorkAsk } from './agentAtWork.js';

/** OpenCode: a skill is offered in its system prompt, loaded by the tool `skill`, and forced as a command. */
export const opencodeWork: AgentAtWork = {
  skillsFolder: '.agents/skills',
  tellsUsage: true,
  tellsTurns: true,
  tellsCalls: false,
  callTokens: 1_032_000,
  forcedByPrompt: true,
  environment: () => ({
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX: String(longestStep),
  }),
  start,
  hosts: (_login, model) => [hostOf[model?.split('/')[0] ?? ''] ?? opencode.host],
  tell,
  stops: (line, before) => (typeof line === 'string' ? failedTryIn(line, before) : undefined),
  read: (said) => opencode.read(said),
};

/** Of the providers whose keys it is handed. */
const hostOf: Readonly<Record<string, string>> = {
  anthropic: 'api.anthropic.com',
  openai: 'api.openai.com',
  openrouter: 'openrouter.ai',
  google: 'generativelanguage.googleapis.com',
  groq: 'api.groq.com',
  mistral: 'api.mistral.ai',
  deepseek: 'api.deepseek.com',
  xai: 'api.x.ai',
};

function start({ model, prompt, skill, mode, login }: WorkAsk) {
  return {
    arguments: words(
      // Without a title it would ask a model for one.
      'run --pure --auto --title whetstone --format json --print-logs --log-level ERROR',
      model === undefined ? [] : ['-m', model],
      skill !== undefined && mode === 'forced' ? ['--command', skill] : [],
    ),
    environment: { [configVariable]: configOf(login) },
    secrets: keysOf(login),
    files: pluginsInstalled,
    input: plainly(prompt),
  };
}

/** The config of its provider names the key's variable, not the key: what is in a variable can be kept from the agent. */
function configOf({ variables, secrets }: AgentLogin): string {
  const quiet = { share: 'disabled', autoupdate: false, snapshot: false, lsp: false, formatter: false };
  const own = mapTexts(parseJson(variables[configVariable] ?? ''), (text) =>
    secrets.includes(text) ? `{env:${keyVariable}}` : text,
  );
  return JSON.stringify({ ...Object(own), ...quiet });
}

function keysOf({ variables, secrets: [secret] }: AgentLogin): Readonly<Record<string, string>> {
  return variables[configVariable] === undefined || secret === undefined ? {} : { [keyVariable]: secret };
}

const keyVariable = 'KEY_OF_THE_PROVIDER';

function tell(event: AgentEvent): readonly ProgramEvent[] {
  const part = at(event, 'part');
  const id = textAt(part, 'id') ?? '';
  switch (event['type']) {
    case 'step_start':
      return [{ kind: 'turn', id }];
    case 'text':
      return [{ kind: 'assistant', text: textAt(part, 'text') ?? '' }];
    case 'tool_use':
      return toolIn(part);
    case 'step_finish':
      return [{ kind: 'usage', id, ...tokensOf(part) }];
    default:
      return [];
  }
}

/** It tells a call when it is over. */
function toolIn(part: unknown): readonly ProgramEvent[] {
  const [id = '', name = ''] = [textAt(part, 'callID'), textAt(part, 'tool')];
  const [state, input] = [at(part, 'state'), at(part, 'state', 'input')];
  const skill = name === 'skill' ? textAt(input, 'name') : undefined;
  const command = name === 'bash' ? textAt(input, 'command') : undefined;
  const code = at(state, 'metadata', 'exit');
  const ok = textAt(state, 'status') === 'completed' && (code === undefined || code === 0);
  const output = textAt(state, 'output') ?? textAt(state, 'error') ?? '';
  return [
    { kind: 'call', id, name, input, command, skill },
    { kind: 'result', id, output, ok },
  ];
}

function tokensOf(part: unknown): { readonly inputTokens: number; readonly outputTokens: number } {
  const of = (...names: readonly string[]): number => numberAt(part, 'tokens', ...names);
  return {
    inputTokens: of('input') + of('cache', 'read') + of('cache', 'write'),
    outputTokens: of('output') + of('reasoning'),
  };
}
