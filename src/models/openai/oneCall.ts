import type { OpenAI } from 'openai';
import type { ModelReply, ModelRequest } from '../../ports/languageModel.js';
import { FailedCall } from '../failedCall.js';
import type { Capabilities } from './capabilities.js';
import { identityOf, timeoutsOf, type Endpoint } from './endpoint.js';
import { startPatience, type Patience } from './patience.js';
import { readAnswer } from './readAnswer.js';
import { requestBody } from './requestBody.js';
import { toReply } from './toReply.js';

export interface Call {
  readonly client: OpenAI;
  readonly request: ModelRequest;
  readonly endpoint: Endpoint;
  readonly known: Capabilities;
}

/** Sends a request once and reads the answer to its end, with our own patience. Throws whatever the SDK throws. */
export async function callOnce({ client, request, endpoint, known }: Call, signal: AbortSignal): Promise<ModelReply> {
  const patience = startPatience(timeoutsOf(endpoint), signal);
  try {
    const body = requestBody(request, endpoint, known);
    const options = { signal: patience.signal, headers: headersFor(request, endpoint) };
    const response = await client.chat.completions.create(body, options).asResponse();
    const answer = await readAnswer(watched(response, patience), client);
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

/** Our own simulated server is told the role that it would otherwise have to guess; nobody else is. */
function headersFor({ role }: ModelRequest, endpoint: Endpoint): Readonly<Record<string, string>> {
  return identityOf(endpoint).simulated ? { 'x-whetstone-role': role } : {};
}

/** Every byte counts as a sign of life, the comments that servers send while a model thinks included. */
function watched(response: Response, patience: Patience): Response {
  patience.beat();
  if (response.body === null) return response;
  const reader = response.body.getReader();
  const beating = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await reader.read();
      patience.beat();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(beating, response);
}
