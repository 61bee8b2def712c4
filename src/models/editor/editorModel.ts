import { messageOf, ModelError, UserError } from '../../errors.js';
import type { EditorChat, EditorQuestion } from '../../ports/editorChat.js';
import type { LanguageModel, ModelReply, ModelRequest, ToolCall } from '../../ports/languageModel.js';
import { FailedCall } from '../wrappers/failedCall.js';
import { foldSystem, withSchemaRequest, withoutThinking } from '../inWords.js';
import { limitsWithin, startPatience, usualLimits, type PatienceLimits } from '../patience.js';
import { guessInputTokens, guessTokens, withinTokens } from '../tokens.js';

/** How models of the editor are named before their vendor and id. */
export const editorProvider = 'vscode';

/**
 * A model that the editor offers. It tells no usage and holds to no limit of its own: tokens are counted here, and an
 * answer is stopped where it would pass what was reserved for it.
 */
export function createEditorModel(chat: EditorChat, limits = usualLimits): LanguageModel {
  const model = `${chat.vendor}/${chat.id}`;
  const identity = { provider: editorProvider, endpoint: `vscode:${chat.vendor}`, model, simulated: false };
  return {
    identity,
    async complete(request, signal) {
      signal.throwIfAborted();
      return toReply(chat, request, await received(chat, request, limits, signal));
    },
    wire: (request) => ({ url: `vscode:${model}`, body: questionOf(request) }),
    needsPerson: () => (chat.isAllowed() === true ? undefined : notAllowed(chat)),
  };
}

function questionOf(request: ModelRequest): EditorQuestion {
  const { replySchema, messages, temperature, tools = [], maxOutputTokens } = request;
  return {
    messages: foldSystem(replySchema === undefined ? messages : withSchemaRequest(request)),
    tools,
    wishes: { max_tokens: maxOutputTokens, ...(temperature === undefined ? {} : { temperature }) },
  };
}

interface EditorAnswer {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  /** True where we stopped it at its limit. */
  readonly cut: boolean;
}

async function received(
  chat: EditorChat,
  request: ModelRequest,
  limits: PatienceLimits,
  signal: AbortSignal,
): Promise<EditorAnswer> {
  const patience = startPatience(limitsWithin(limits, request.timeoutMs), signal);
  try {
    return await gathered(chat, request, patience);
  } catch (error) {
    signal.throwIfAborted();
    const ranOut = patience.ranOut();
    if (ranOut !== undefined)
      throw new FailedCall('timeout', `${chat.name} took too long: ${ranOut}.`, { charged: true });
    if (error instanceof ModelError) throw error;
    throw new FailedCall('unavailable', `${chat.name} failed: ${messageOf(error)}`, { charged: true });
  } finally {
    patience.end();
  }
}

async function gathered(
  chat: EditorChat,
  request: ModelRequest,
  patience: ReturnType<typeof startPatience>,
): Promise<EditorAnswer> {
  const stop = new AbortController();
  const parts = chat.ask(questionOf(request), AbortSignal.any([patience.signal, stop.signal]))[Symbol.asyncIterator]();
  const toolCalls: ToolCall[] = [];
  let text = '';
  for (;;) {
    // Not every provider stops when asked to: one that does not is not waited for.
    const next = await orAborted(parts.next(), patience.signal);
    if (next.done === true) return { text, toolCalls, cut: false };
    patience.beat();
    if (next.value.kind === 'text') text += next.value.text;
    else toolCalls.push(next.value.call);
    if (guessTokens(text) <= request.maxOutputTokens) continue;
    stop.abort(new Error('the answer is as long as it may be'));
    void parts.return?.().catch(() => undefined);
    return { text, toolCalls, cut: true };
  }
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    if (signal.aborted) abort();
  });
}

async function toReply(chat: EditorChat, request: ModelRequest, answer: EditorAnswer): Promise<ModelReply> {
  const { cut, toolCalls } = answer;
  const text = withoutThinking(cut ? withinTokens(answer.text, request.maxOutputTokens) : answer.text);
  if (text.trim() === '' && toolCalls.length === 0 && !cut) {
    throw new FailedCall('malformed', `The answer of ${chat.name} was empty.`, { charged: true });
  }
  return {
    text,
    finish: cut ? 'length' : toolCalls.length > 0 ? 'tool-calls' : 'stop',
    toolCalls,
    usage: await usageOf(chat, request, answer),
    cached: false,
  };
}

/** As the model's own tokenizer counts, where it does; what is billed is the provider's word, so it is never exact. */
async function usageOf(chat: EditorChat, request: ModelRequest, answer: EditorAnswer): Promise<ModelReply['usage']> {
  const written = answer.text + answer.toolCalls.map((call) => call.name + call.arguments).join('');
  const { messages, tools } = questionOf(request);
  const sent = [...messages.map(({ content }) => content), ...tools.map((tool) => JSON.stringify(tool))].join('\n');
  const count = async (text: string, guess: number): Promise<number> => {
    const counted = await chat.countTokens(text).catch(() => guess);
    return Number.isSafeInteger(counted) && counted > 0 ? counted : guess;
  };
  const [inputTokens, outputTokens] = await Promise.all([
    count(sent, guessInputTokens(request)),
    count(written, guessTokens(written)),
  ]);
  return { inputTokens, outputTokens, exact: false };
}

function notAllowed({ name }: EditorChat): UserError {
  return new UserError(
    'model-failed',
    `VS Code has not been told that Whetstone may use ${name}.`,
    'Run “Whetstone: Check Connection” once and allow it; VS Code asks nobody at night.',
  );
}
