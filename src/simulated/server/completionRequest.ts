import type { IncomingHttpHeaders } from 'node:http';
import type { ModelRequest, ModelRole } from '../../ports/languageModel.js';
import { bodyQuestion, type CompletionBody } from '../../wire/completionBody.js';
import { roleOf } from '../simulatedModel.js';

const usualTokens = 16_384;

/** The request without its attempt. The role is the header `x-whetstone-role`, else read from what is asked for. */
export function questionOf(body: CompletionBody, headers: IncomingHttpHeaders): Omit<ModelRequest, 'attempt'> {
  const { messages, ...more } = bodyQuestion(body);
  const role = statedRole(headers) ?? roleOf(more.replySchema?.name, messages.map(({ content }) => content).join('\n'));
  const maxOutputTokens = body.max_completion_tokens ?? body.max_tokens ?? usualTokens;
  return { role, messages, maxOutputTokens, ...more };
}

function statedRole(headers: IncomingHttpHeaders): ModelRole | undefined {
  const role = headers['x-whetstone-role'];
  return role === 'target' || role === 'optimizer' || role === 'judge' ? role : undefined;
}
