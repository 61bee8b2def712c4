import { parseJson } from '../../parseJson.js';
import type { ModelUsage } from '../../ports/languageModel.js';
import type { AgentEvent, AgentFailure, AgentSaid } from './agentKind.js';

/** What stands at a path of names in an event; undefined where something on the way is missing. */
export function at(event: unknown, ...names: readonly string[]): unknown {
  let value = event;
  for (const name of names) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.entries(value).find(([key]) => key === name)?.[1];
  }
  return value;
}

export function textAt(event: unknown, ...names: readonly string[]): string | undefined {
  const value = at(event, ...names);
  return typeof value === 'string' ? value : undefined;
}

/** A count or an amount; 0 where there is none that can be one. */
export function numberAt(event: unknown, ...names: readonly string[]): number {
  const value = at(event, ...names);
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

export function listAt(event: unknown, ...names: readonly string[]): readonly unknown[] {
  const value = at(event, ...names);
  return Array.isArray(value) ? value : [];
}

export function ofType(events: readonly AgentEvent[], type: string): readonly AgentEvent[] {
  return events.filter((event) => event['type'] === type);
}

/** Undefined where nothing was counted, for every answer takes tokens, and where no call can have taken that. */
export function countedUsage(inputTokens: number, outputTokens: number, usd = 0): ModelUsage | undefined {
  if (![inputTokens, outputTokens].every((count) => Number.isInteger(count) && count > 0)) return undefined;
  if (inputTokens + outputTokens > mostTokensOfACall) return undefined;
  return { inputTokens, outputTokens, exact: true, ...(usd > 0 ? { usd } : {}) };
}

export const mostTokensOfACall = 100_000_000; // ten times the longest context that anybody sells

/** A failure with the status that its words tell, where no field does. */
export function failure(words: string, more: Omit<AgentFailure, 'kind' | 'said'> = {}): AgentFailure {
  const said = innerWords(words);
  const status = more.status ?? statusIn(said);
  return { kind: 'failed', said, ...more, ...(status === undefined ? {} : { status }) };
}

/** Its tools are off: what its model wants to do is not done, and what it says afterwards is no answer to us. */
export const askedForTool: AgentFailure = {
  kind: 'failed',
  said: 'it asked for a tool, which it does not have',
  error: 'malformed',
};

/** One call is one question. */
export const askedAgain: AgentFailure = {
  kind: 'failed',
  said: 'it asked its model a second time by itself',
  error: 'malformed',
};

/** What a server said, where its answer is passed on as it came. */
function innerWords(words: string): string {
  const answer = parseJson(words.slice(Math.max(0, words.indexOf('{')), words.lastIndexOf('}') + 1));
  const error = at(answer, 'error') ?? answer;
  const message = textAt(error, 'message');
  if (message === undefined) return words;
  const code = textAt(error, 'code') ?? textAt(error, 'type') ?? '';
  return code === '' ? message : `${message} (${code})`;
}

/** It ended without its closing event: an exit code alone proves nothing. */
export function unfinished({ words, code }: AgentSaid): AgentFailure {
  const said = words.trim();
  if (/(?:unknown|unexpected|unrecognized|invalid) (?:option|argument|flag)|error loading config/iu.test(said)) {
    return failure(said, { error: 'endpoint', sent: false });
  }
  if (code === 0) return failure('it ended well, and without its closing event', { error: 'malformed' });
  return failure(said === '' ? `it ended with ${code} and said nothing` : said);
}

function statusIn(said: string): number | undefined {
  const found = /\b(?:status|error|code|http)\W{0,4}(?:code\W{0,3})?(4\d\d|5\d\d)\b|\b(4\d\d|5\d\d) [A-Z{]/iu.exec(
    said,
  );
  return found === null ? undefined : Number(found[1] ?? found[2]);
}
