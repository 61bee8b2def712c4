import { LLMock } from '@copilotkit/aimock';
import { createLearnedCapabilities } from '../../../../src/models/openai/capabilities.js';
import { ownServerFetch } from '../../../../src/models/local/ownServerFetch.js';
import type { Endpoint } from '../../../../src/models/openai/endpoint.js';
import type { Fetch } from '../../../../src/models/openai/openaiClient.js';
import { createOpenAIModel } from '../../../../src/models/openai/openaiModel.js';
import { startSimulatedServer } from '../../../../src/simulated/server/serveSimulated.js';
import type { SimulatedFaults } from '../../../../src/simulated/server/faults.js';
import { createSimulatedModel } from '../../../../src/simulated/simulatedModel.js';
import { ChatServer, json, rawStream, refusal, stream, type ChatAnswer } from '../../../fakes/ChatServer.js';
import { modelContract, type Behaviour, type ContractHost, type Fault } from '../modelContract.js';

const shapes: readonly [name: string, endpointOf: (url: string) => Partial<Endpoint>][] = [
  ['OpenAI', (url) => ({ provider: 'openai', baseUrl: `${url}/v1`, model: 'gpt-4o-mini' })],
  ['Azure', (url) => ({ provider: 'azure', baseUrl: url, model: 'my-deployment', apiVersion: '2024-10-21' })],
  ['Ollama', (url) => ({ provider: 'ollama', baseUrl: `${url}/v1`, model: 'qwen3:8b', apiKey: undefined })],
];
for (const [name, endpointOf] of shapes) {
  modelContract(`OpenAI-compatible on aimock, ${name}`, () => onAimock(endpointOf), { beyond: ['empty'] });
}

modelContract('OpenAI-compatible, streamed', () => onChatServer(streamed));
modelContract('OpenAI-compatible, whole', () => onChatServer(whole));
modelContract('a person’s own server, streamed', () => onChatServer(streamed, ownServerFetch));
modelContract('a person’s own server, whole', () => onChatServer(whole, ownServerFetch));

// Its answers are its own: it can be slow and faulty at will, but cannot be told what to say.
modelContract('OpenAI-compatible on the simulated server', onSimulatedServer, {
  beyond: ['answer', 'tool-call', 'cut', 'echo'],
});

modelContract('the simulated model', onSimulatedModel, {
  beyond: ['answer', 'tool-call', 'cut', 'echo', 'rate-limit', 'server-error', 'malformed', 'disconnect', 'empty'],
});

function onSimulatedModel(): Promise<ContractHost> {
  let model = createSimulatedModel();
  let calls = 0;
  const complete = (...asked: Parameters<typeof model.complete>): ReturnType<typeof model.complete> => {
    if (!asked[1].aborted) calls += 1;
    return model.complete(...asked);
  };
  return Promise.resolve({
    model: { identity: model.identity, complete },
    calls: () => calls,
    arrange: (behaviour) => {
      model = createSimulatedModel({ latencyMs: behaviour.kind === 'late' ? behaviour.ms : 0 });
    },
    stop: () => Promise.resolve(),
  });
}

async function onSimulatedServer(): Promise<ContractHost> {
  let server = await startSimulatedServer({ port: 0 });
  const model = modelAt({ baseUrl: server.url, model: createSimulatedModel().identity.model });
  return {
    model,
    calls: () => server.counts().requests,
    arrange: async (behaviour) => {
      const { port } = server;
      await server.stop();
      server = await startSimulatedServer({
        port,
        faults: behaviour.kind === 'fault' ? simulatedFaults[behaviour.fault] : {},
        latencyMs: behaviour.kind === 'late' ? behaviour.ms : 0,
      });
    },
    stop: () => server.stop(),
  };
}

function modelAt(parts: Partial<Endpoint>, asking: Fetch = fetch): ReturnType<typeof createOpenAIModel> {
  const endpoint = { provider: 'custom', baseUrl: '', model: 'm', apiKey: 'sk-planted-key-0123', ...parts };
  return createOpenAIModel(endpoint, { fetch: asking, learned: createLearnedCapabilities() });
}

async function onAimock(endpointOf: (url: string) => Partial<Endpoint>): Promise<ContractHost> {
  const mock = new LLMock({ port: 0 });
  await mock.start();
  return {
    model: modelAt(endpointOf(mock.url)),
    calls: () => mock.getRequests().length,
    arrange: (behaviour) => {
      mock.clearFixtures();
      mock.clearChaos();
      arrangeAimock(mock, behaviour);
    },
    stop: () => mock.stop(),
  };
}

function arrangeAimock(mock: LLMock, behaviour: Behaviour): void {
  switch (behaviour.kind) {
    case 'answer':
      mock.on({}, { content: behaviour.text });
      return;
    case 'cut':
      mock.on({}, { content: behaviour.text, finishReason: 'length' });
      return;
    case 'tool-call':
      mock.on({}, { toolCalls: [behaviour.call] });
      return;
    case 'echo':
      mock.on({}, (request) => ({ content: lastWords(request) }));
      return;
    case 'late':
      mock.on({}, { content: 'Late.' });
      mock.setChaos({ latencyMs: behaviour.ms });
      return;
    case 'fault':
      mock.on({}, { content: 'Never seen.' });
      mock.setChaos(chaos[behaviour.fault]);
  }
}

const simulatedFaults: Readonly<Record<Fault, SimulatedFaults>> = {
  'rate-limit': { rate429: 1 },
  'server-error': { rate500: 1 },
  malformed: { malformed: 1 },
  disconnect: { truncatedStream: 1 },
  empty: { empty: 1 },
};

const chaos: Readonly<Record<Fault, Parameters<LLMock['setChaos']>[0]>> = {
  'rate-limit': { rateLimitRate: 1 },
  'server-error': { dropRate: 1 },
  malformed: { malformedRate: 1 },
  disconnect: { disconnectRate: 1 },
  empty: {},
};

async function onChatServer(answerOf: (behaviour: Behaviour) => ChatAnswer, asking?: Fetch): Promise<ContractHost> {
  const server = await ChatServer.start();
  return {
    model: modelAt({ baseUrl: server.baseUrl }, asking),
    calls: () => server.requests.length,
    arrange: (behaviour) => void server.answers(answerOf(behaviour)),
    stop: () => server.stop(),
  };
}

function streamed(behaviour: Behaviour): ChatAnswer {
  switch (behaviour.kind) {
    case 'answer':
      return stream({ deltas: [{ content: behaviour.text }] });
    case 'cut':
      return stream({ deltas: [{ content: behaviour.text }], finish: 'length' });
    case 'tool-call':
      return stream({
        deltas: [{ tool_calls: [{ index: 0, id: 'a', function: behaviour.call }] }],
        finish: 'tool_calls',
      });
    case 'echo':
      return (response, request) => stream({ deltas: [{ content: lastWords(request.body) }] })(response, request);
    case 'late':
      return late(behaviour.ms, stream());
    case 'fault':
      return faults[behaviour.fault];
  }
}

function answer(message: Readonly<Record<string, unknown>>, finish = 'stop'): ChatAnswer {
  return json(200, {
    choices: [{ message, finish_reason: finish }],
    usage: { prompt_tokens: 4, completion_tokens: 2 },
  });
}

function whole(behaviour: Behaviour): ChatAnswer {
  switch (behaviour.kind) {
    case 'answer':
      return answer({ content: behaviour.text });
    case 'cut':
      return answer({ content: behaviour.text }, 'length');
    case 'tool-call':
      return answer(
        { content: null, tool_calls: [{ id: 'a', type: 'function', function: behaviour.call }] },
        'tool_calls',
      );
    case 'echo':
      return (response, request) => answer({ content: lastWords(request.body) })(response, request);
    case 'late':
      return late(behaviour.ms, answer({ content: 'Late.' }));
    case 'fault':
      return behaviour.fault === 'empty' ? answer({ content: '' }) : faults[behaviour.fault];
  }
}

const faults: Readonly<Record<Fault, ChatAnswer>> = {
  'rate-limit': refusal(429, { message: 'slow down' }, { 'retry-after': '1' }),
  'server-error': refusal(500, { message: 'oops' }),
  malformed: rawStream('data: {"choices":['),
  disconnect: stream({ finish: null, ending: 'reset' }),
  empty: stream({ deltas: [] }),
};

function late(ms: number, afterwards: ChatAnswer): ChatAnswer {
  return (response, request) => {
    const timer = setTimeout(() => afterwards(response, request), ms);
    response.on('close', () => clearTimeout(timer));
  };
}

function lastWords(body: Readonly<Record<string, unknown>>): string {
  const { messages } = body;
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  return last instanceof Object && 'content' in last ? String(last.content) : '';
}
