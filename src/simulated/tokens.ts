import type { ModelReply, ModelRequest } from '../ports/languageModel.js';

const charactersPerToken = 4;
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** Four characters a token, but a token for each character of Chinese, Japanese and Korean, as tokenizers do it. */
export function countTokens(text: string): number {
  const denseCount = text.match(dense)?.length ?? 0;
  return denseCount + Math.ceil((text.length - denseCount) / charactersPerToken);
}

/** What the request costs: messages, tool calls in them, declared tools and the reply schema. */
export function inputTokens(request: ModelRequest): number {
  const messages = request.messages.map((message) =>
    message.role === 'assistant' && message.toolCalls !== undefined
      ? message.content + message.toolCalls.map((call) => call.name + call.arguments).join('')
      : message.content,
  );
  const declared = [...(request.tools ?? []), ...(request.replySchema === undefined ? [] : [request.replySchema])];
  return [...messages, ...declared.map((value) => JSON.stringify(value))].reduce(
    (sum, text) => sum + countTokens(text),
    0,
  );
}

/** Cuts a text so that it counts at most `limit` tokens; at least one character stays, as no reply is empty. */
export function cutToTokens(text: string, limit: number): string {
  if (countTokens(text) <= limit) return text;
  let low = 1;
  let high = text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (countTokens(text.slice(0, middle)) <= limit) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, low).replace(/[\uD800-\uDBFF]$/, '');
}

/** The text and the tool calls of a reply. */
export function outputTokens(reply: Pick<ModelReply, 'text' | 'toolCalls'>): number {
  return countTokens(reply.text + reply.toolCalls.map((call) => call.name + call.arguments).join(''));
}
