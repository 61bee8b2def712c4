import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { withBudget } from '../../../src/models/wrappers/withBudget.js';
import type { AgentWork } from '../../../src/ports/agentWork.js';
import { aRedis, needRedis, type TestRedis } from '../../builders/aRedis.js';
import { few } from '../../builders/few.js';
import { bareWorkplaces } from '../../builders/someWorkplaces.js';
import { ManualClock } from '../../fakes/ManualClock.js';
import { MemoryLedger } from '../../fakes/MemoryLedger.js';
import { aCoordinator, aWorker, queued } from './aQueue.js';
import { standInAtWork, workRequest, type StandInPlan } from './standInAtWork.js';

const { signal } = new AbortController();

/** Stands for the server that the agent's own model is asked at: counts what is asked of it. */
class CountingServer {
  requests = 0;
  tokens = 0;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      this.requests += 1;
      this.tokens += Number(new URL(request.url ?? '', 'http://localhost').searchParams.get('tokens'));
      response.end('Answered.');
    });
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    return `http://127.0.0.1:${address instanceof Object ? address.port : 0}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/** An agent that would go on for 150 turns of 1,000 tokens. */
describe('an agent on a worker', function () {
  this.timeout(60_000);
  let redis: TestRedis;

  before(async function () {
    needRedis(this);
    redis = await aRedis();
  });
  after(() => redis?.dispose());

  const usual = { maxTokens: 200_000, maxTurns: 100, timeLimitMs: 60_000 };
  const cases: readonly (readonly [AgentWork['limits'], string, number])[] = [
    [{ ...usual, maxTokens: 5_000 }, 'tokens', 6],
    [{ ...usual, maxTurns: 4 }, 'turns', 6],
    [{ ...usual, timeLimitMs: 15_000 }, 'time', 101],
  ];
  for (const [limits, ended, most] of few(cases, 2))
    it(`is ended there at its limit of ${ended}, and its server was asked for no more than was set aside`, async () => {
      const server = new CountingServer();
      const plan: StandInPlan = { url: await server.start(), turns: 150, tokens: 1_000, waitMs: 150 };
      const model = standInAtWork(bareWorkplaces());
      const worker = await aWorker(redis.url, model, { roles: 'target', environments: 'agent' });
      const coordinator = await aCoordinator(redis.url);
      const ledger = new MemoryLedger(new ManualClock());
      const caps = { run: { tokens: limits.maxTokens }, day: {}, month: {} };
      const asked = queued(model, coordinator, `run-${ended}`);
      const held = withBudget(asked, { ledger, runId: 'r', caps, price: undefined });
      try {
        const { work, usage } = await held.complete(workRequest(plan, { limits }), signal);
        assert.equal(work?.ended, ended);
        assert.deepEqual(work.events.at(-1), { kind: 'end', ok: false, reason: ended });
        const counted = server.requests;
        assert.ok(counted >= 1 && counted <= most, `${counted} requests`);
        await new Promise((resolve) => setTimeout(resolve, 500));
        assert.equal(server.requests, counted, 'nothing of it goes on');
        const { tokens } = await ledger.spentInRun('r');
        assert.ok(tokens >= server.tokens - 1_000, `booked ${tokens}, asked for ${server.tokens}`);
        assert.equal(tokens, usage.inputTokens + usage.outputTokens);
        // One turn may go beyond, for what it took is known when it is over.
        assert.ok(server.tokens <= limits.maxTokens + 1_000, `${server.tokens} of ${limits.maxTokens}`);
        if (ended === 'tokens')
          await assert.rejects(held.complete(workRequest(plan, { limits }, 1), signal), { kind: 'cap' });
        process.stdout.write(
          `      ${ended}: the server counted ${server.requests} requests and ${server.tokens} tokens; booked ${tokens}, set aside ${limits.maxTokens}\n`,
        );
      } finally {
        await coordinator.close();
        await worker.stop();
        server.stop();
      }
    });
});
