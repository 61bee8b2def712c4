import * as z from 'zod';
import { openaiClient, type Fetch } from './openai/openaiClient.js';
import type { Endpoint } from './openai/endpoint.js';

/** The models that a server names, in its order. Throws what the SDK throws; gives none where the list has another form. */
export async function listModels(endpoint: Endpoint, fetch: Fetch, signal: AbortSignal): Promise<readonly string[]> {
  const client = openaiClient(endpoint, fetch);
  const response = await client.models.list({ signal, timeout: longestList }).asResponse();
  const list = ModelList.safeParse(JSON.parse(await response.text()));
  return list.success ? list.data.data.map(({ id }) => id) : [];
}

const longestList = 15_000;

const ModelList = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) });
