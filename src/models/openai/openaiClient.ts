import { AzureOpenAI, OpenAI } from 'openai';
import { publicUrl, timeoutsOf, type Endpoint } from './endpoint.js';
import type { PatienceLimits } from '../patience.js';
import { textWithin, withShortRefusals } from './boundedBody.js';
import * as z from 'zod';

export type Fetch = typeof globalThis.fetch;

/** Later than our own patience, which tells why. */
export function clientTimeout({ totalMs }: Pick<PatienceLimits, 'totalMs'>): number {
  return totalMs + 1000;
}

/**
 * The SDK's client for an endpoint, with everything switched off that it would do by itself: retries, logging, and
 * reading keys, organisations and addresses out of the environment, which belong to other hosts.
 */
export function openaiClient(endpoint: Endpoint, fetch: Fetch): OpenAI {
  const options = {
    apiKey: endpoint.apiKey ?? keyless,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: clientTimeout(timeoutsOf(endpoint)),
    logLevel: 'off' as const,
    fetch: withShortRefusals(stayingPut(fetch)),
    // The client's own description of this machine is nobody's business.
    defaultHeaders: {
      'User-Agent': 'whetstone',
      ...Object.fromEntries(telemetryHeaders.map((name) => [name, null])),
    },
  };
  const baseURL = endpoint.baseUrl.replace(/\/+$/, '');
  if (endpoint.provider !== 'azure') return new OpenAI({ ...options, baseURL });
  if (endpoint.apiVersion !== undefined)
    return new AzureOpenAI({
      ...options,
      baseURL: `${azureResource(baseURL)}/openai`,
      apiVersion: endpoint.apiVersion,
    });
  return new OpenAI({
    ...options,
    baseURL: `${azureResource(baseURL)}/openai/v1`,
    defaultHeaders: { ...options.defaultHeaders, Authorization: null, 'api-key': options.apiKey },
  });
}

/** Where the client asks for completions; for people, so without anything secret. */
export function completionsUrl({ provider, baseUrl, model, apiVersion }: Endpoint): string {
  const base = publicUrl(baseUrl);
  if (provider !== 'azure') return `${base}/chat/completions`;
  if (apiVersion === undefined) return `${azureResource(base)}/openai/v1/chat/completions`;
  return `${azureResource(base)}/openai/deployments/${model}/chat/completions?api-version=${apiVersion}`;
}

const keyless = 'none'; // the SDK insists on a key; servers without keys ignore it

const telemetryHeaders = [
  'Arch',
  'Lang',
  'OS',
  'Package-Version',
  'Retry-Count',
  'Runtime',
  'Runtime-Version',
  'Timeout',
].map((name) => `X-Stainless-${name}`);

function azureResource(baseUrl: string): string {
  return baseUrl.replace(/\/openai(?:\/v1|\/deployments\/.*)?$/, '');
}

/** A redirect would carry a key to a host that it was not entered for. */
function stayingPut(fetch: Fetch): Fetch {
  return (input, init) => fetch(input, { ...init, redirect: 'manual' });
}

/** The models that a server names, in its order. Throws what the SDK throws; gives none where the list has another form. */
export async function listModels(endpoint: Endpoint, fetch: Fetch, signal: AbortSignal): Promise<readonly string[]> {
  const client = openaiClient(endpoint, fetch);
  const response = await client.models.list({ signal, timeout: longestList }).asResponse();
  const list = ModelList.safeParse(JSON.parse(await textWithin(response.body ?? [], longestListBytes)));
  return list.success ? list.data.data.map(({ id }) => id) : [];
}

const longestList = 15_000;
const longestListBytes = 16 * 1024 * 1024; // the longest in use, of a reseller of all models, is under one

const ModelList = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) });
