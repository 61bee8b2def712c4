import type { AttemptRequest, AttemptResult, Environment } from '../ports/environment.js';
import type { LanguageModel } from '../ports/languageModel.js';
import { answered, asked, askTarget, failureOf } from './targetAnswer.js';
import { messagesFor, type TaskSources } from './taskMessages.js';

/** Long enough for a report; what is cut here is the skill's doing and scored. */
export const mostAnswerTokens = 4_096;

/** One question, one answer: the skill as system text, the task and its text fixtures as the person's message. */
export function createChatEnvironment(target: LanguageModel, sources: TaskSources): Environment {
  return {
    name: 'chat',
    async attempt(request: AttemptRequest, signal: AbortSignal): Promise<AttemptResult> {
      const prepared = await messagesFor(request, sources, signal);
      if (prepared.kind === 'invalid') return prepared;
      const answer = await askTarget(
        target,
        {
          role: 'target',
          messages: prepared.messages,
          maxOutputTokens: mostAnswerTokens,
          attempt: request.attempt,
          dependsOn: ['chat', request.family, prepared.fixtureHash],
        },
        signal,
      );
      if (answer.kind === 'invalid') return answer;
      if (answer.kind === 'failed') return answered({ failure: answer.failure });
      const { reply } = answer;
      return answered({
        answer: reply.text,
        transcript: [...asked(prepared.messages), { kind: 'message', role: 'assistant', text: reply.text }],
        usage: reply.usage,
        cached: reply.cached,
        failure: failureOf(reply),
      });
    },
  };
}
