import type { ServerResponse } from 'node:http';
import { guessTokens } from '../../../src/models/tokens.js';
import type { SpendCap } from '../../../src/ports/spend.js';
import { type ChatServer, json, rawStream, refusal, stream, type ChatAnswer } from '../../fakes/ChatServer.js';

/** What one request really takes, whatever the server says about it. */
interface TrueUse {
  readonly input: number;
  readonly output: number;
}

/** A server that lies about what it used, or fails in a way that is billed or that begs for more calls. */
export interface LyingServer {
  readonly name: string;
  /** Answers the request that came as the given one of all, and says what that took in truth. */
  readonly answer: (turn: Turn) => { readonly use: number; readonly send: ChatAnswer };
  /** True where one answer may take more than the request allows: what is under way then passes any cap. */
  readonly unbounded?: boolean;
}

interface Turn {
  readonly at: number;
  /** What the prompt takes. */
  readonly input: number;
  /** How long the answer may be. */
  readonly limit: number;
}

const text = 'The report says what happened, who was told, and when the next word is due. '.repeat(6);
const output = guessTokens(text);
const thinking = 'First I go through the list of what is asked for, point by point. '.repeat(20);
const deltas = [{ content: text }];

function saying(name: string, usage: (turn: Turn) => unknown): LyingServer {
  return {
    name,
    answer: (turn) => {
      const pieces = [
        { choices: [{ delta: { content: text }, finish_reason: 'stop' }] },
        { choices: [], usage: usage(turn) },
      ];
      const send = rawStream(...pieces.map((piece) => `data: ${JSON.stringify(piece)}`), 'data: [DONE]');
      return { use: turn.input + output, send };
    },
  };
}

function failing(name: string, send: ChatAnswer, use: (turn: Turn) => number = () => 0): LyingServer {
  return { name, answer: (turn) => ({ use: use(turn), send }) };
}

/** What a gateway charges that gave up while the model worked on. */
const worked = ({ input }: Turn): number => input + output;

export const lyingServers: readonly LyingServer[] = [
  saying('says that nothing was used', () => ({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 })),
  saying('says one token', () => ({ prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 })),
  saying('says a tenth', ({ input }) => ({ prompt_tokens: input / 10, completion_tokens: output / 10 })),
  saying('says a half', ({ input }) => ({ prompt_tokens: input / 2, completion_tokens: output / 2 })),
  saying('says less than nothing', () => ({ prompt_tokens: -1000, completion_tokens: -1000 })),
  saying('says words', () => ({ prompt_tokens: 'none', completion_tokens: ['0'] })),
  saying('says no usage at all', () => undefined),
  {
    name: 'says NaN',
    answer: ({ input }) => {
      const piece = `{"choices":[{"delta":{"content":${JSON.stringify(text)}},"finish_reason":"stop"}],"usage":{"prompt_tokens":NaN}}`;
      return { use: input + output, send: rawStream(`data: ${piece}`) };
    },
  },
  {
    name: 'counts thinking in the total alone',
    answer: ({ input }) => {
      const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output + 900 };
      return { use: input + output + 900, send: stream({ deltas, usage }) };
    },
  },
  {
    name: 'sends thinking and counts none',
    answer: ({ input }) => ({
      use: input + output + guessTokens(thinking),
      send: stream({
        deltas: [{ reasoning_content: thinking }, ...deltas],
        usage: { prompt_tokens: input, completion_tokens: output },
      }),
    }),
  },
  {
    name: 'answers ten times as long as it may',
    unbounded: true,
    answer: ({ input, limit }) => {
      const long = 'word '.repeat(10 * limit);
      const usage = { prompt_tokens: 0, completion_tokens: 0 };
      return { use: input + 10 * limit, send: stream({ deltas: [{ content: long }], usage }) };
    },
  },
  failing('times out behind its gateway (504)', refusal(504, { message: 'upstream request timeout' }), worked),
  failing('loses the model behind its gateway (502)', refusal(502, { message: 'Bad gateway' }), worked),
  failing('times out at the edge (524)', refusal(524, { message: 'A timeout occurred' }), worked),
  failing('cuts every stream', stream({ deltas, finish: null, ending: 'reset' }), worked),
  failing(
    'answers with nothing',
    stream({ deltas: [{ content: ' ' }], usage: { prompt_tokens: 0 } }),
    ({ input }) => input,
  ),
  failing('fails at once (500)', refusal(500, { message: 'oops' })),
  failing('says that there are too many calls', refusal(429, { message: 'slow down' })),
  failing('fails with status 200', json(200, { error: { message: 'Something went wrong' } })),
  {
    name: 'refuses every form of the request',
    answer: ({ at }) => ({
      use: 0,
      send: refusal(400, {
        message: `Unsupported parameter: ${at % 2 === 0 ? 'max_tokens' : 'max_completion_tokens'}. Use the other instead.`,
      }),
    }),
  },
];

/** What a server was really asked for. */
export interface Tally {
  calls: number;
  /** Tokens, by our measure of a token. */
  tokens: number;
  usd: number;
  /** Of each, what began after the cap had been used up. */
  readonly late: { calls: number; tokens: number; usd: number };
}

export const price = { input: 1, output: 10 };

/** Answers by the script, and counts what it really takes, and what of it began after a cap was used up. */
export function serve(server: ChatServer, liar: LyingServer, cap: SpendCap): Tally {
  const tally: Tally = { calls: 0, tokens: 0, usd: 0, late: { calls: 0, tokens: 0, usd: 0 } };
  server.answers((response, request) => {
    const input = inputOf(request.body);
    const limit = Number(request.body['max_tokens'] ?? request.body['max_completion_tokens'] ?? 0);
    const { use, send } = liar.answer({ at: tally.calls, input, limit });
    const used: TrueUse = { input: Math.min(use, input), output: Math.max(0, use - input) };
    const usd = (used.input * price.input + used.output * price.output) / 1_000_000;
    const isLate =
      tally.calls >= (cap.calls ?? Infinity) ||
      tally.tokens >= (cap.tokens ?? Infinity) ||
      tally.usd >= (cap.usd ?? Infinity);
    if (isLate) {
      tally.late.calls += 1;
      tally.late.tokens += use;
      tally.late.usd += usd;
    }
    tally.calls += 1;
    // What a model works on is used when it is done: calls side by side begin before the others are counted.
    onceSent(response, () => {
      tally.tokens += use;
      tally.usd += usd;
    });
    send(response, request);
  });
  return tally;
}

function onceSent(response: ServerResponse, done: () => void): void {
  response.once('close', done);
}

function inputOf(body: Readonly<Record<string, unknown>>): number {
  const messages = body['messages'];
  if (!Array.isArray(messages)) return 0;
  return messages.reduce((sum: number, message: unknown) => {
    const content: unknown = message instanceof Object && 'content' in message ? message.content : '';
    return sum + (typeof content === 'string' ? Math.ceil(content.length / 4) : 0);
  }, 0);
}
