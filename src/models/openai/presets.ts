import type { Capabilities } from './capabilities.js';

/** A server that people have, and where its key and address usually lie. */
export interface Preset {
  readonly id: string;
  readonly label: string;
  /** Undefined where the person must state it. */
  readonly baseUrl: string | undefined;
  /** Environment variables that hold the key, first match wins; none for servers without keys. */
  readonly keyVariables: readonly string[];
  /** Environment variables that hold the address, for servers that have no common one. */
  readonly endpointVariables?: readonly string[];
  readonly local: boolean;
  /** Where a person gets a key, or how a local server is started. */
  readonly help: string;
  /** First guesses that save a refused call. The server's answers overrule them. */
  readonly hints?: Partial<Capabilities>;
  /** How it is told for how many tokens to think; undefined where it cannot be, or takes no number. */
  readonly thinking?: (tokens: number) => Readonly<Record<string, unknown>>;
}

/** In the order in which a person is offered them. */
export const presets: readonly Preset[] = [
  {
    id: 'openai',
    label: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    keyVariables: ['OPENAI_API_KEY'],
    local: false,
    help: 'Create a key at https://platform.openai.com/api-keys.',
    hints: { limitParameter: 'max_completion_tokens' },
  },
  {
    id: 'azure',
    label: 'Azure OpenAI',
    baseUrl: undefined,
    keyVariables: ['AZURE_OPENAI_API_KEY'],
    endpointVariables: ['AZURE_OPENAI_ENDPOINT', 'AZURE_ENDPOINT'],
    local: false,
    help: 'Copy endpoint and key from the resource’s page “Keys and Endpoint”; the model is the deployment’s name. Without a key: add login=azure_cli, login=managed_identity or, in VS Code, login=vscode.',
    hints: { limitParameter: 'max_completion_tokens' },
  },
  {
    id: 'anthropic',
    label: 'Anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    keyVariables: ['ANTHROPIC_API_KEY'],
    local: false,
    help: 'Create a key at https://console.anthropic.com/settings/keys.',
    hints: { structured: 'prompt' }, // takes response_format and ignores it
    thinking: (tokens) => ({ thinking: { type: 'enabled', budget_tokens: tokens } }),
  },
  {
    id: 'gemini',
    label: 'Google Gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    local: false,
    help: 'Create a key at https://aistudio.google.com/apikey.',
    thinking: (tokens) => ({ extra_body: { google: { thinking_config: { thinking_budget: tokens } } } }),
  },
  {
    id: 'openrouter',
    label: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyVariables: ['OPENROUTER_API_KEY'],
    local: false,
    help: 'Create a key at https://openrouter.ai/keys.',
    thinking: (tokens) => ({ reasoning: { max_tokens: tokens } }),
  },
  {
    id: 'deepseek',
    label: 'DeepSeek',
    baseUrl: 'https://api.deepseek.com/v1',
    keyVariables: ['DEEPSEEK_API_KEY'],
    local: false,
    help: 'Create a key at https://platform.deepseek.com/api_keys.',
    hints: { structured: 'json_object' },
  },
  {
    id: 'qwen',
    label: 'Qwen (Alibaba Cloud)',
    baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    keyVariables: ['DASHSCOPE_API_KEY', 'QWEN_API_KEY'],
    local: false,
    help: 'Create a key in Alibaba Cloud Model Studio; keys of mainland China need https://dashscope.aliyuncs.com/compatible-mode/v1.',
    thinking: (tokens) => ({ enable_thinking: true, thinking_budget: tokens }),
    hints: { structured: 'json_object' },
  },
  {
    id: 'minimax',
    label: 'MiniMax',
    baseUrl: 'https://api.minimax.io/v1',
    keyVariables: ['MINIMAX_API_KEY'],
    local: false,
    help: 'Create a key on https://platform.minimax.io.',
  },
  {
    id: 'ollama',
    label: 'Ollama',
    baseUrl: 'http://localhost:11434/v1',
    keyVariables: [],
    local: true,
    help: 'Start it with `ollama serve`, and fetch a model with `ollama pull <model>`.',
  },
  {
    id: 'lmstudio',
    label: 'LM Studio',
    baseUrl: 'http://localhost:1234/v1',
    keyVariables: [],
    local: true,
    help: 'Load a model and start the server on its page “Developer”.',
  },
  {
    id: 'vllm',
    label: 'vLLM',
    baseUrl: 'http://localhost:8000/v1',
    keyVariables: ['VLLM_API_KEY'],
    local: true,
    help: 'Start it with `vllm serve <model>`.',
  },
  {
    id: 'llamacpp',
    label: 'llama.cpp',
    baseUrl: 'http://localhost:8080/v1',
    keyVariables: [],
    local: true,
    help: 'Start it with `llama-server -m <model.gguf>`.',
  },
];

export function presetOf(provider: string): Preset | undefined {
  return presets.find(({ id }) => id === provider);
}

/** What tells a server for how many tokens to think, by name; nothing where it cannot be told in tokens. */
export function thinkingOptions(provider: string, tokens: number | undefined): Readonly<Record<string, unknown>> {
  return tokens === undefined ? {} : (presetOf(provider)?.thinking?.(tokens) ?? {});
}

/** The names of models help to guess, never to decide. */
export function guessCapabilities(provider: string, model: string): Capabilities {
  const reasons = /(?:^|\/)(?:o\d|gpt-5)/.test(model);
  return {
    limitParameter: reasons ? 'max_completion_tokens' : 'max_tokens',
    temperature: !reasons,
    structured: 'json_schema',
    streaming: true,
    streamUsage: true,
    systemRole: 'system',
    longestAnswer: undefined,
    window: undefined,
    counted: [],
    refused: [],
    ...presetOf(provider)?.hints,
  };
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Where a preset's server is on this machine; undefined where only the person can say. */
export function presetAddress(preset: Preset, environment: Environment): string | undefined {
  if (preset.id === 'ollama') return ollamaAddress(preset, environment['OLLAMA_HOST']);
  if (preset.baseUrl !== undefined) return preset.baseUrl;
  return (preset.endpointVariables ?? []).map((name) => environment[name]).find((value) => (value ?? '') !== '');
}

/** Ollama listens where this variable says. */
function ollamaAddress({ baseUrl }: Preset, host: string | undefined): string | undefined {
  if (host === undefined || host === '') return baseUrl;
  const address = /^https?:\/\//.test(host) ? host : `http://${host}`;
  if (!URL.canParse(address)) return baseUrl;
  const url = new URL(address);
  const name = url.hostname === '0.0.0.0' ? 'localhost' : url.hostname;
  return `${url.protocol}//${name}:${url.port === '' ? '11434' : url.port}/v1`;
}
