import type { ModelReply, ModelRequest } from '../../ports/languageModel.js';
import { FailedCall } from '../failedCall.js';
import type { Capabilities } from './capabilities.js';
import { defaultTimeouts, type Endpoint } from './endpoint.js';
import { openaiClient, type Fetch } from './openaiClient.js';
import { startPatience, type Patience } from './patience.js';
import { readAnswer } from './readAnswer.js';
import { requestBody } from './requestBody.js';
import { toReply } from './toReply.js';

export interface Call {
  readonly request: ModelRequest;
  readonly endpoint: Endpoint;
  readonly known: Capabilities;
  readonly fetch: Fetch;
}

/** Sends a request once and reads the answer to its end, with our own patience. Throws whatever the SDK throws. */
export async function callOnce({ request, endpoint, known, fetch }: Call, signal: AbortSignal): Promise<ModelReply> {
  const timeouts = { ...defaultTimeouts, ...endpoint.timeouts };
  const patience = startPatience(timeouts, signal);
  try {
    const client = openaiClient(endpoint, beating(fetch, patience), timeouts.totalMs + 1000);
    const body = requestBody(request, endpoint, known);
    const response = await client.chat.completions.create(body, { signal: patience.signal }).asResponse();
    const answer = await readAnswer(response, client);
    // An abort ends the stream without an error: half an answer must not pass for one.
    patience.signal.throwIfAborted();
    return toReply(answer, request);
  } catch (error) {
    signal.throwIfAborted();
    const ranOut = patience.ranOut();
    if (ranOut !== undefined) throw new FailedCall('timeout', `${endpoint.model}: ${ranOut}.`, { charged: true });
    throw error;
  } finally {
    patience.end();
  }
}

/** Every byte counts as a sign of life, the comments that servers send while a model thinks included. */
function beating(fetch: Fetch, patience: Patience): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    patience.beat();
    if (!response.ok || response.body === null) return response;
    const watched = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          patience.beat();
          controller.enqueue(chunk);
        },
      }),
    );
    return new Response(watched, response);
  };
}
