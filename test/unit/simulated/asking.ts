import type { LanguageModel, ModelMessage, ModelReply, ModelRequest } from '../../../src/ports/languageModel.js';
import { allKinds } from '../../../src/simulated/reading/readInstructions.js';
import type { Evidence } from '../../../src/simulated/instruction.js';
import { statementsOf } from '../../../src/simulated/reading/statements.js';

/** A tool that any task may offer. */
export const searchDocs = {
  name: 'search_docs',
  description: 'Searches the documentation.',
  parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
};

/** A request as an environment makes it: the skill in a system message, the task in a user message. */
export function aTargetRequest(parts: {
  readonly skill?: string;
  readonly task?: string;
  readonly attempt?: number;
  readonly tools?: ModelRequest['tools'];
}): ModelRequest {
  const {
    skill = '',
    task = 'The nightly export of checkout-service fails since release 4.2.1.',
    attempt = 0,
    tools,
  } = parts;
  return {
    role: 'target',
    messages: [
      { role: 'system', content: `You do a job for a person.\n\n\`\`\`skill-0123456789ab\n${skill}\n\`\`\`` },
      { role: 'user', content: task },
    ],
    maxOutputTokens: 16_000,
    attempt,
    ...(tools === undefined ? {} : { tools }),
  };
}

export function ask(model: LanguageModel, request: ModelRequest): Promise<ModelReply> {
  return model.complete(request, new AbortController().signal);
}

/** Goes on until the model answers, replying to every tool call. */
export async function answerOf(
  model: LanguageModel,
  request: ModelRequest,
  result = 'The limit is 40 MB.',
): Promise<Evidence> {
  const toolsCalled: string[] = [];
  let messages: readonly ModelMessage[] = request.messages;
  for (;;) {
    const reply = await ask(model, { ...request, messages });
    if (reply.finish !== 'tool-calls') return { answer: reply.text, toolsCalled };
    toolsCalled.push(...reply.toolCalls.map((call) => call.name));
    messages = [
      ...messages,
      { role: 'assistant', content: reply.text, toolCalls: reply.toolCalls },
      ...reply.toolCalls.map((call): ModelMessage => ({ role: 'tool', toolCallId: call.id, content: result })),
    ];
  }
}

/** The names of the kinds that read something in a sentence. */
export function kindsIn(sentence: string): readonly string[] {
  const statements = statementsOf(sentence, false);
  return allKinds
    .filter((kind) => statements.some((statement) => kind.read(statement).length > 0))
    .map(({ name }) => name);
}
