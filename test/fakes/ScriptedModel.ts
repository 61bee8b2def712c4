import { setMaxListeners } from 'node:events';
import type { LanguageModel, ModelIdentity, ModelReply, ModelRequest } from '../../src/ports/languageModel.js';

/** What a rule gives: a text, parts of a reply, an error to throw, or any of them worked out from the request. */
export type ScriptedAnswer =
  | string
  | Partial<ModelReply>
  | Error
  | ((request: ModelRequest) => ScriptedAnswer | Promise<ScriptedAnswer>);

/** A model that follows a script. What the script does not foresee fails the test, with the prompt in the message. */
export class ScriptedModel implements LanguageModel {
  readonly identity: ModelIdentity;
  readonly requests: ModelRequest[] = [];
  readonly #rules: { readonly matches: (request: ModelRequest) => boolean; readonly answer: ScriptedAnswer }[] = [];

  constructor(identity: Partial<ModelIdentity> = {}) {
    this.identity = { provider: 'scripted', endpoint: 'test', model: 'scripted-1', simulated: false, ...identity };
  }

  /** The first rule that matches answers. A text matches where any message contains it. */
  when(matches: string | ((request: ModelRequest) => boolean), answer: ScriptedAnswer): this {
    const predicate =
      typeof matches === 'string'
        ? (request: ModelRequest) => request.messages.some(({ content }) => content.includes(matches))
        : matches;
    this.#rules.push({ matches: predicate, answer });
    return this;
  }

  async complete(request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
    signal.throwIfAborted();
    this.requests.push(request);
    const rule = this.#rules.find(({ matches }) => matches(request));
    if (rule === undefined) throw new Error(`The script has no answer to:\n${printed(request)}`);
    return unlessAborted(resolveAnswer(rule.answer, request), signal);
  }
}

async function resolveAnswer(answer: ScriptedAnswer, request: ModelRequest): Promise<ModelReply> {
  if (typeof answer === 'function') return resolveAnswer(await answer(request), request);
  if (answer instanceof Error) throw answer;
  return aReply(typeof answer === 'string' ? { text: answer } : answer);
}

/** A valid reply; tests state what matters. */
export function aReply(parts: Partial<ModelReply> = {}): ModelReply {
  const toolCalls = parts.toolCalls ?? [];
  return {
    text: toolCalls.length > 0 ? '' : 'An answer.',
    finish: toolCalls.length > 0 ? 'tool-calls' : 'stop',
    toolCalls,
    usage: { inputTokens: 10, outputTokens: 5, exact: true },
    cached: false,
    ...parts,
  };
}

/** A valid request; tests state what matters. */
export function aRequest(parts: Partial<ModelRequest> = {}): ModelRequest {
  return {
    role: 'target',
    messages: [{ role: 'user', content: 'A question.' }],
    maxOutputTokens: 100,
    attempt: 0,
    ...parts,
  };
}

async function unlessAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  const listening = new AbortController();
  setMaxListeners(0, signal); // many calls at once listen to a run's one signal
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: listening.signal });
  });
  try {
    const value = await Promise.race([result, aborted]);
    signal.throwIfAborted();
    return value;
  } finally {
    listening.abort();
  }
}

function printed({ role, messages }: ModelRequest): string {
  return [`(asked as ${role})`, ...messages.map((message) => `--- ${message.role}\n${message.content}`)].join('\n');
}
