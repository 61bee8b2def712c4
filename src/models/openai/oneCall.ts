import type { OpenAI } from 'openai';
import type { ModelReply, ModelRequest } from '../../ports/languageModel.js';
import { FailedCall } from '../wrappers/failedCall.js';
import type { Capabilities } from './capabilities.js';
import { identityOf, timeoutsOf, type Endpoint } from './endpoint.js';
import { startPatience } from '../patience.js';
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
    patience.beat();
    const answer = await readAnswer(response, patience.beat);
    // An abort at the very end must not let half an answer pass for a whole one.
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
