import type { IncomingHttpHeaders } from 'node:http';
import type { ModelRequest, ModelRole } from '../../ports/languageModel.js';
import type { WireQuestion } from '../../wire/wireForm.js';
import { roleOf } from '../simulatedModel.js';

const usualTokens = 16_384;

/** The request without its attempt. The role is the header `x-whetstone-role`, else read from what is asked for. */
export function modelQuestion(
  { question, maxOutputTokens = usualTokens }: WireQuestion,
  headers: IncomingHttpHeaders,
): Omit<ModelRequest, 'attempt'> {
  const words = question.messages.map(({ content }) => content).join('\n');
  const role = statedRole(headers) ?? roleOf(question.replySchema?.name, words);
  return { ...question, role, maxOutputTokens };
}

function statedRole(headers: IncomingHttpHeaders): ModelRole | undefined {
  const role = headers['x-whetstone-role'];
  return role === 'target' || role === 'optimizer' || role === 'judge' ? role : undefined;
}
