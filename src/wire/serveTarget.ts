import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { messageOf } from '../errors.js';
import type { TargetClient, TargetServers } from '../ports/targetClient.js';
import { completionForm } from './completionForm.js';
import { badRequest, jsonBody, questionOf, refuse, sendJson, sendReply, type QuestionResult } from './httpReply.js';
import type { Refusal } from './wireForm.js';

/**
 * Serves clients of the target as an OpenAI-compatible address of this machine: `POST /v1/chat/completions` and
 * `GET /v1/models`. Each client has a token of its own, which says who asks; without one nothing is answered. Once it is
 * closed no token is worth anything, and calls under way are broken off.
 */
export const targetServers: TargetServers = {
  async open(clients) {
    const over = new AbortController();
    const byToken = new Map(clients.map((client) => [randomBytes(24).toString('base64url'), client]));
    const server = createServer((request, response) => {
      handle(byToken, { request, response }, over.signal).catch((error: unknown) => {
        if (!response.headersSent) refuse(response, { ...broken, message: messageOf(error) });
        else response.destroy();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return {
      url: `http://127.0.0.1:${portOf(server)}/v1`,
      tokens: [...byToken.keys()],
      close: async () => {
        byToken.clear();
        over.abort();
        server.close();
        server.closeAllConnections();
        if (server.listening) await once(server, 'close');
      },
    };
  },
};

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function handle(
  byToken: ReadonlyMap<string, TargetClient>,
  { request, response }: Exchange,
  over: AbortSignal,
): Promise<void> {
  const client = byToken.get(tokenOf(request));
  if (client === undefined) return refuse(response, unknownToken);
  const { method = '', url = '' } = request;
  switch (`${method} ${url.replace(/\?.*$/u, '').replace(/^\/v1\b/u, '')}`) {
    case 'GET /models':
      return listModel(client, response);
    case 'POST /chat/completions':
      return answer(client, { request, response }, over);
    default:
      return refuse(response, badRequest(`Unknown request URL: ${method} ${url}.`, 404));
  }
}

function tokenOf({ headers }: IncomingMessage): string {
  return /^Bearer (\S+)$/iu.exec(headers.authorization ?? '')?.[1] ?? '';
}

function listModel({ model }: TargetClient, response: ServerResponse): void {
  sendJson(response, 200, {
    object: 'list',
    data: [{ id: model, object: 'model', created: 0, owned_by: 'whetstone' }],
  });
}

const mostBodyBytes = 16 * 1024 * 1024; // what a client may ask is less, and refused by it

/** Whatever model is named, the run's target answers. */
async function answer(client: TargetClient, { request, response }: Exchange, over: AbortSignal): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const asked = await questionIn(request);
  if (asked.kind === 'refused') return refuse(response, asked.refusal);
  const { question, maxOutputTokens, temperature, stream, withUsage } = asked.value;
  const said = await client.ask(
    {
      ...question,
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      ...(temperature === undefined ? {} : { temperature }),
    },
    AbortSignal.any([over, gone.signal]),
  );
  if (said.kind === 'refused') return refuse(response, refusalOf(said));
  sendReply(response, { model: client.model, reply: said.reply, stream, withUsage });
}

async function questionIn(request: IncomingMessage): Promise<QuestionResult> {
  const body = await jsonBody(request, mostBodyBytes);
  if (body.kind === 'refused') return body;
  const { value } = body;
  return questionOf(completionForm, typeof value === 'object' ? { model: '', ...value } : value);
}

const statusOf = { 'over-cap': 429, 'too-long': 400, 'no-answer': 503 } as const;
const codeOf = {
  'over-cap': 'insufficient_quota', // what clients do not ask for again
  'too-long': 'context_length_exceeded',
  'no-answer': null,
} as const;

function refusalOf({ why, message }: { readonly why: keyof typeof statusOf; readonly message: string }): Refusal {
  const type =
    why === 'over-cap' ? 'insufficient_quota' : why === 'too-long' ? 'invalid_request_error' : 'server_error';
  return { status: statusOf[why], type, code: codeOf[why], message };
}

const unknownToken: Refusal = {
  status: 401,
  type: 'invalid_request_error',
  code: 'invalid_api_key',
  message: 'This token is not known: it is worth something for one attempt, while that goes on.',
};

const broken: Refusal = { status: 500, type: 'server_error', code: null, message: '' };

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}
