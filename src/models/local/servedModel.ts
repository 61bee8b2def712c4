import * as z from 'zod';
import type { ServedModel } from '../../ports/languageModel.js';
import { textWithin } from '../openai/boundedBody.js';
import type { Endpoint } from '../openai/endpoint.js';
import { localKind } from './localKind.js';
import { askedContext } from './ollamaChat.js';
import type { Fetch } from '../openai/openaiClient.js';

/**
 * What a server that people run themselves says of the model that it serves: how long a prompt may be, and how many
 * requests it works on at once. Each says it in a place of its own, beside what they all have of OpenAI. Nothing is asked of
 * the model, and nothing costs. Undefined where the server does not say, or says it in a form that nobody knows.
 */
export async function askServedModel(
  endpoint: Endpoint,
  fetch: Fetch,
  signal: AbortSignal,
): Promise<ServedModel | undefined> {
  const ask = sayers.get(localKind(endpoint) ?? '');
  if (ask === undefined) return undefined;
  const heard = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  const key = endpoint.apiKey === undefined ? {} : { Authorization: ['Bearer', endpoint.apiKey].join(' ') };
  const headers = { 'Content-Type': 'application/json', 'User-Agent': 'whetstone', ...key };
  const base = rootOf(endpoint.baseUrl);
  const answer = async (path: string, body?: unknown): Promise<unknown> => {
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`${base}${path}`, { ...sent, headers, redirect: 'manual', signal: heard });
    if (!response.ok) return undefined;
    return JSON.parse(await textWithin(response.body ?? [], longestAnswer));
  };
  const asked = async (path: string, body?: unknown): Promise<unknown> => {
    try {
      return await answer(path, body);
    } catch {
      signal.throwIfAborted();
      return undefined; // it is not there, or is something else
    }
  };
  return ask(asked, endpoint.model);
}

/**
 * The same before anything is asked of the model. Ollama loads a model with the context that a call asks for, so that one
 * counts, whatever the model is loaded with now; never more than the model has.
 */
export async function servedWhenAsked(
  endpoint: Endpoint,
  fetch: Fetch,
  signal: AbortSignal,
): Promise<ServedModel | undefined> {
  const served = await askServedModel(endpoint, fetch, signal);
  const asked = askedContext(endpoint);
  if (served === undefined || asked === undefined) return served;
  return { ...served, contextTokens: Math.min(asked, served.mostContextTokens ?? Infinity), isSure: true };
}

/** Whether it is a server whose context the person sets, and which may cut what exceeds it without a word. */
export function isSelfServed(endpoint: Pick<Endpoint, 'provider' | 'baseUrl'>): boolean {
  return localKind(endpoint) !== undefined;
}

const patienceMs = 5_000; // a laptop that reads a model into memory answers late
const longestAnswer = 16 * 1024 * 1024; // Ollama shows a model with its licence and its vocabulary

/** Their own interfaces lie beside `/v1`. */
function rootOf(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '');
}

type Ask = (path: string, body?: unknown) => Promise<unknown>;

const sayers: ReadonlyMap<string, (ask: Ask, model: string) => Promise<ServedModel | undefined>> = new Map([
  ['ollama', ollamaSays],
  ['lmstudio', lmStudioSays],
  ['llamacpp', llamaCppSays],
  ['vllm', vllmSays],
]);

const count = z.number().int().positive().optional().catch(undefined);

const OllamaLoaded = z.looseObject({
  models: z.array(z.looseObject({ name: z.string(), context_length: count })),
});

const OllamaShown = z.looseObject({
  parameters: z.string().optional().catch(undefined),
  model_info: z.record(z.string(), z.unknown()).optional().catch(undefined),
  details: z.looseObject({ parameter_size: z.string().optional() }).optional().catch(undefined),
});

/** A model that is loaded has the context that it was loaded with; one that is not gets what its page or the server sets. */
async function ollamaSays(ask: Ask, model: string): Promise<ServedModel | undefined> {
  const [loaded, shown] = await Promise.all([ask('/api/ps'), ask('/api/show', { model })]);
  const running = OllamaLoaded.safeParse(loaded).data;
  const page = OllamaShown.safeParse(shown).data;
  if (running === undefined && page === undefined) return undefined;
  const now = running?.models.find(({ name }) => name === model || name === `${model}:latest`)?.context_length;
  const set = now ?? contextOnPage(page);
  return {
    contextTokens: set ?? ollamaUsual,
    isSure: set !== undefined,
    mostContextTokens: longestOf(page),
    atOnce: undefined,
    size: page?.details?.parameter_size,
    cutsSilently: true,
    longerContext: (tokens) =>
      `Start Ollama with OLLAMA_CONTEXT_LENGTH=${tokens}, or give the model a page with PARAMETER num_ctx ${tokens}; or, for a new run, name ${model} with ?num_ctx=${tokens}, which asks Ollama for it with every call. Each takes more memory.`,
  };
}

type OllamaPage = z.infer<typeof OllamaShown> | undefined;

function contextOnPage(page: OllamaPage): number | undefined {
  return Number(/^num_ctx\s+(\d+)$/m.exec(page?.parameters ?? '')?.[1] ?? 0) || undefined;
}

/** What the model was made for. */
function longestOf(page: OllamaPage): number | undefined {
  const found = Object.entries(page?.model_info ?? {}).find(([name]) => name.endsWith('.context_length'))?.[1];
  return typeof found === 'number' ? found : undefined;
}

const ollamaUsual = 4_096; // where nothing else is set, and the machine has no large graphics card

const LmStudioModels = z.looseObject({
  data: z.array(z.looseObject({ id: z.string(), loaded_context_length: count, max_context_length: count })),
});

async function lmStudioSays(ask: Ask, model: string): Promise<ServedModel | undefined> {
  const listed = LmStudioModels.safeParse(await ask('/api/v0/models')).data;
  const found = listed?.data.find(({ id }) => id === model);
  if (found?.loaded_context_length === undefined) return undefined;
  return {
    contextTokens: found.loaded_context_length,
    isSure: true,
    mostContextTokens: found.max_context_length,
    atOnce: undefined,
    size: undefined,
    cutsSilently: true,
    longerContext: (tokens) => `Load the model in LM Studio with a context length of ${tokens}.`,
  };
}

const LlamaCppProps = z.looseObject({
  default_generation_settings: z.looseObject({ n_ctx: count }),
  total_slots: count,
});

async function llamaCppSays(ask: Ask): Promise<ServedModel | undefined> {
  const props = LlamaCppProps.safeParse(await ask('/props')).data;
  if (props === undefined) return undefined;
  return {
    contextTokens: props.default_generation_settings.n_ctx,
    isSure: true,
    mostContextTokens: undefined,
    atOnce: props.total_slots,
    size: undefined,
    cutsSilently: false,
    longerContext: (tokens) =>
      `Start llama-server with --ctx-size ${tokens * (props.total_slots ?? 1)}: its slots share it.`,
  };
}

const VllmModels = z.looseObject({ data: z.array(z.looseObject({ id: z.string(), max_model_len: count })) });

async function vllmSays(ask: Ask, model: string): Promise<ServedModel | undefined> {
  const listed = VllmModels.safeParse(await ask('/v1/models')).data;
  const found = listed?.data.find(({ id }) => id === model);
  if (found?.max_model_len === undefined) return undefined;
  return {
    contextTokens: found.max_model_len,
    isSure: true,
    mostContextTokens: undefined,
    atOnce: undefined,
    size: undefined,
    cutsSilently: false,
    longerContext: (tokens) => `Start vLLM with --max-model-len ${tokens}.`,
  };
}
