import type { ModelReply, ModelRequest } from '../../ports/languageModel.js';
import { FailedCall } from '../wrappers/failedCall.js';
import { guessInputTokens, guessTokens } from '../tokens.js';
import { withoutThinking } from '../withoutThinking.js';
import { filterCure } from './errorWords.js';
import type { GatheredAnswer } from './gatherAnswer.js';

/** A complete answer as a reply; throws where it is none: broken off, empty, or withheld. */
export function toReply(answer: GatheredAnswer, request: ModelRequest): ModelReply {
  const { finish, toolCalls } = answer;
  if (finish === undefined) {
    throw new FailedCall('unavailable', 'The answer broke off before its end.', { charged: true });
  }
  if (finish === 'content_filter') {
    throw new FailedCall('content-filter', 'The server withheld the answer.', { cure: filterCure, charged: true });
  }
  if (finish === 'error') {
    throw new FailedCall('unavailable', 'The server failed in the middle of the answer.', { charged: true });
  }
  const text = withoutThinking(answer.text) || answer.refusal;
  const cut = finish === 'length' || finish === 'max_tokens';
  if (text.trim() === '' && toolCalls.length === 0) throw emptyAnswer(request, cut);
  return {
    text,
    finish: cut ? 'length' : toolCalls.length > 0 ? 'tool-calls' : 'stop',
    toolCalls,
    usage: usageOf(answer, request),
    cached: false,
  };
}

/** Cut before its first word is an answer cut at its limit, which asking again does not mend. */
function emptyAnswer(request: ModelRequest, cut: boolean): FailedCall {
  if (!cut) return new FailedCall('malformed', 'The answer was empty.', { charged: true });
  return new FailedCall(
    'context-length',
    `The model spent all ${request.maxOutputTokens} tokens of its answer on thinking.`,
    { cure: 'Allow longer answers, or let the model think less.', charged: true },
  );
}

function usageOf(answer: GatheredAnswer, request: ModelRequest): ModelReply['usage'] {
  if (answer.usage !== undefined) return { ...answer.usage, exact: true };
  const written = answer.text + answer.refusal + answer.toolCalls.map((call) => call.name + call.arguments).join('');
  return { inputTokens: guessInputTokens(request), outputTokens: guessTokens(written), exact: false };
}
