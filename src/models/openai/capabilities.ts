import { presetOf } from './presets.js';

/** What a server takes for one model. Guessed at first, then learnt from what it refuses. */
export interface Capabilities {
  readonly limitParameter: 'max_tokens' | 'max_completion_tokens';
  readonly temperature: boolean;
  /** How a reply is held to a schema: by the server, half by the server, or by asking for it. */
  readonly structured: 'json_schema' | 'json_object' | 'prompt';
  readonly streaming: boolean;
  /** Whether a stream can end with the usage. */
  readonly streamUsage: boolean;
  /** `user`: the model knows no system message, and hears it as part of the first question. */
  readonly systemRole: 'system' | 'user';
  /** The longest answer it gives, where it said so. */
  readonly longestAnswer: number | undefined;
  /** Extra options that it refused by name. */
  readonly refused: readonly string[];
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
    refused: [],
    ...presetOf(provider)?.hints,
  };
}

/** Remembers what was learnt about each endpoint and model for as long as it lives. Share one between adapters. */
export interface LearnedCapabilities {
  recall(endpoint: string, model: string): Capabilities | undefined;
  remember(endpoint: string, model: string, capabilities: Capabilities): void;
}

export function createLearnedCapabilities(): LearnedCapabilities {
  const known = new Map<string, Capabilities>();
  return {
    recall: (endpoint, model) => known.get(JSON.stringify([endpoint, model])),
    remember: (endpoint, model, capabilities) => void known.set(JSON.stringify([endpoint, model]), capabilities),
  };
}
