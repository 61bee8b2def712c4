// A worker on a queue as a process of its own, without the command line around it: it can be killed for real, and is
// bundled and started in a fraction of the time.
import process from 'node:process';
import { createLearnedCapabilities } from '../../../src/models/openai/capabilities.js';
import { createOpenAIModel } from '../../../src/models/openai/openaiModel.js';
import { runWorker } from '../../../src/queue/openQueue.js';
import { nodeClock } from '../../../src/storage/files/nodeAdapters.js';

export interface WorkerOrder {
  readonly queue: string;
  readonly secret: string;
  /** The server of the model. */
  readonly baseUrl: string;
  readonly lockMs: number;
}

const order: WorkerOrder = JSON.parse(process.argv[2] ?? '');
const endpoint = { provider: 'custom', baseUrl: order.baseUrl, model: 'simulated-1', apiKey: undefined };
const model = createOpenAIModel(endpoint, { fetch, learned: createLearnedCapabilities() });
await runWorker(
  {
    queue: order.queue,
    environment: { WHETSTONE_QUEUE_SECRET: order.secret },
    platform: process.platform,
    clock: nodeClock,
    models: { target: model, judge: model },
    concurrency: 2,
    roles: 'target',
    environments: 'chat',
    lockMs: order.lockMs,
  },
  () => process.stdout.write('works\n'),
  new AbortController().signal,
);
