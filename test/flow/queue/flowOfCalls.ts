import { ModelError } from '../../../src/errors.js';
import { createLearnedCapabilities } from '../../../src/models/openai/capabilities.js';
import { createOpenAIModel } from '../../../src/models/openai/openaiModel.js';
import { composeModel } from '../../../src/models/wrappers/composeModel.js';
import { createRateLimiter } from '../../../src/models/wrappers/rateLimiter.js';
import type { CallEntry } from '../../../src/models/wrappers/withJournal.js';
import { withRunner } from '../../../src/models/wrappers/withRunner.js';
import type { LanguageModel } from '../../../src/ports/languageModel.js';
import type { SpendCap } from '../../../src/ports/spend.js';
import type { Coordinator } from '../../../src/queue/coordinator.js';
import { createRedactor } from '../../../src/redaction/redactor.js';
import { nodeClock } from '../../../src/storage/files/nodeAdapters.js';
import { MemoryLedger } from '../../fakes/MemoryLedger.js';
import { MemoryReplyStore } from '../../fakes/MemoryReplyStore.js';
import { aRequest } from '../../fakes/ScriptedModel.js';

const runId = 'flow';

interface FlowParts {
  /** The server of the model. */
  readonly url: string;
  readonly coordinator: Coordinator;
  readonly atOnce: number;
  readonly cap?: SpendCap;
}

/** What came of the calls of a flow. */
export interface FlowEnd {
  readonly asked: number;
  readonly answers: number;
  /** Those that the cap had no room for. */
  readonly refused: number;
}

/** Calls without an end, each another one, through all that stands around a model; until `stop`, or until the cap. */
export function aFlow({ url, coordinator, atOnce, cap = {} }: FlowParts) {
  const endpoint = { provider: 'custom', baseUrl: url, model: 'simulated-1', apiKey: undefined };
  const adapter = createOpenAIModel(endpoint, { fetch: globalThis.fetch, learned: createLearnedCapabilities() });
  const ledger = new MemoryLedger(nodeClock);
  const entries: CallEntry[] = [];
  const tries = new Map<string, number>();
  const composed = composeModel(counting(withRunner(adapter, { runner: coordinator, runId }), tries), {
    redactor: createRedactor({ key: 'k' }),
    replies: new MemoryReplyStore(),
    retry: { clock: nodeClock, random: Math.random, attempts: 40, firstWaitMs: 50, longestWaitMs: 1_000 },
    limiter: createRateLimiter({ clock: nodeClock, concurrency: atOnce }),
    budget: { ledger, runId, caps: { run: cap, day: {}, month: {} }, price: undefined },
    journal: { clock: nodeClock, record: (entry) => entries.push(entry) },
  });
  const { signal } = new AbortController();
  const over = new AbortController();
  let [asked, answers, refused] = [0, 0, 0];
  const one = async (): Promise<void> => {
    while (!over.signal.aborted) {
      asked += 1;
      const content = `Say something about harbour ${asked}.`; // as the counting door reads it
      const request = aRequest({ messages: [{ role: 'user', content }], attempt: asked, maxOutputTokens: 500 });
      try {
        const { text } = await composed.complete(request, signal);
        answers += text === '' ? 0 : 1;
      } catch (error) {
        if (!(error instanceof ModelError) || error.kind !== 'cap') throw error;
        refused += 1;
        over.abort();
      }
    }
  };
  return {
    entries,
    tries,
    booked: async (): Promise<number> => (await ledger.spentInRun(runId)).calls,
    stop: () => over.abort(),
    run: async (): Promise<FlowEnd> => {
      await Promise.all(Array.from({ length: atOnce }, one));
      return { asked, answers, refused };
    },
  };
}

/** What is asked of a model, by the words of the question. */
function counting(model: LanguageModel, tries: Map<string, number>): LanguageModel {
  const counted =
    (ask: LanguageModel['complete']): LanguageModel['complete'] =>
    (request, signal) => {
      const words = String(request.messages.at(-1)?.content);
      tries.set(words, (tries.get(words) ?? 0) + 1);
      return ask(request, signal);
    };
  const { once } = model;
  const complete = counted((request, signal) => model.complete(request, signal));
  return { ...model, complete, ...(once === undefined ? {} : { once: counted(once) }) };
}
