import { setMaxListeners } from 'node:events';
import { isFatal, ModelError } from '../../errors.js';
import type { LanguageModel, ModelRequest, ModelRole } from '../../ports/languageModel.js';
import type { KeyOf } from '../wrappers/replyKey.js';
import type { BatchAnswer } from './batchLife.js';
import type { CallToSend, SentBatch } from './sendBatch.js';

/** A stage with fewer calls is not worth waiting for a batch. */
export const leastCalls = 20;

/**
 * Who is at work in a run, and who only waits for a batch: once everybody waits, nobody has more to ask, and what was
 * gathered can be sent.
 */
export class Stillness {
  #working = 0;
  #waiting = 0;
  /** Counts every change, so that a quiet moment can be told from a short one. */
  #changes = 0;

  get changes(): number {
    return this.#changes;
  }

  get isStill(): boolean {
    return this.#waiting >= this.#working;
  }

  async working<T>(work: () => Promise<T>): Promise<T> {
    this.#count(1, 0);
    try {
      return await work();
    } finally {
      this.#count(-1, 0);
    }
  }

  async waiting<T>(work: () => Promise<T>): Promise<T> {
    this.#count(0, 1);
    try {
      return await work();
    } finally {
      this.#count(0, -1);
    }
  }

  #count(working: number, waiting: number): void {
    this.#working += working;
    this.#waiting += waiting;
    this.#changes += 1;
  }
}

interface GatheringParts {
  readonly stillness: Stillness;
  readonly send: (calls: readonly CallToSend[], signal: AbortSignal) => Promise<SentBatch>;
  /** In bytes, as it would be written: a file has its limit. */
  readonly lengthOf: (request: ModelRequest) => number;
  /** Fewer calls are made one by one. */
  readonly least: number;
  /** How long nothing may change before what was gathered is sent, in milliseconds. */
  readonly quietMs?: number;
}

/** Somebody who waits for an answer. */
interface Waiting {
  readonly call: CallToSend;
  readonly resolve: (answer: BatchAnswer) => void;
  readonly reject: (reason: unknown) => void;
  readonly signal: AbortSignal;
}

/**
 * Gathers the calls of a stage to one model until nobody has more to ask, and sends them together. The first call of each
 * role goes alone, as any other: it shows whether the key is right, and in which form the server takes such a request.
 */
export class GatheredCalls {
  readonly #parts: GatheringParts;
  readonly #known = new Set<ModelRole>();
  #waiting: Waiting[] = [];
  #isClosing = false;
  #isOff = false;

  constructor(parts: GatheringParts) {
    this.#parts = parts;
  }

  /** The reply out of a batch, or that the call is to be made by itself. */
  async answer(call: CallToSend, signal: AbortSignal): Promise<BatchAnswer> {
    signal.throwIfAborted();
    const { role, tools = [], work } = call.request;
    // With tools every turn would be a batch.
    if (this.#isOff || tools.length > 0 || work !== undefined || !this.#known.has(role)) {
      if (tools.length === 0) this.#known.add(role);
      return { kind: 'ordinary' };
    }
    return this.#parts.stillness.waiting(() => this.#wait(call, signal));
  }

  /** No batch is sent any more: those who wait make their calls themselves, and hear what is wrong. */
  giveUp(): void {
    this.#isOff = true;
  }

  #wait(call: CallToSend, signal: AbortSignal): Promise<BatchAnswer> {
    setMaxListeners(0, signal); // every call of a stage may listen to the run's one signal
    return new Promise((resolve, reject) => {
      const waiting = { call, resolve, reject, signal };
      this.#waiting.push(waiting);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      void this.#close();
    });
  }

  /** Sends what was gathered whenever it is still, until nothing is left. */
  async #close(): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    while (this.#waiting.length > 0) {
      await this.#quiet();
      const open = this.#waiting.filter(({ signal }) => !signal.aborted);
      const taken = this.#fitting(open);
      this.#waiting = open.slice(taken.length);
      void this.#sendAll(taken);
    }
    this.#isClosing = false;
  }

  async #quiet(): Promise<void> {
    const { stillness, quietMs = usualQuiet } = this.#parts;
    let unchangedFor = 0;
    while (unchangedFor < longestQuiet && !(stillness.isStill && unchangedFor > 0)) {
      const seen = stillness.changes;
      await new Promise((resolve) => setTimeout(resolve, quietMs));
      unchangedFor = seen === stillness.changes ? unchangedFor + quietMs : 0;
    }
  }

  /** As many of them as a file takes. */
  #fitting(open: readonly Waiting[]): readonly Waiting[] {
    let bytes = 0;
    const end = open.findIndex(({ call }, at) => {
      bytes += this.#parts.lengthOf(call.request);
      return at > 0 && (bytes > mostBytes || at >= mostLines);
    });
    return end < 0 ? open : open.slice(0, end);
  }

  async #sendAll(taken: readonly Waiting[]): Promise<void> {
    const calls = [...new Map(taken.map(({ call }) => [call.key, call])).values()];
    if (calls.length < this.#parts.least || this.#isOff) return settleAll(taken, () => ({ kind: 'ordinary' }));
    try {
      const { answers, left, isRefused } = await this.#parts.send(calls, whileWaitedFor(taken));
      if (isRefused) this.#isOff = true;
      const again = new Set(left.map(({ key }) => key));
      settleAll(
        taken.filter(({ call }) => !again.has(call.key)),
        ({ call }) => answers.get(call.key) ?? { kind: 'ordinary' },
      );
      this.#putBack(taken.filter(({ call }) => again.has(call.key)));
    } catch (error) {
      for (const { reject } of taken) reject(error);
    }
  }

  #putBack(waiting: readonly Waiting[]): void {
    if (waiting.length === 0) return;
    this.#waiting.push(...waiting);
    void this.#close();
  }
}

const usualQuiet = 150;
const longestQuiet = 60_000; // somebody at work has long been silent: the others do not wait for them any longer
const mostLines = 10_000;
const mostBytes = 90_000_000; // of the 200 MB that a file may have

function settleAll(waiting: readonly Waiting[], answer: (one: Waiting) => BatchAnswer): void {
  for (const one of waiting) one.resolve(answer(one));
}

/** Aborted once nobody waits any longer: the batch goes on at its server, and is taken up another time. */
function whileWaitedFor(taken: readonly Waiting[]): AbortSignal {
  const controller = new AbortController();
  let left = taken.length;
  for (const { signal } of taken) {
    const leave = (): void => {
      left -= 1;
      if (left === 0) controller.abort(signal.reason);
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  }
  return controller.signal;
}

/** Where the calls to a model are gathered, and who is at work meanwhile. */
export interface ModelBatches {
  readonly gathered: GatheredCalls;
  readonly stillness: Stillness;
}

/** The batches of a run, by the model as it is without anything around it; undefined where its server takes none. */
export interface RunBatches {
  readonly stillness: Stillness;
  readonly over: (bare: LanguageModel) => ModelBatches | undefined;
}

/** A model whose calls are gathered. What no batch answers it is asked as ever, and the others wait for that meanwhile. */
export function withBatches(
  model: LanguageModel,
  {
    gathered,
    stillness,
    keyOf,
  }: { readonly gathered: GatheredCalls; readonly stillness: Stillness; readonly keyOf: KeyOf },
): LanguageModel {
  return {
    identity: model.identity,
    async complete(request, signal) {
      const answer = await gathered.answer({ key: keyOf(request), request }, signal);
      if (answer.kind === 'reply') return answer.reply;
      return stillness.working(async () => {
        try {
          return await model.complete(request, signal);
        } catch (error) {
          if (error instanceof ModelError && isFatal(error.kind) && error.kind !== 'cap') gathered.giveUp();
          throw error;
        }
      });
    },
  };
}
