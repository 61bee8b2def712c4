import { parseJson } from '../parseJson.js';
import type { AttemptRequest, AttemptResult, Environment, TranscriptTurn } from '../ports/environment.js';
import type {
  LanguageModel,
  ModelMessage,
  ModelReply,
  ModelRequest,
  ModelUsage,
  ToolCall,
} from '../ports/languageModel.js';
import type { StubTool } from '../tasks/task.js';
import { answerRoom } from '../prompts/answerRoom.js';
import { answered, asked, askTarget, failureOf, usageOfBoth, type TargetAnswer } from './targetAnswer.js';
import { messagesFor, type TaskSources } from './taskMessages.js';
import * as z from 'zod';

/** A model that still calls tools after this many rounds will not stop by itself. */
export const mostRounds = 8;

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
      let room = answerRoom({ role: 'target', identity: target.identity }, sources.room);
      let talk = begin(prepared.messages);
      for (let round = 1; round <= mostRounds; round++) {
        const asking = requestFor(request, talk, prepared.fixtureHash);
        const answer = await askTarget(target, asking, room, signal);
        if (answer.kind === 'invalid') return answer;
        if (answer.kind === 'thought-only') return thoughtAway(talk, answer);
        if (answer.kind === 'failed') return finished(talk, '', answer);
        // One second try an attempt: whoever needed more room has it from now on.
        if (answer.hadMoreRoom) room = { ...room, first: room.second };
        talk = heard(talk, answer.reply, request.task.tools);
        if (answer.reply.toolCalls.length === 0) return finished(talk, answer.reply.text, failureOf(answer.reply));
      }
      const failure = `The agent still called tools after ${mostRounds} rounds and gave no answer.`;
      return finished(talk, '', { failure });
    },
  };
}

function requestFor(
  { task, attempt, family }: AttemptRequest,
  talk: Conversation,
  fixtureHash: string,
): Omit<ModelRequest, 'maxOutputTokens'> {
  const tools = task.tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  return {
    role: 'target',
    messages: talk.messages,
    // Servers refuse an empty list.
    ...(tools.length === 0 ? {} : { tools }),
    attempt,
    dependsOn: ['tools', family, fixtureHash],
  };
}

function begin(messages: readonly ModelMessage[]): Conversation {
  return {
    messages,
    transcript: asked(messages),
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
    called: [
      ...talk.called,
      ...answers
        .filter((each) => each.valid)
        .map(({ call: { name, arguments: given } }) => ({ name, arguments: given })),
    ],
    usage: usageOfBoth(talk.usage, reply.usage),
    cached: talk.cached && reply.cached,
  };
}

function thoughtAway(
  { called: toolsCalled, transcript, usage }: Conversation,
  answer: Extract<TargetAnswer, { kind: 'thought-only' }>,
): AttemptResult {
  const { failure } = answer;
  return answered({ failure, thoughtOnly: true, toolsCalled, transcript, usage: usageOfBoth(usage, answer.usage) });
}

function finished(talk: Conversation, answer: string, end: ReturnType<typeof failureOf>): AttemptResult {
  const { called: toolsCalled, transcript, usage, cached } = talk;
  const { failure, endless } = end;
  return answered({ answer, toolsCalled, transcript, usage, cached, failure, endless });
}

/** The stub's fixed result, or a sentence that tells the model what is wrong with its call. */
function answerToolCall(
  call: ToolCall,
  tools: readonly StubTool[],
): { readonly valid: boolean; readonly result: string } {
  const tool = tools.find((each) => each.name === call.name);
  if (tool === undefined) {
    const names = tools.map((each) => each.name).join(', ');
    return { valid: false, result: `Error: there is no tool named “${call.name}”. The tools are: ${names}.` };
  }
  const problem = problemWith(call.arguments, tool);
  return problem === undefined ? { valid: true, result: tool.result } : { valid: false, result: `Error: ${problem}` };
}

const anyObject = z.record(z.string(), z.unknown());

function problemWith(text: string, tool: StubTool): string | undefined {
  const given = anyObject.safeParse(parseJson(text.trim() === '' ? '{}' : text));
  if (!given.success) return `the arguments of “${tool.name}” are not a JSON object.`;
  const read = schemaOf(tool).safeParse(given.data);
  if (read.success) return undefined;
  const [issue] = read.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? '' : `“${issue.path.join('.')}”: `;
  return `the arguments of “${tool.name}” are not as declared: ${where}${issue?.message ?? 'unknown form'}.`;
}

/** A declaration that is no JSON schema, or one with keywords that cannot be read, accepts any object. */
function schemaOf({ parameters }: StubTool): z.ZodType {
  try {
    return z.fromJSONSchema({ type: 'object', ...parameters });
  } catch {
    return anyObject;
  }
}
