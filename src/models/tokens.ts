import type { WorkLimits } from '../ports/agentWork.js';
import type { LanguageModel, ModelRequest, ModelUsage, ToolCall } from '../ports/languageModel.js';

/** A fair guess where a backend reports nothing: four characters of Latin text a token, one of any other script. */
export function guessTokens(text: string): number {
  const wide = text.match(/[\u0250-\uFFFF]/g)?.length ?? 0;
  return Math.ceil((text.length - wide) / 4 + wide);
}

function isWide(code: number): boolean {
  return code >= 0x0250;
}

/** As much of the text, from its start, as {@link guessTokens} calls this many tokens. */
export function withinTokens(text: string, most: number): string {
  let end = 0;
  for (let quarters = 0; end < text.length; end += 1) {
    quarters += isWide(text.charCodeAt(end)) ? 4 : 1;
    if (quarters > most * 4) break;
  }
  return text.slice(0, end);
}

/** {@link guessTokens} of everything that is sent. */
export function guessInputTokens(request: ModelRequest): number {
  return sentTexts(request).reduce((sum, text) => sum + guessTokens(text), overhead(request));
}

/** {@link leastTokens} of what is said; how a server words schemas and tools to its model is its own affair. */
export function leastInputTokens({ messages }: ModelRequest): number {
  return messages.reduce((sum, { content }) => sum + leastTokens(content), 0);
}

/**
 * The fewest tokens that a tokenizer in use makes of a text: one for each word, however short or common, for each three
 * digits, and for each four signs of a script without spaces. Signs between words count for nothing: they may be part of
 * a word's token.
 */
export function leastTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(/\p{N}+|[\p{L}\p{M}]+/gu))
    tokens += Math.ceil(piece.length / longestToken(piece));
  return tokens;
}

function longestToken(piece: string): number {
  if (/^\p{N}/u.test(piece)) return 3;
  return /[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u2E80-\uD7FF\uF900-\uFAFF]/.test(piece) ? 4 : 16;
}

/** The worst case of one call: as long a prompt as it could be, an answer up to its limit, and what the model adds to both. */
export function worstUsage(
  request: ModelRequest,
  { takesMore }: Pick<LanguageModel, 'takesMore'> = {},
  count = mostTokens,
): ModelUsage {
  if (request.work !== undefined) return workWorst(request.work.limits);
  const more = takesMore?.(request) ?? { inputTokens: 0, outputTokens: 0 };
  return {
    inputTokens: mostInputTokens(request, count) + more.inputTokens,
    outputTokens: request.maxOutputTokens + more.outputTokens,
    exact: false,
  };
}

/** Work in a folder has its own limit, of which a quarter is set aside for what is written; it is ended where it takes more. */
export function workWorst({ maxTokens }: WorkLimits): ModelUsage {
  const outputTokens = Math.ceil(maxTokens / 4);
  return { inputTokens: maxTokens - outputTokens, outputTokens, exact: false };
}

/**
 * A ceiling on the tokens of a request: at most two letters of a word a token, and every digit, every sign, every letter
 * of no word and every byte beyond ASCII its own. About twice the truth on prose; only the bytes of
 * the text would be a stricter one, and they would block caps at four times the truth.
 */
export function mostInputTokens(request: ModelRequest, count = mostTokens): number {
  return sentTexts(request).reduce((sum, text) => sum + count(text), overhead(request));
}

export function mostTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(/[A-Z]?[a-z]+|[A-Z]+|[ \t]+|[\0-\x7F]|[^\0-\x7F]+/g))
    tokens += mostOfPiece(piece);
  return tokens;
}

function mostOfPiece(piece: string): number {
  if (/^[ \t]/.test(piece)) return Math.ceil(piece.length / 4);
  if (!/^[A-Za-z]/.test(piece)) return Buffer.byteLength(piece);
  const isWord = /[aeiouy]/i.test(piece) && !/[^aeiouy]{5}/i.test(piece);
  return isWord ? Math.ceil(piece.length / 2) : piece.length;
}

function overhead(request: ModelRequest): number {
  const framed = request.messages.length + callsIn(request).length;
  return 16 + 8 * framed + 16 * (request.tools?.length ?? 0); // role markers and templates
}

function callsIn({ messages }: ModelRequest): readonly ToolCall[] {
  return messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
}

/** Whatever goes over the wire is paid for, be it an id. */
function sentTexts(request: ModelRequest): readonly string[] {
  return [
    ...request.messages.map((message) => message.content),
    ...request.messages.map((message) => (message.role === 'tool' ? message.toolCallId : '')),
    ...callsIn(request).map((call) => call.id + call.name + call.arguments),
    ...(request.tools === undefined ? [] : [JSON.stringify(request.tools)]),
    ...(request.replySchema === undefined ? [] : [JSON.stringify(request.replySchema, undefined, 2)]),
  ];
}
