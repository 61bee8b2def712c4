import type { AttemptRequest, AttemptResult, Environment } from '../ports/environment.js';
import type { LanguageModel } from '../ports/languageModel.js';
import { answered, asked, askTarget, failureOf } from './targetAnswer.js';
import { answerRoom } from '../prompts/answerRoom.js';
import { messagesFor, type TaskSources } from './taskMessages.js';

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
          attempt: request.attempt,
          dependsOn: ['chat', request.family, prepared.fixtureHash],
        },
        answerRoom({ role: 'target', identity: target.identity }, sources.room),
        signal,
      );
      if (answer.kind === 'invalid') return answer;
      if (answer.kind === 'thought-only') {
        const { failure, usage } = answer;
        return answered({ failure, thoughtOnly: true, transcript: asked(prepared.messages), usage });
      }
      if (answer.kind === 'failed') return answered({ failure: answer.failure });
      const { reply } = answer;
      return answered({
        answer: reply.text,
        transcript: [...asked(prepared.messages), { kind: 'message', role: 'assistant', text: reply.text }],
        usage: reply.usage,
        cached: reply.cached,
        ...failureOf(reply),
      });
    },
  };
}
