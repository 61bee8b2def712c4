import { UserError } from '../../errors.js';
import type { AttemptRunner, PhysicalCall } from '../../ports/attemptRunner.js';
import type { ModelIdentity, ModelReply, ModelRole } from '../../ports/languageModel.js';
import type { QueueState } from '../../ports/queueState.js';
import { errorOf } from '../callFailure.js';
import type { Answer, BridgeQuestion } from './bridgeMessages.js';
import { lostCall, openBridge, type OpenBridge, type StartBridge } from './openBridge.js';
import { sentTree, sentWork } from './sentWork.js';

type Question = Exclude<BridgeQuestion, { readonly kind: 'tree' | 'cancel' }>;
type WithoutId<Each> = Each extends Question ? Omit<Each, 'id'> : never;

/**
 * The way from a window to a queue: the installed command line, started when something is first asked of it and ended
 * when nothing was for a while. Where it dies, what was under way may have been made: it is a call that failed, and
 * whoever asks again finds what a worker has answered meanwhile.
 */
export class QueueBridge {
  readonly #start: StartBridge;
  readonly #version: string;
  readonly #lookMs: number;
  #opened: Promise<OpenBridge> | undefined;
  #shown: string | undefined;
  #lastId = 0;
  #idle: NodeJS.Timeout | undefined;

  /** `version` is the window's own, for whoever has another one. */
  constructor(start: StartBridge, version: string, lookMs = usualLookMs) {
    this.#start = start;
    this.#version = version;
    this.#lookMs = lookMs;
  }

  /** Where the queue lies, as it may be shown; undefined until it was reached. */
  get shown(): string | undefined {
    return this.#shown;
  }

  async run(call: PhysicalCall, here: Parameters<AttemptRunner['run']>[1], signal: AbortSignal): Promise<ModelReply> {
    const bridge = await this.#open(signal);
    const first = await this.#carry(bridge, call, signal);
    if (first.kind === 'again') bridge.folders.clear(); // the other side keeps none for ever
    const answer = first.kind === 'again' ? await this.#carry(bridge, call, signal) : first;
    return answer.kind === 'here' ? here(call.request, signal) : only('reply', answer).reply;
  }

  #carry(bridge: OpenBridge, call: PhysicalCall, signal: AbortSignal): Promise<Answer> {
    const { work, again: _again, ...request } = call.request;
    const folder: Parameters<typeof sentWork>[1] = (tree) => {
      if (bridge.folders.has(tree.hash)) return;
      bridge.folders.add(tree.hash);
      bridge.send(sentTree(tree));
    };
    const sent = work === undefined ? {} : { work: sentWork(work, folder) };
    const { runId, model } = call;
    return this.#ask(bridge, { kind: 'call', runId, key: call.key(), model, request, ...sent }, signal);
  }

  async reach(model: ModelIdentity, role: ModelRole, signal: AbortSignal): Promise<boolean> {
    const answer = await this.#ask(await this.#open(signal), { kind: 'reach', model, role }, signal);
    return only('reached', answer).isListed;
  }

  /** Throws where Redis says nothing for a while: the command line waits for it for ever. */
  async look(signal: AbortSignal): Promise<QueueState> {
    const bridge = await this.#open(signal);
    const late = AbortSignal.timeout(this.#lookMs);
    try {
      return only('queue', await this.#ask(bridge, { kind: 'look' }, AbortSignal.any([signal, late]))).state;
    } catch (error) {
      throw late.aborted && !signal.aborted ? silent(bridge.shown) : error;
    }
  }

  close(): void {
    clearTimeout(this.#idle);
    this.#opened?.then(
      (bridge) => bridge.end(),
      () => undefined,
    );
    this.#opened = undefined;
  }

  async #ask(bridge: OpenBridge, asking: WithoutId<Question>, signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted();
    clearTimeout(this.#idle);
    const id = (this.#lastId += 1);
    const stop = (): void => {
      bridge.send({ kind: 'cancel', id });
      setTimeout(() => bridge.waiting.get(id)?.reject(signal.reason), stopMs).unref();
    };
    try {
      const answer = await new Promise<Answer>((resolve, reject) => {
        bridge.waiting.set(id, { resolve, reject });
        signal.addEventListener('abort', stop, { once: true });
        bridge.send({ ...asking, id });
      });
      if (answer.kind === 'stopped') throw signal.aborted ? signal.reason : lostCall('it was ended.');
      if (answer.kind === 'failed') throw errorOf(answer.failure);
      return answer;
    } finally {
      signal.removeEventListener('abort', stop);
      bridge.waiting.delete(id);
      if (bridge.waiting.size === 0) this.#idle = setTimeout(() => this.close(), idleMs).unref();
    }
  }

  /** A start takes as long as Redis takes to answer: whoever gives up waiting leaves it to the others. */
  #open(signal: AbortSignal): Promise<OpenBridge> {
    signal.throwIfAborted();
    const opened = (this.#opened ??= this.#begin());
    return new Promise((resolve, reject) => {
      const stop = (): void => reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      opened.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    });
  }

  #begin(): Promise<OpenBridge> {
    const forget = (): void => {
      if (this.#opened === opened) this.#opened = undefined;
    };
    const opened: Promise<OpenBridge> = openBridge(this.#start, this.#version, forget);
    opened.then(({ shown }) => (this.#shown = shown), forget);
    return opened;
  }
}

/** How long a cancelled call is waited for: it may be taken off the queue before anybody has made it. */
const stopMs = 3_000;
const idleMs = 60_000;
const usualLookMs = 5_000;

function silent(shown: string): UserError {
  return new UserError(
    'usage',
    `The queue at ${shown} does not answer any more.`,
    'See that Redis runs there and that this machine reaches it; what is under way goes on once it does.',
  );
}

function only<Kind extends Answer['kind']>(kind: Kind, answer: Answer): Extract<Answer, { readonly kind: Kind }> {
  if (isOf(kind, answer)) return answer;
  throw lostCall(`it said “${answer.kind}” where “${kind}” was asked for.`);
}

function isOf<Kind extends Answer['kind']>(
  kind: Kind,
  answer: Answer,
): answer is Extract<Answer, { readonly kind: Kind }> {
  return answer.kind === kind;
}
