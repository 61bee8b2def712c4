import { isFatal, isWaiting, ModelError } from '../errors.js';
import { sha256 } from '../hash.js';
import type { AttemptRequest, AttemptResult } from '../ports/environment.js';
import type { LanguageModel, ModelUsage } from '../ports/languageModel.js';
import type { TargetClient, TargetQuestion, TargetSaid } from '../ports/targetClient.js';
import { answerRoom, roomRequest, type RoomOptions } from '../prompts/answerRoom.js';
import type { TargetLimits } from '../tasks/readers/whetstoneFile.js';
import { answered, usageOfBoth } from './targetAnswer.js';

interface AttemptTargetParts {
  readonly target: LanguageModel;
  readonly environment: string;
  readonly request: AttemptRequest;
  readonly limits: TargetLimits;
  readonly room: RoomOptions | undefined;
}

/**
 * The run's target in the hands of an environment, for one attempt: every question is asked as our own are, with the
 * attempt's sample, and so cached, counted, capped and redacted. So many of them and no more. A question that comes twice
 * in an attempt is two samples. A call that failed is never a score: it ends the attempt, or the whole run.
 */
export class AttemptTarget implements TargetClient {
  readonly model: string;
  readonly #parts: AttemptTargetParts;
  readonly #seen = new Map<string, number>();
  readonly #ended = new AbortController();
  readonly #fatal = new AbortController();
  #calls = 0;
  #refusedCalls = 0;
  #usage: ModelUsage = { inputTokens: 0, outputTokens: 0, exact: true };
  #cached = true;
  #failure: unknown;

  constructor(parts: AttemptTargetParts) {
    this.#parts = parts;
    this.model = parts.target.identity.model;
  }

  /** Aborted once a call failed: whatever the environment does from then on counts for nothing. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** Aborted once a call failed in a way that ends the whole run. */
  get fatal(): AbortSignal {
    return this.#fatal.signal;
  }

  async ask(question: TargetQuestion, signal: AbortSignal): Promise<TargetSaid> {
    const { limits } = this.#parts;
    if (this.#ended.signal.aborted) return noAnswer;
    if (this.#calls >= limits.calls) {
      this.#refusedCalls += 1;
      return refused('over-cap', `This attempt has asked the target ${limits.calls} times, which is its cap.`);
    }
    this.#calls += 1;
    if (bytesOf(question) > this.#mostBytes()) {
      const message = `A question may have ${limits.kilobytes} KB beside the skill and the memory file.`;
      return refused('too-long', message);
    }
    return this.#askTarget(question, signal);
  }

  /** What came of the attempt, given what the environment made of it: what it asked is part of it. */
  settle(result: AttemptResult): AttemptResult {
    if (this.#failure instanceof ModelError && !isFatal(this.#failure.kind))
      return { kind: 'invalid', reason: this.#failure.message };
    if (this.#failure !== undefined) throw this.#failure;
    if (result.kind === 'answered')
      return this.#calls === 0 ? result : { ...result, usage: this.#usage, cached: this.#cached };
    if (this.#refusedCalls === 0) return result;
    const failure = `The environment asked the target more than ${this.#parts.limits.calls} times. ${result.reason}`;
    return answered({ failure, scores: { hard: 0, soft: 0, reason: failure }, usage: this.#usage });
  }

  async #askTarget(question: TargetQuestion, signal: AbortSignal): Promise<TargetSaid> {
    const { target, environment, request, room } = this.#parts;
    const key = sha256(JSON.stringify(question));
    const again = this.#seen.get(key) ?? 0;
    this.#seen.set(key, again + 1);
    const { maxOutputTokens, thinkingTokens } = roomRequest(
      answerRoom({ role: 'target', identity: target.identity }, room),
      true,
    );
    try {
      const reply = await target.complete(
        {
          role: 'target',
          ...question,
          maxOutputTokens: Math.min(question.maxOutputTokens ?? maxOutputTokens, maxOutputTokens),
          ...(thinkingTokens === undefined ? {} : { thinkingTokens }),
          attempt: request.attempt,
          dependsOn: ['environment', environment, request.family, String(again)],
        },
        AbortSignal.any([signal, this.#ended.signal]),
      );
      this.#usage = usageOfBoth(this.#usage, reply.usage);
      this.#cached &&= reply.cached;
      return { kind: 'reply', reply };
    } catch (error) {
      return this.#failed(error, signal);
    }
  }

  #failed(error: unknown, signal: AbortSignal): TargetSaid {
    if (error instanceof ModelError && error.kind === 'context-length') return refused('too-long', error.message);
    if (!signal.aborted && !this.#ended.signal.aborted) {
      this.#failure = error;
      this.#ended.abort();
      // Others of a batch ask on while this one waits for somebody’s answer.
      if (!isWaiting(error) && (!(error instanceof ModelError) || isFatal(error.kind))) this.#fatal.abort();
    }
    return noAnswer;
  }

  #mostBytes(): number {
    const { request, limits } = this.#parts;
    return limits.kilobytes * 1024 + Buffer.byteLength((request.skill ?? '') + (request.memory ?? ''));
  }
}

/** What a message, a call or a tool costs beside its own words. */
const frameBytes = 16;

/** Everything that is sent, ids and names too: the preflight told no more than so many bytes, each a token at worst. */
function bytesOf({ messages, tools = [], replySchema }: TargetQuestion): number {
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
  const texts = [
    ...messages.map(({ content }) => content),
    ...messages.map((message) => (message.role === 'tool' ? message.toolCallId : '')),
    ...calls.flatMap((call) => [call.id, call.name, call.arguments]),
    JSON.stringify(tools),
    ...(replySchema === undefined ? [] : [JSON.stringify(replySchema, undefined, 2)]),
  ];
  const framed = messages.length + calls.length + tools.length;
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), framed * frameBytes);
}

function refused(why: Extract<TargetSaid, { kind: 'refused' }>['why'], message: string): TargetSaid {
  return { kind: 'refused', why, message };
}

const noAnswer = refused('no-answer', 'The target gave no answer, and this attempt counts for nothing.');
