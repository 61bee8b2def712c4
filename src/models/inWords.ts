import type { ModelMessage, ModelRequest } from '../ports/languageModel.js';

/** The messages with the form of the reply asked for at their end. */
export function withSchemaRequest({ messages, replySchema }: ModelRequest): readonly ModelMessage[] {
  const schema = JSON.stringify(replySchema?.schema, undefined, 2);
  const words = `Reply with one JSON value that follows this JSON schema, and with nothing else:\n\n\`\`\`json\n${schema}\n\`\`\``;
  const last = messages.findLastIndex(({ role }) => role === 'user');
  if (last < 0) return [...messages, { role: 'user', content: words }];
  return messages.map((message, index) =>
    index === last ? { ...message, content: `${message.content}\n\n${words}` } : message,
  );
}

/** The messages for those who know no system role: what it says comes first. */
export function foldSystem(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  const rest = messages.filter(({ role }) => role !== 'system');
  if (system.length === 0) return rest;
  const [first, ...others] = rest;
  if (first?.role !== 'user') return [{ role: 'user', content: system.join('\n\n') }, ...rest];
  return [{ role: 'user', content: [...system, first.content].join('\n\n') }, ...others];
}

/** Takes out the thinking that servers without a parser for it leave in the text. */
export function withoutThinking(text: string): string {
  return text.replace(/^\s*<think>[\s\S]*?(?:<\/think>\s*|$)/, '');
}
