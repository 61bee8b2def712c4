import * as z from 'zod';
import type { ModelRequest } from '../../ports/languageModel.js';
import { guessInputTokens, leastInputTokens } from '../tokens.js';

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
  /** The most tokens of prompt and answer together, where it said so. */
  readonly window: number | undefined;
  /** Prompts that it refused for that, by our count of them and by its own. */
  readonly counted: readonly CountedPrompt[];
  /** Extra options that it refused by name. */
  readonly refused: readonly string[];
}

type CountedPrompt = z.infer<typeof CountedForm>;

const CountedForm = z.object({ ours: z.number(), said: z.number() });

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
  window: z.number().optional(),
  counted: z.array(CountedForm).default([]),
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
  return {
    limitParameter: told.limitParameter,
    temperature: own.temperature && told.temperature,
    structured: weakest ?? own.structured,
    streaming: own.streaming && told.streaming,
    streamUsage: own.streamUsage && told.streamUsage,
    systemRole: own.systemRole === 'user' ? 'user' : told.systemRole,
    longestAnswer: lesser(own.longestAnswer, told.longestAnswer),
    window: lesser(own.window, told.window),
    counted: told.counted.reduce(withCount, own.counted),
    refused: [...new Set([...own.refused, ...told.refused])],
  };
}

function lesser(one: number | undefined, other: number | undefined): number | undefined {
  const least = Math.min(one ?? Infinity, other ?? Infinity);
  return least === Infinity ? undefined : least;
}

function withCount(counted: readonly CountedPrompt[], one: CountedPrompt): readonly CountedPrompt[] {
  const said = Math.max(one.said, saidOf(counted, one.ours) ?? 0);
  return [...counted.filter(({ ours }) => ours !== one.ours), { ours: one.ours, said }].slice(-mostCounted);
}

function saidOf(counted: readonly CountedPrompt[], asked: number): number | undefined {
  return counted.find(({ ours }) => ours === asked)?.said;
}

const mostCounted = 64;

/**
 * The longest answer that can be asked for with a prompt. What a prompt leaves of the window is certain only once the server
 * counted it; until then the answer may have all that is left by the fewest tokens that the prompt can be.
 */
export function answerLimit(request: ModelRequest, { longestAnswer, window, counted }: Capabilities): number {
  const longest = Math.min(request.maxOutputTokens, longestAnswer ?? Infinity);
  if (window === undefined) return longest;
  const prompt = saidOf(counted, guessInputTokens(request)) ?? leastInputTokens(request);
  return Math.min(longest, usable(window - prompt - templateMargin) ?? Infinity);
}

/** A refused request, as far as the server explained it. */
export interface Refusal {
  readonly status: number | undefined;
  readonly message: string;
  readonly parameter: string | undefined;
}

/** What was asked for when the server refused. */
interface RequestFeatures {
  /** By our own count. */
  readonly promptTokens: number;
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
  // "maximum context length is 4096 tokens and your request has 900 input tokens": of this prompt; a shorter one leaves more.
  ({ window, counted }, text, { maxOutputTokens, promptTokens }) => {
    const stated = statedWindow(text);
    const room = stated === undefined ? undefined : usable(stated.window - stated.input - templateMargin);
    if (stated === undefined || room === undefined || room >= maxOutputTokens) return undefined;
    const isKnown = (saidOf(counted, promptTokens) ?? 0) >= stated.input && (window ?? Infinity) <= stated.window;
    if (isKnown) return undefined;
    const count = { ours: promptTokens, said: stated.input };
    return { window: lesser(window, stated.window), counted: withCount(counted, count) };
  },
  // "the valid range of max_tokens is [1, 8192]", "supports at most 16384 completion tokens"
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

function statedWindow(text: string): { readonly window: number; readonly input: number } | undefined {
  const stated =
    /maximum context length (?:is|of) (\d+)[^]*?(?:(?:has|contains at least) (\d+) input|\((\d+) in (?:the|your))/.exec(
      text,
    );
  return stated === null ? undefined : { window: Number(stated[1]), input: Number(stated[2] ?? stated[3]) };
}

function statedLimit(text: string): number | undefined {
  if (statedWindow(text) !== undefined) return undefined;
  if (!/max_(?:completion_)?tokens|output tokens|completion tokens/.test(text)) return undefined;
  const stated = /(?:at most |less than or equal to |<= ?|\[1, ?|\d > )(\d+)/.exec(text);
  return stated === null ? undefined : usable(Number(stated[1]));
}

const templateMargin = 16; // chat templates add a few tokens that the server has not counted yet

/** A window too small for any answer is a prompt too long, which no shorter answer mends. */
function usable(tokens: number): number | undefined {
  return tokens >= 64 ? tokens : undefined;
}
