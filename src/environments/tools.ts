import type { AttemptRequest, AttemptResult, Environment, TranscriptTurn } from '../ports/environment.js';
import type { LanguageModel, ModelMessage, ModelReply, ModelUsage, ToolCall } from '../ports/languageModel.js';
import type { StubTool, Task } from '../tasks/task.js';
import { mostAnswerTokens } from './chat.js';
import { askTarget, failureOf } from './targetAnswer.js';
import { messagesFor, type TaskSources } from './taskMessages.js';
import { answerToolCall } from './toolCalls.js';

/** A model that still calls tools after this many rounds will not stop by itself. */
const mostRounds = 8;

interface Conversation {
  readonly messages: readonly ModelMessage[];
  readonly transcript: readonly TranscriptTurn[];
  readonly called: readonly { readonly name: string; readonly arguments: string }[];
  readonly usage: ModelUsage;
  readonly cached: boolean;
}

/** A bounded function-calling loop against the task's stub tools, which answer with fixed results and do nothing. */
export function createToolsEnvironment(target: LanguageModel, sources: TaskSources): Environment {
  return {
    name: 'tools',
    async attempt(request: AttemptRequest, signal: AbortSignal): Promise<AttemptResult> {
      const prepared = await messagesFor(request, sources, signal);
      if (prepared.kind === 'invalid') return prepared;
      let talk = begin(prepared.messages);
      for (let round = 1; round <= mostRounds; round++) {
        const answer = await askTarget(target, requestFor(request, talk, prepared.fixtureHash), signal);
        if (answer.kind === 'invalid') return answer;
        if (answer.kind === 'failed') return finished(talk, '', answer.failure);
        talk = heard(talk, answer.reply, request.task.tools);
        if (answer.reply.toolCalls.length === 0) return finished(talk, answer.reply.text, failureOf(answer.reply));
      }
      return finished(talk, '', `The agent still called tools after ${mostRounds} rounds and gave no answer.`);
    },
  };
}

function requestFor(
  { task, attempt, family }: AttemptRequest,
  talk: Conversation,
  fixtureHash: string,
): Parameters<LanguageModel['complete']>[0] {
  return {
    role: 'target',
    messages: talk.messages,
    maxOutputTokens: mostAnswerTokens,
    // Servers refuse an empty list.
    ...(task.tools.length === 0 ? {} : { tools: declarations(task) }),
    attempt,
    dependsOn: ['tools', family, fixtureHash],
  };
}

function declarations(
  task: Task,
): readonly { name: string; description: string; parameters: StubTool['parameters'] }[] {
  return task.tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
}

function begin(messages: readonly ModelMessage[]): Conversation {
  return {
    messages,
    transcript: messages.map((message) => ({
      kind: 'message',
      role: message.role === 'system' ? 'system' : 'user',
      text: message.content,
    })),
    called: [],
    usage: { inputTokens: 0, outputTokens: 0, exact: true },
    cached: true,
  };
}

/** The conversation after a reply: its text, its tool calls, and what the stubs answered. */
function heard(talk: Conversation, reply: ModelReply, tools: readonly StubTool[]): Conversation {
  const answers = reply.toolCalls.map((call) => ({ call, ...answerToolCall(call, tools) }));
  const said: readonly TranscriptTurn[] =
    reply.text === '' ? [] : [{ kind: 'message', role: 'assistant', text: reply.text }];
  return {
    messages: [
      ...talk.messages,
      { role: 'assistant', content: reply.text, toolCalls: reply.toolCalls },
      ...answers.map(({ call, result }) => ({ role: 'tool' as const, toolCallId: call.id, content: result })),
    ],
    transcript: [
      ...talk.transcript,
      ...said,
      ...answers.map(({ call, result }) => ({
        kind: 'tool' as const,
        name: call.name,
        arguments: call.arguments,
        result,
      })),
    ],
    called: [...talk.called, ...answers.filter((each) => each.valid).map(({ call }) => calledOf(call))],
    usage: {
      inputTokens: talk.usage.inputTokens + reply.usage.inputTokens,
      outputTokens: talk.usage.outputTokens + reply.usage.outputTokens,
      exact: talk.usage.exact && reply.usage.exact,
    },
    cached: talk.cached && reply.cached,
  };
}

function calledOf({ name, arguments: given }: ToolCall): { readonly name: string; readonly arguments: string } {
  return { name, arguments: given };
}

function finished(talk: Conversation, answer: string, failure: string | undefined): AttemptResult {
  return {
    kind: 'answered',
    answer,
    toolsCalled: talk.called,
    transcript: talk.transcript,
    usage: talk.usage,
    cached: talk.cached,
    failure,
    scores: undefined,
    extras: {},
  };
}
