import { ModelError, messageOf, type ModelErrorKind } from '../../errors.js';
import type { BatchServer } from '../../ports/batches.js';
import type { LanguageModel, ModelReply, ModelRequest } from '../../ports/languageModel.js';
import { openaiBatches } from '../batch/openaiBatches.js';
import { hidingKnown } from '../../redaction/knownSecrets.js';
import { FailedCall, inSomeForm, RefusedForm } from '../wrappers/failedCall.js';
import { type Capabilities, type LearnedCapabilities, learnFrom, withTold } from './capabilities.js';
import { guessCapabilities, thinkingOptions } from './presets.js';
import { identityOf, mayBeServeSimulated, type Endpoint, timeoutsOf } from './endpoint.js';
import { errorKind, readServerError } from './serverError.js';
import { describeFailure } from './errorWords.js';
import { clientTimeout, completionsUrl, openaiClient, type Fetch } from './openaiClient.js';
import { reachServer } from './reachServer.js';
import { requestBody } from './requestBody.js';
import { APIError, type OpenAI } from 'openai';
import { chargedHeader } from './boundedBody.js';
import type { SaidUsage } from '../bookedUsage.js';
import { mostSaid, nothingSaid, tokensSaid } from './usage.js';
import { limitsWithin, startPatience, type Patience, type PatienceLimits } from '../patience.js';
import { guessInputTokens } from '../tokens.js';
import { type OwnServerWait, ownServerWait, ServerQueues } from '../local/ownServerPatience.js';
import { asksForContext, ollamaRequest, throughOllama } from '../local/ollamaChat.js';
import { askServedModel, isSelfServed, servedWhenAsked } from '../local/servedModel.js';
import { serverAddress } from '../local/serverAddress.js';
import { WholePrompts } from '../local/wholePrompts.js';
import { readAnswer, type AnswerSigns } from './readAnswer.js';
import { toReply } from './gatherAnswer.js';

interface OpenAIModelParts {
  /** The global fetch, which knows the person's proxy and certificates inside of VS Code; one without limits for their own servers. */
  readonly fetch: Fetch;
  /** Share one between all models of a process. */
  readonly learned: LearnedCapabilities;
  /** The same: how many calls are at each server. */
  readonly queues?: ServerQueues | undefined;
}

/**
 * A model behind any server that speaks OpenAI's chat completions. A request that the server refuses for its form is
 * asked again in another form; refusals are free, so one `complete` is one charge at most, if several calls.
 */
export function createOpenAIModel(endpoint: Endpoint, parts: OpenAIModelParts): LanguageModel {
  const { fetch, learned, queues = new ServerQueues() } = parts;
  const identity = identityOf(endpoint);
  const asOllama = asksForContext(endpoint);
  const client = openaiClient(endpoint, asOllama ? throughOllama(fetch) : fetch);
  const recall = (): Capabilities =>
    learned.recall(identity.endpoint, identity.model) ?? guessCapabilities(endpoint.provider, endpoint.model);
  const remember = (learnt: Capabilities): void => learned.remember(identity.endpoint, identity.model, learnt);
  const isOwn = isSelfServed(endpoint);
  // It asks after the first answer: what the server says then is what it does.
  const prompts = isOwn ? new WholePrompts((signal) => askServedModel(endpoint, fetch, signal)) : undefined;
  let answeredBefore = false;

  const once = async (whole: ModelRequest, signal: AbortSignal): Promise<ModelReply> => {
    signal.throwIfAborted();
    const request = prompts?.withinContext(whole) ?? whole;
    const known = recall();
    let heard = nothingSaid;
    const onUsage = (usage: SaidUsage): void => void (heard = mostSaid(heard, usage));
    try {
      const answer = withoutKey(
        await callOnce({ client, request, endpoint, known, queues, onUsage }, signal),
        endpoint.apiKey,
      );
      answeredBefore = true;
      const reply =
        (await prompts?.whole({ request, wanted: whole.maxOutputTokens, reply: answer, said: heard }, signal)) ??
        answer;
      if (ignoredSchema(known, request, reply)) remember({ ...recall(), structured: 'prompt' });
      return reply;
    } catch (error) {
      signal.throwIfAborted();
      const said = Math.max(tokensSaid(heard), chargedWith(error));
      remember(lessonOf(error, { endpoint, known, request, said, answeredBefore }));
      throw new RefusedForm(said);
    }
  };

  return {
    identity,
    complete: (request, signal) => inSomeForm(() => once(request, signal)),
    once,
    form: { tell: recall, take: (form) => remember(withTold(recall(), form)) },
    reach: (signal) => reachServer(endpoint, { fetch, model: identity.model }, signal),
    served: isOwn ? (signal) => servedWhenAsked(endpoint, fetch, signal) : undefined,
    wire: (request) => {
      const sent = { url: completionsUrl(endpoint), body: requestBody(request, endpoint, recall()) };
      return asOllama ? ollamaRequest(sent) : sent;
    },
    batches: batchesOf(endpoint, client, recall),
  };
}

function extraNames({ extraBody, provider }: Endpoint, { thinkingTokens }: ModelRequest): readonly string[] {
  return Object.keys({ ...extraBody, ...thinkingOptions(provider, thinkingTokens) });
}

/** On Azure a batch wants a deployment of its own kind, which answers nothing else. */
function batchesOf(endpoint: Endpoint, client: OpenAI, recall: () => Capabilities): BatchServer | undefined {
  if (endpoint.provider === 'azure') return undefined;
  return openaiBatches({
    client,
    endpoint,
    bodyOf: (request) => requestBody(request, endpoint, { ...recall(), streaming: false }),
    clean: (reply) => withoutKey(reply, endpoint.apiKey),
  });
}

/** A request that failed, and the tokens that the server says it charges all the same. */
interface FailedRequest {
  readonly endpoint: Endpoint;
  readonly known: Capabilities;
  readonly request: ModelRequest;
  readonly said: number;
  readonly answeredBefore: boolean;
}

/** What a refusal of the request's form teaches about the server; throws what else went wrong, in words. */
function lessonOf(error: unknown, { endpoint, known, request, said, answeredBefore }: FailedRequest): Capabilities {
  if (error instanceof FailedCall) throw error.saying(said);
  if (error instanceof ModelError) throw error;
  const read = readServerError(error, Date.now());
  if (read === undefined) throw brokenAnswer(error).saying(said);
  const asked = {
    promptTokens: guessInputTokens(request),
    maxOutputTokens: request.maxOutputTokens,
    structured: request.replySchema !== undefined,
    extraNames: extraNames(endpoint, request),
  };
  const kind = errorKind(read, answeredBefore);
  const learnt = teaches.has(kind) ? learnFrom(known, read, asked) : undefined;
  if (learnt === undefined) throw describeFailure(read, endpoint, kind).saying(said);
  return learnt;
}

function chargedWith(error: unknown): number {
  return error instanceof APIError ? Number(error.headers?.get(chargedHeader) ?? 0) : 0;
}

/** A server that says our key back must not get it into an answer, and with that into a store. */
function withoutKey(reply: ModelReply, apiKey = ''): ModelReply {
  const hide = hidingKnown([apiKey]);
  const toolCalls = reply.toolCalls.map((call) => ({ ...call, arguments: hide(call.arguments) }));
  return { ...reply, text: hide(reply.text), toolCalls };
}

/** Other kinds have nothing to do with the form of the request, whatever words they use. */
const teaches: ReadonlySet<ModelErrorKind> = new Set(['endpoint', 'malformed', 'context-length', 'unavailable']);

/** A server that took the schema and did not keep to it is asked in words from now on. */
function ignoredSchema({ structured }: Capabilities, request: ModelRequest, reply: ModelReply): boolean {
  return request.replySchema !== undefined && structured !== 'prompt' && reply.finish === 'stop' && !isJson(reply.text);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Broken JSON, a body cut off, a socket that died: the server took the request up. */
function brokenAnswer(error: unknown): FailedCall {
  if (error instanceof SyntaxError || (error instanceof Error && error.name === 'ZodError')) {
    return new FailedCall('malformed', 'The server’s answer is not in the expected form.', { charged: true });
  }
  return new FailedCall('unavailable', `The connection broke: ${messageOf(error)}`, { charged: true });
}

interface Call {
  readonly client: OpenAI;
  readonly request: ModelRequest;
  readonly endpoint: Endpoint;
  readonly known: Capabilities;
  readonly queues: ServerQueues;
  readonly onUsage: (said: SaidUsage) => void;
}

/** Sends a request once and reads the answer to its end, with our own patience. Throws whatever the SDK throws. */
async function callOnce(call: Call, signal: AbortSignal): Promise<ModelReply> {
  const { client, request, endpoint, known, queues, onUsage } = call;
  const usual = limitsWithin(timeoutsOf(endpoint), request.timeoutMs);
  const { limits, leave } = isSelfServed(endpoint)
    ? queues.enter(serverAddress(endpoint.baseUrl), waitAtOwn(call, usual))
    : { limits: usual, leave: () => undefined };
  const patience = startPatience(limits, signal);
  try {
    const body = requestBody(request, endpoint, known);
    const timeout = clientTimeout(limits);
    const options = { signal: patience.signal, headers: headersFor(request, endpoint), timeout };
    const response = await client.chat.completions.create(body, options).asResponse();
    const signs = signsFor(endpoint, patience);
    signs.bytes();
    const answer = await readAnswer(response, { request, endpoint, onUsage }, signs);
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
    leave();
  }
}

/**
 * What ends the wait for the beginning of an answer. Servers on a person's own machine send headers, a piece that only says
 * who speaks, or comments before they read the prompt: there it is the answer's own first word.
 */
function signsFor(endpoint: Endpoint, { beat, alive }: Patience): AnswerSigns {
  return isSelfServed(endpoint) ? { bytes: alive, begun: beat } : { bytes: beat, begun: () => undefined };
}

/** What the person says is for one answer; calls that wait there before it come on top. */
function waitAtOwn({ request, endpoint, known }: Call, usual: PatienceLimits): OwnServerWait {
  if (request.timeoutMs !== undefined || endpoint.timeouts !== undefined)
    return { alone: usual, wholeMs: usual.totalMs };
  return ownServerWait(usual, {
    promptTokens: guessInputTokens(request),
    answerTokens: request.maxOutputTokens,
    isStreamed: known.streaming && request.tools === undefined, // a tool call is often held back until it is whole
  });
}

/** The role goes to our own simulated server, which would otherwise have to guess it; to no other. */
function headersFor({ role }: ModelRequest, endpoint: Endpoint): Readonly<Record<string, string>> {
  return mayBeServeSimulated(endpoint) ? { 'x-whetstone-role': role } : {};
}
