import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { messageOf } from '../../errors.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import { plainName, type SimulatedOptions } from '../options.js';
import { answerQuestion, type Exchange, type ServerState, AttemptBook, RateLimit } from './answerQuestion.js';
import { completionForm } from '../../wire/completionForm.js';
import { geminiAddress, geminiForm } from '../../wire/geminiForm.js';
import { badRequest, refuse, sendJson } from '../../wire/httpReply.js';
import { messagesForm } from '../../wire/messagesForm.js';
import { responsesForm } from '../../wire/responsesForm.js';
import { expiredLogin, readFaults, serverError, type SimulatedFaults, unknownModel } from './faults.js';
import { createSimulatedModel } from '../simulatedModel.js';

export interface SimulatedServerOptions {
  /** 0 takes any port that is free. */
  readonly port: number;
  readonly host?: string | undefined;
  readonly model?: SimulatedOptions | undefined;
  readonly latencyMs?: number | undefined;
  readonly requestsPerMinute?: number | undefined;
  readonly faults?: SimulatedFaults | undefined;
  /** Of the faults; the model has its own. */
  readonly seed?: number | undefined;
  /** What a 429 out of the faults asks for. */
  readonly retryAfterSeconds?: number | undefined;
  readonly now?: (() => number) | undefined;
}

/** A server that runs. */
export interface SimulatedServer {
  /** `http://127.0.0.1:4010/v1`: what a client takes as its base URL. */
  readonly url: string;
  readonly port: number;
  /** How many completions were asked for, and how many of them were answered whole. */
  counts(): { readonly requests: number; readonly answered: number };
  /** Ends every connection, those that stall too. */
  stop(): Promise<void>;
}

/**
 * Serves the simulated model over HTTP, whole and streamed, in the forms of four families of clients: OpenAI-compatible
 * `POST /v1/chat/completions` (tools, `response_format`) and `GET /v1/models`, OpenAI's `/v1/responses`, Anthropic's
 * `/v1/messages` and Google's `generateContent`. Faults depend on the seed and on how many requests came before.
 */
export async function startSimulatedServer(options: SimulatedServerOptions): Promise<SimulatedServer> {
  const model = createSimulatedModel(options.model);
  const state = stateFor(model, options);
  const server = createServer((request, response) => {
    handle(state, request, response).catch((error: unknown) => {
      if (!response.headersSent) refuse(response, { ...serverError, message: messageOf(error) });
      else response.destroy();
    });
  });
  const host = options.host ?? '127.0.0.1';
  server.listen(options.port, host);
  await once(server, 'listening');
  const port = portOf(server);
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/v1`,
    port,
    counts: () => ({ requests: state.requests, answered: state.answered }),
    stop: async () => {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
}

function stateFor(model: LanguageModel, options: SimulatedServerOptions): ServerState {
  const { latencyMs = 0, requestsPerMinute, seed = 1, retryAfterSeconds = 1, now = Date.now } = options;
  return {
    model,
    names: [...new Set([plainName, model.identity.model])],
    faults: readFaults(options.faults),
    seed,
    latencyMs,
    retryAfterSeconds,
    rate: requestsPerMinute === undefined ? undefined : new RateLimit(requestsPerMinute, now),
    attempts: new AttemptBook(),
    requests: 0,
    answered: 0,
  };
}

async function handle(state: ServerState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader('X-Whetstone-Simulated', 'true');
  const path = (request.url ?? '').split('?')[0]?.replace(/^\/v1\b/, '') ?? '';
  const asked = request.method === 'POST' ? formOf(path) : undefined;
  if (asked !== undefined) return answerQuestion(state, { request, response, ...asked });
  if (request.method === 'GET' && path.startsWith('/models')) return listModels(state, path, response);
  refuse(response, badRequest(`Unknown request URL: ${request.method ?? ''} ${request.url ?? ''}.`, 404));
}

function formOf(path: string): Pick<Exchange, 'form' | 'addressed'> | undefined {
  switch (path) {
    case '/chat/completions':
      return { form: completionForm };
    case '/responses':
      return { form: responsesForm };
    case '/messages':
      return { form: messagesForm };
    default: {
      const addressed = geminiAddress(path);
      return addressed === undefined ? undefined : { form: geminiForm, addressed };
    }
  }
}

function listModels({ names, faults }: ServerState, path: string, response: ServerResponse): void {
  if (faults.auth === 'expired') return refuse(response, expiredLogin);
  const known = (faults.wrongModel === true ? [] : names).map((id) => ({
    id,
    object: 'model',
    created: 0,
    owned_by: 'whetstone-simulated',
  }));
  const asked = decoded(path.slice('/models/'.length));
  if (asked === '') return sendJson(response, 200, { object: 'list', data: known });
  const found = known.find(({ id }) => id === asked);
  if (found === undefined) return refuse(response, unknownModel(asked));
  sendJson(response, 200, found);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // A percent sign that stands for itself.
  }
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}
