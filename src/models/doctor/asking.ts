import * as z from 'zod';
import { parseJson } from '../../parseJson.js';
import type { Clock } from '../../ports/clock.js';
import type { LanguageModel, ModelRequest } from '../../ports/languageModel.js';
import { listModels, type Fetch } from '../openai/openaiClient.js';
import { createLearnedCapabilities, type LearnedCapabilities } from '../openai/capabilities.js';
import { guessCapabilities } from '../openai/presets.js';
import { identityOf, publicUrl, type Endpoint } from '../openai/endpoint.js';
import { errorKind, readServerError, type ServerError } from '../openai/serverError.js';
import { describeFailure } from '../openai/errorWords.js';
import { unreachable } from '../openai/reachServer.js';
import { createOpenAIModel } from '../openai/openaiModel.js';
import { examineContext } from './context.js';
import { failed, ok, skipped, warning, type Finding } from './finding.js';
import { timedCall, tinyCall, tinyRequest } from './timedCall.js';

export interface ServerCheck {
  readonly endpoint: Endpoint;
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** Put around the model that is asked, so that its calls are paid for like any. */
  readonly around?: ((model: LanguageModel) => LanguageModel) | undefined;
}

/** What can be said only by asking: the list of models, and two calls of a few tokens. Stops at what makes the rest pointless. */
export async function examineByAsking(asking: ServerCheck, signal: AbortSignal): Promise<readonly Finding[]> {
  const listing = await examineList(asking, signal);
  if (listing.some(({ check, state }) => check === 'reachable' && state === 'failed')) return listing;
  return [...listing, ...(await examineCalls(asking, signal))];
}

async function examineList({ endpoint, fetch, clock }: ServerCheck, signal: AbortSignal): Promise<readonly Finding[]> {
  const where = publicUrl(endpoint.baseUrl);
  try {
    const models = await listModels(endpoint, fetch, signal);
    return [ok('reachable', `${where} answers.`), listedFinding(endpoint, models)];
  } catch (error) {
    signal.throwIfAborted();
    const read = readServerError(error, clock.now());
    const noList = skipped('model listed', 'The server lists no models.');
    if (read?.connection === undefined) return [ok('reachable', `${where} answers.`), noList];
    return [noConnection(read, endpoint)];
  }
}

function noConnection(read: ServerError, endpoint: Endpoint): Finding {
  const dead = unreachable(endpoint, read.connection);
  if (dead !== undefined) return { ...failed('reachable', dead.message, dead.cure), kind: dead.kind };
  const { message, cure, kind } = describeFailure(read, endpoint, errorKind(read, false));
  const what = `${message.replace(/\.$/, '')} (${read.connection}).`;
  return { ...failed('reachable', what, cure || 'Check the address, the network and the firewall.'), kind };
}

function listedFinding({ provider, model }: Endpoint, models: readonly string[]): Finding {
  // Azure lists what could be deployed, not what is.
  if (models.length === 0 || provider === 'azure')
    return skipped('model listed', 'The server does not list what it serves.');
  if (models.some((id) => id === model || id === `models/${model}`)) return ok('model listed', `“${model}” is listed.`);
  const shown = models.slice(0, 8).join(', ');
  return warning(
    'model listed',
    models.length === 1
      ? `“${model}” is not the one model that is listed.`
      : `“${model}” is not among the ${models.length} models listed.`,
    models.length === 1 ? `Choose it: ${shown}.` : `Choose one of them: ${shown}${models.length > 8 ? ', …' : ''}.`,
  );
}

async function examineCalls(asking: ServerCheck, signal: AbortSignal): Promise<readonly Finding[]> {
  const { endpoint, fetch, clock, around = (model) => model } = asking;
  const learned = createLearnedCapabilities();
  const model = around(createOpenAIModel(endpoint, { fetch, learned }));
  const call = await tinyCall(model, clock, signal);
  // The model is loaded by its first answer: then its context is sure.
  const context = await examineContext(endpoint, fetch, signal);
  if (call.state === 'failed') return [call, skipped('structured output', 'Not tried.'), ...context];
  const heard = hearing(model);
  const structured = await timedCall(heard.model, structuredRequest, clock, signal);
  return [
    call,
    structured.state === 'failed'
      ? { ...structured, check: 'structured output' }
      : structuredFinding(asking.endpoint, learned, heard.text()),
    ...context,
  ];
}

/** The same model, and what it answered last. */
function hearing(model: LanguageModel): { readonly model: LanguageModel; readonly text: () => string } {
  let text = '';
  const complete: LanguageModel['complete'] = async (request, signal) => {
    const reply = await model.complete(request, signal);
    ({ text } = reply);
    return reply;
  };
  return { model: { ...model, complete }, text: () => text };
}

/** A server may take a schema and answer as if there was none: what it answered is what tells. */
function structuredFinding(endpoint: Endpoint, learned: LearnedCapabilities, reply: string): Finding {
  const identity = identityOf(endpoint);
  const known =
    learned.recall(identity.endpoint, identity.model) ?? guessCapabilities(endpoint.provider, endpoint.model);
  switch (known.structured) {
    case 'json_schema':
      return keepsToSchema(reply)
        ? ok('structured output', 'Yes: the server holds replies to a schema.')
        : warning(
            'structured output',
            'No: the server takes a schema, and the model’s reply does not keep to it.',
            'Update the server or choose another model: what cannot be read as it was asked for is lost.',
          );
    case 'json_object':
      return ok('structured output', 'In part: the server gives JSON, the schema is asked for in words.');
    case 'prompt':
      return ok('structured output', 'No: the form of replies is asked for in words.');
  }
}

const Sky = z.strictObject({ blue: z.boolean() });

function keepsToSchema(reply: string): boolean {
  return Sky.safeParse(parseJson(reply)).success;
}

const structuredRequest: ModelRequest = {
  ...tinyRequest,
  messages: [{ role: 'user', content: 'Reply in JSON: is the sky blue by day?' }],
  replySchema: {
    name: 'sky',
    schema: {
      type: 'object',
      properties: { blue: { type: 'boolean' } },
      required: ['blue'],
      additionalProperties: false,
    },
  },
};
