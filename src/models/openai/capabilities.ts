import * as z from 'zod';

/** What a server takes for one model. Guessed at first, then learnt from what it refuses. */
export interface Capabilities {
  readonly limitParameter: 'max_tokens' | 'max_completion_tokens';
  readonly temperature: boolean;
  /** How a reply is held to a schema: by the server, half by the server, or by asking for it. */
  readonly structured: 'json_schema' | 'json_object' | 'prompt';
  readonly streaming: boolean;
  /** Whether a stream can end with the usage. */
  readonly streamUsage: boolean;
  /** `user`: the model knows no system message, which becomes part of the first question. */
  readonly systemRole: 'system' | 'user';
  /** The longest answer it gives, where it said so. */
  readonly longestAnswer: number | undefined;
  /** Extra options that it refused by name. */
  readonly refused: readonly string[];
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

const TakenForm = z.object({
  limitParameter: z.enum(['max_tokens', 'max_completion_tokens']),
  temperature: z.boolean(),
  structured: z.enum(['json_schema', 'json_object', 'prompt']),
  streaming: z.boolean(),
  streamUsage: z.boolean(),
  systemRole: z.enum(['system', 'user']),
  longestAnswer: z.number().optional(),
  refused: z.array(z.string()),
});

/** What is left of both, where another process has learnt something too. What is no form teaches nothing. */
export function withTold(own: Capabilities, form: unknown): Capabilities {
  const read = TakenForm.safeParse(form);
  if (!read.success) return own;
  const told = read.data;
  const weakest = (['prompt', 'json_object', 'json_schema'] as const).find((each) =>
    [own.structured, told.structured].includes(each),
  );
  const longest = Math.min(own.longestAnswer ?? Infinity, told.longestAnswer ?? Infinity);
  return {
    limitParameter: told.limitParameter,
    temperature: own.temperature && told.temperature,
    structured: weakest ?? own.structured,
    streaming: own.streaming && told.streaming,
    streamUsage: own.streamUsage && told.streamUsage,
    systemRole: own.systemRole === 'user' ? 'user' : told.systemRole,
    longestAnswer: longest === Infinity ? undefined : longest,
    refused: [...new Set([...own.refused, ...told.refused])],
  };
}

/** A refused request, as far as the server explained it. */
export interface Refusal {
  readonly status: number | undefined;
  readonly message: string;
  readonly parameter: string | undefined;
}

/** What was asked for when the server refused. */
interface RequestFeatures {
  readonly maxOutputTokens: number;
  readonly structured: boolean;
  readonly extraNames: readonly string[];
}

/**
 * What a refusal teaches, or undefined where it teaches nothing new. Each lesson takes something away, so that asking
 * again with it ends after a few rounds.
 */
export function learnFrom(known: Capabilities, refusal: Refusal, asked: RequestFeatures): Capabilities | undefined {
  if (!isAboutTheRequest(refusal, asked)) return undefined;
  const text = `${refusal.parameter ?? ''} ${refusal.message}`.toLowerCase();
  for (const lesson of lessons) {
    const learnt = lesson(known, text, asked);
    if (learnt !== undefined) return { ...known, ...learnt };
  }
  return undefined;
}

/** Some servers answer 500 where a model's template refuses a role, and Ollama where it cannot make a grammar of a schema. */
function isAboutTheRequest({ status, message }: Refusal, { structured }: RequestFeatures): boolean {
  if (status !== 500) return status === 400 || status === 422;
  return /system role not supported|template/i.test(message) || (structured && saysSchema.test(message));
}

const saysSchema = /response_format|json_schema|json_object|schema|grammar|sampling context/i;

type Lesson = (known: Capabilities, text: string, asked: RequestFeatures) => Partial<Capabilities> | undefined;

const lessons: readonly Lesson[] = [
  // "the valid range of max_tokens is [1, 8192]", "supports at most 16384 completion tokens", "4096 and your request has 900 input"
  ({ longestAnswer }, text, { maxOutputTokens }) => {
    const longest = statedLimit(text);
    const current = Math.min(maxOutputTokens, longestAnswer ?? Infinity);
    return longest !== undefined && longest < current ? { longestAnswer: longest } : undefined;
  },
  ({ limitParameter }, text) =>
    limitParameter === 'max_tokens' && /max_tokens/.test(text) && saysUnsupported(text)
      ? { limitParameter: 'max_completion_tokens' }
      : undefined,
  ({ limitParameter }, text) =>
    limitParameter === 'max_completion_tokens' && /max_completion_tokens/.test(text) && saysUnsupported(text)
      ? { limitParameter: 'max_tokens' }
      : undefined,
  ({ temperature }, text) => (temperature && /temperature/.test(text) ? { temperature: false } : undefined),
  ({ streamUsage }, text) =>
    streamUsage && /stream_options|include_usage/.test(text) ? { streamUsage: false } : undefined,
  ({ structured }, text, asked) =>
    asked.structured && structured !== 'prompt' && saysSchema.test(text)
      ? { structured: structured === 'json_schema' ? 'json_object' : 'prompt' }
      : undefined,
  ({ refused }, text, { extraNames }) => {
    const named = extraNames.filter((name) => !refused.includes(name) && text.includes(name.toLowerCase()));
    return named.length > 0 ? { refused: [...refused, ...named] } : undefined;
  },
  ({ systemRole }, text) =>
    systemRole === 'system' && /system\b.{0,40}(?:role|message|instruction)|role.{0,60}\bsystem/.test(text)
      ? { systemRole: 'user' }
      : undefined,
  ({ streaming }, text) => (streaming && /\bstream(?:ing)?\b/.test(text) ? { streaming: false } : undefined),
];

function saysUnsupported(text: string): boolean {
  return /unsupported|not support|unrecognized|unknown|unexpected|not permitted|extra|instead|invalid parameter/.test(
    text,
  );
}

function statedLimit(text: string): number | undefined {
  const window =
    /maximum context length (?:is|of) (\d+)[^]*?(?:(?:has|contains at least) (\d+) input|\((\d+) in (?:the|your))/.exec(
      text,
    );
  if (window !== null) return usable(Number(window[1]) - Number(window[2] ?? window[3]) - templateMargin);
  if (!/max_(?:completion_)?tokens|output tokens|completion tokens/.test(text)) return undefined;
  const stated = /(?:at most |less than or equal to |<= ?|\[1, ?|\d > )(\d+)/.exec(text);
  return stated === null ? undefined : usable(Number(stated[1]));
}

const templateMargin = 16; // chat templates add a few tokens that the server has not counted yet

/** A window too small for any answer is a prompt too long, which no shorter answer mends. */
function usable(tokens: number): number | undefined {
  return tokens >= 64 ? tokens : undefined;
}
