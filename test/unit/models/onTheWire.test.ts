import assert from 'node:assert/strict';
import { once } from 'node:events';
import { composeModel } from '../../../src/models/wrappers/composeModel.js';
import { createLearnedCapabilities } from '../../../src/models/openai/capabilities.js';
import type { Endpoint } from '../../../src/models/openai/endpoint.js';
import { createOpenAIModel } from '../../../src/models/openai/openaiModel.js';
import { createRateLimiter } from '../../../src/models/wrappers/rateLimiter.js';
import { startSimulatedServer } from '../../../src/simulated/server/serveSimulated.js';
import { createSimulatedModel } from '../../../src/simulated/simulatedModel.js';
import type { CallEntry } from '../../../src/models/wrappers/withJournal.js';
import type { Clock } from '../../../src/ports/clock.js';
import type { LanguageModel } from '../../../src/ports/languageModel.js';
import { createRedactor } from '../../../src/redaction/redactor.js';
import { ChatServer, stream } from '../../fakes/ChatServer.js';
import { MemoryLedger } from '../../fakes/MemoryLedger.js';
import { MemoryReplyStore } from '../../fakes/MemoryReplyStore.js';
import { aRequest } from '../../fakes/ScriptedModel.js';
import { sampleSecrets } from '../redaction/secretCorpus.js';

const { signal } = new AbortController();
const key = 'plain words that are the key';

describe('a whole model on the wire', () => {
  it('sends no secret of the corpus, and stores and journals none', async () => {
    const server = await ChatServer.start();
    try {
      server.answers((response, request) =>
        stream({ deltas: [{ content: JSON.stringify(request.body['messages']) }] })(response, request),
      );
      const { model, store, records } = wholeModel({ baseUrl: server.baseUrl, apiKey: key });
      const samples = sampleSecrets(3);
      for (let at = 0; at < samples.length; at += 100) {
        const content = samples
          .slice(at, at + 100)
          .map(({ text }) => text)
          .join('\n\n');
        await model.complete(aRequest({ messages: [{ role: 'user', content: `${content}\n${key}` }] }), signal);
      }
      const written = JSON.stringify([server.requests.map(({ body }) => body), [...store.replies], records]);
      assert.deepEqual(
        samples
          .filter(({ secret }) => written.includes(secret) || written.includes(JSON.stringify(secret).slice(1, -1)))
          .map(({ kind }) => kind),
        [],
      );
      assert.ok(!written.includes(key), 'not even the key in use, pasted into a prompt');
    } finally {
      await server.stop();
    }
  });

  it('gives the same answers through a storm of faults as through a quiet server', async () => {
    const questions = Array.from(
      { length: process.env['WHETSTONE_FULL'] === '1' ? 300 : 40 },
      (_, index) => `Question number ${index}?`,
    );
    const quiet = await askAll(questions, {});
    const stormy = await askAll(questions, {
      rate429: 0.06,
      rate500: 0.06,
      reset: 0.05,
      truncatedStream: 0.05,
      stall: 0.02,
      malformed: 0.03,
      empty: 0.03,
    });
    assert.deepEqual(stormy.texts, quiet.texts);
    assert.equal(quiet.failures, 0);
    assert.ok(stormy.failures > questions.length / 8, `${stormy.failures} failed calls were retried`);
  });

  const fatal: readonly [name: string, faults: Parameters<typeof askAll>[1], kind: string][] = [
    ['an expired login', { auth: 'expired' }, 'auth'],
    ['an exhausted quota', { quota: true }, 'quota'],
    ['a model that is not there', { wrongModel: true }, 'model-not-found'],
  ];
  for (const [name, faults, kind] of fatal) {
    it(`ends on ${name} after one call, with the cure`, async () => {
      const server = await startSimulatedServer({ port: 0, faults });
      try {
        const { model } = wholeModel({ baseUrl: server.url, model: createSimulatedModel().identity.model });
        await assert.rejects(model.complete(aRequest(), signal), { kind, cure: /\w/ });
        assert.equal(server.counts().requests, 1);
      } finally {
        await server.stop();
      }
    });
  }
});

async function askAll(
  questions: readonly string[],
  faults: NonNullable<Parameters<typeof startSimulatedServer>[0]['faults']>,
): Promise<{ readonly texts: readonly string[]; readonly failures: number }> {
  const server = await startSimulatedServer({ port: 0, faults });
  try {
    const timeouts = faults.stall === undefined ? {} : { idleMs: 400 };
    const { model, records } = wholeModel({
      baseUrl: server.url,
      model: createSimulatedModel().identity.model,
      timeouts,
    });
    const replies = await Promise.all(
      questions.map((content) =>
        model.complete(aRequest({ messages: [{ role: 'user', content }], maxOutputTokens: 2000 }), signal),
      ),
    );
    return {
      texts: replies.map(({ text }) => text),
      failures: records.filter(({ outcome }) => outcome.kind === 'failed').length,
    };
  } finally {
    await server.stop();
  }
}

/** Everything but the files: the real adapter and every wrapper. */
function wholeModel(parts: Partial<Endpoint>): {
  model: LanguageModel;
  store: MemoryReplyStore;
  records: CallEntry[];
} {
  const clock = hastyClock();
  const store = new MemoryReplyStore();
  const records: CallEntry[] = [];
  const endpoint = { provider: 'custom', baseUrl: '', model: 'm', apiKey: undefined, ...parts };
  const model = composeModel(createOpenAIModel(endpoint, { fetch, learned: createLearnedCapabilities() }), {
    redactor: createRedactor({ key: 'state', known: endpoint.apiKey === undefined ? [] : [endpoint.apiKey] }),
    replies: store,
    retry: { clock, random: () => 0 },
    limiter: createRateLimiter({ clock, concurrency: 8 }),
    budget: { ledger: new MemoryLedger(clock), runId: 'run', caps: { run: {}, day: {}, month: {} }, price: undefined },
    journal: { clock, record: (record) => records.push(record) },
  });
  return { model, store, records };
}

/** Sleeps no time and has slept all of it afterwards. */
function hastyClock(): Clock {
  let slept = 0;
  return {
    now: () => Date.now() + slept,
    sleep: async (ms, heard) => {
      if (ms > 120_000) await once(heard, 'abort'); // longer than any wait for a server: whoever watches it
      heard.throwIfAborted();
      slept += ms;
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
