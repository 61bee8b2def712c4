import { setTimeout as pause } from 'node:timers/promises';
import { GatheredCalls, Stillness, withBatches } from '../../../../src/models/batch/gatheredCalls.js';
import { sendBatch } from '../../../../src/models/batch/sendBatch.js';
import { patientLedger } from '../../../../src/models/wrappers/patientLedger.js';
import { replyKeys } from '../../../../src/models/wrappers/replyKey.js';
import { nodeClock } from '../../../../src/storage/files/nodeAdapters.js';
import type { BatchStore, KeptBatch } from '../../../../src/ports/batches.js';
import { BatchServer } from '../../../builders/aBatchServer.js';
import { MemoryLedger } from '../../../fakes/MemoryLedger.js';
import { MemoryReplyStore } from '../../../fakes/MemoryReplyStore.js';
import { aRequest } from '../../../fakes/ScriptedModel.js';
import { hastyClock, modelAt } from '../../../flow/batchWorld.js';
import { modelContract, type Behaviour, type ContractHost } from '../modelContract.js';

// Calls with tools, and lines that failed, are made one by one: what the model behind promises holds for them.
modelContract('a model that is asked in batches', start, {
  beyond: ['tool-call', 'rate-limit', 'server-error', 'malformed', 'disconnect', 'empty'],
});

async function start(): Promise<ContractHost> {
  let behaviour: Behaviour = { kind: 'answer', text: 'Ready.' };
  let answered = 0;
  const server = await BatchServer.start({
    fate: () => ({ looks: 0 }),
    answer: async (body) => {
      if (behaviour.kind === 'late') await pause(behaviour.ms);
      answered += 1;
      return completion(behaviour, body);
    },
  });
  const bare = modelAt(server.url);
  const stillness = new Stillness();
  const ledger = patientLedger(new MemoryLedger(nodeClock));
  const sending = {
    server: bare.batches ?? never(),
    identity: bare.identity,
    kept: memoryBatches(),
    replies: new MemoryReplyStore(),
    ledger,
    price: undefined,
    clock: hastyClock,
    runId: 'run',
    caps: { run: {}, day: {}, month: {} },
    waitMs: 60_000,
    least: 1,
    record: () => undefined,
    tell: () => undefined,
  };
  const gathered = new GatheredCalls({
    stillness,
    least: 1,
    quietMs: 5,
    lengthOf: () => 1,
    send: (calls, signal) => sendBatch(sending, calls, signal),
  });
  const model = withBatches(bare, { gathered, stillness, keyOf: replyKeys(bare.identity) });
  await model.complete(aRequest({ messages: [{ role: 'user', content: 'The first goes alone.' }] }), neverAborted);
  answered = 0;
  return {
    model,
    calls: () => answered,
    arrange: (next) => void (behaviour = next),
    stop: () => server.stop(),
  };
}

const neverAborted = new AbortController().signal;

function never(): never {
  throw new Error('The model has no batches.');
}

function completion(behaviour: Behaviour, { messages }: Readonly<Record<string, unknown>>): object {
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  const said = last instanceof Object && 'content' in last ? String(last.content) : '';
  const content = behaviour.kind === 'answer' || behaviour.kind === 'cut' ? behaviour.text : said;
  const finish = behaviour.kind === 'cut' ? 'length' : 'stop';
  return {
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: finish }],
    usage: { prompt_tokens: 20, completion_tokens: 8, total_tokens: 28 },
  };
}

function memoryBatches(): BatchStore {
  const all = new Map<string, KeptBatch>();
  return {
    all: () => Promise.resolve([...all.values()]),
    put: (batch) => Promise.resolve(void all.set(batch.name, batch)),
    remove: (name) => Promise.resolve(void all.delete(name)),
  };
}
