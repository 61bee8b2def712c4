import type { ModelMessage, ModelRequest } from '../../ports/languageModel.js';
import { contentWords } from '../reading/wording.js';

/** What the answer is about: the words of the task, the names in it, and what tools said. */
export interface Material {
  readonly task: string;
  /** Content words, most telling first; never empty. */
  readonly words: readonly string[];
  /** Identifiers, file names, numbers, versions, quoted and capitalised words: an answer mentions them. */
  readonly names: readonly string[];
  readonly results: readonly { readonly tool: string; readonly text: string }[];
}

// Every part of a name has a most: a row of letters that is none would be tried from each of them to its end.
const namesKept = 6;
const wordsKept = 14;
const namePattern =
  /`([^`\n]{2,40})`|“([^”\n]{2,40})”|"([^"\n]{2,40})"|\b([A-Z]{2,40}-\d{1,40})\b|\b([\w-]{1,60}\.(?:[a-z]{2,4}|[a-z]{2,4}\.[a-z]{2,4}))\b|\b(v?\d{1,40}\.\d{1,40}(?:\.\d{1,40})?)\b|\b([a-z]{1,40}(?:_[a-z0-9]{1,40}){1,10})\b|\b([a-z]{1,40}(?:[A-Z][a-z0-9]{1,40}){1,10})\b|\b([a-z]{1,40}(?:-[a-z]{1,40}){0,10}-(?:service|api|worker|db|queue|job|app|bridge|client|server))\b|(?<=[a-z,;] )([A-Z][\p{L}]{2,40}(?: [A-Z][\p{L}]{1,40})?)\b|\b(\d[\d,.]{0,40}\s?%|\d{2,}(?:[.,]\d+)?)/gu;

/** Read from the last thing the person said, and from the replies of tools after it. */
export function materialOf(request: ModelRequest): Material {
  const task = lastUserText(request.messages);
  const words = contentWords(task.replaceAll(/[`"“”]/g, ' ')).filter((word) => word.length > 3 && !/^\d/.test(word));
  return {
    task,
    words: words.length === 0 ? ['the request', 'the details'] : words.slice(0, wordsKept),
    names: namesIn(task),
    results: toolResults(request.messages),
  };
}

function lastUserText(messages: readonly ModelMessage[]): string {
  return messages.findLast((message) => message.role === 'user')?.content ?? '';
}

function namesIn(task: string): readonly string[] {
  const found = [...task.matchAll(namePattern)].map(
    (match) => match.slice(1).find((group) => group !== undefined) ?? '',
  );
  const tidy = found
    .map((name) => name.trim().replace(/[.,;:]$/, ''))
    .filter((name) => name !== '' && !/[?!<>{}]/.test(name));
  return [...new Set(tidy)].slice(0, namesKept);
}

function toolResults(messages: readonly ModelMessage[]): Material['results'] {
  const names = new Map(
    messages.flatMap((message) =>
      message.role === 'assistant' ? (message.toolCalls ?? []).map((call) => [call.id, call.name] as const) : [],
    ),
  );
  return messages.flatMap((message) =>
    message.role === 'tool'
      ? [{ tool: names.get(message.toolCallId) ?? 'the tool', text: message.content.trim() }]
      : [],
  );
}
