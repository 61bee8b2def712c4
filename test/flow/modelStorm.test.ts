import assert from 'node:assert/strict';
import path from 'node:path';
import { totalSpend } from '../../src/engine/journal/runSummary.js';
import type { RunEvent } from '../../src/engine/journal/runEvents.js';
import { createLearnedCapabilities } from '../../src/models/openai/capabilities.js';
import type { Endpoint } from '../../src/models/openai/endpoint.js';
import { createOpenAIModel } from '../../src/models/openai/openaiModel.js';
import { startSimulatedServer, type SimulatedServer } from '../../src/simulated/server/serveSimulated.js';
import type { SimulatedFaults } from '../../src/simulated/server/faults.js';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import type { Clock } from '../../src/ports/clock.js';
import { aWorkspace, inEveryRole, type Models, type TestWorkspace } from '../builders/aWorkspace.js';
import { few } from '../builders/few.js';

const full = process.env['WHETSTONE_FULL'] === '1';

/** Three calls in ten fail, in seven ways. */
const storm: SimulatedFaults = {
  rate429: 0.06,
  rate500: 0.06,
  reset: 0.05,
  truncatedStream: 0.05,
  stall: 0.02,
  malformed: 0.03,
  empty: 0.03,
};

describe('a whole run through a server that fails', () => {
  const servers: SimulatedServer[] = [];
  const workspaces: TestWorkspace[] = [];
  after(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    workspaces.forEach((workspace) => workspace.dispose());
  });

  for (const seed of full ? [1, 2, 3, 4, 5] : [1]) {
    it(`three times in ten ends with the verdict and the skill of a quiet one (storm ${seed})`, async function () {
      const quiet = await optimized({}, seed);
      const stormy = await optimized(storm, seed);

      assert.ok(quiet.result.proposal !== undefined && stormy.result.proposal !== undefined);
      assert.deepEqual(stormy.result.proposal.verdict, quiet.result.proposal.verdict);
      assert.deepEqual(texts(stormy.result.proposal), texts(quiet.result.proposal));
      assert.deepEqual(scores(stormy.events), scores(quiet.events), 'no failed call was taken for a score');

      const spent = totalSpend(stormy.result.summary);
      const { requests, answered } = stormy.server.counts();
      assert.equal(totalSpend(quiet.result.summary).failedCalls, 0);
      assert.ok(spent.failedCalls > spent.calls / 6, `${spent.failedCalls} of ${spent.calls} calls failed`);
      assert.equal(spent.calls, requests, 'every physical call is on record');
      assert.ok(spent.calls - spent.failedCalls <= answered);
      const kinds = new Set(stormy.events.flatMap((event) => (event.kind === 'call' ? (event.error ?? []) : [])));
      assert.deepEqual([...kinds].sort(), ['malformed', 'rate-limit', 'timeout', 'unavailable']);
    });
  }

  const oneRound = 16; // a server that lists its models and has no credit left is found out by the first calls
  const fatal: readonly (readonly [
    name: string,
    faults: SimulatedFaults,
    kind: string,
    most: number,
    says: RegExp,
    cure: RegExp,
  ])[] = [
    ['an expired login', { auth: 'expired' }, 'auth', 2, /refused the API key/, /Set the API key again/],
    ['a model that is not there', { wrongModel: true }, 'model-not-found', 2, /has no model/, /Choose a model/],
    ['an exhausted quota', { quota: true }, 'quota', oneRound, /no credit left/, /Add credit/],
  ];
  for (const [name, faults, kind, most, says, cure] of few(fatal, 2)) {
    it(`for ${name} ends within ${most} calls and five seconds, with the cure, and scores nothing`, async function () {
      const server = await started({ faults });
      const workspace = demo(modelsAt(server));
      const events: RunEvent[] = [];
      const began = performance.now();
      await assert.rejects(workspace.optimize({ onEvent: (event) => events.push(event) }), {
        kind,
        message: says,
        cure,
      });
      assert.ok(performance.now() - began < 5_000);
      assert.ok(server.counts().requests <= most, `${server.counts().requests} calls`);
      assert.deepEqual(
        events.filter((event) => event.kind === 'attempt'),
        [],
      );
      const { runs, pending } = await workspace.overview();
      assert.equal(runs[0]?.outcome, 'failed');
      assert.match(runs[0]?.reason ?? '', says);
      assert.equal(pending, undefined);
    });
  }

  async function optimized(faults: SimulatedFaults, seed: number) {
    const server = await started({ faults, seed, retryAfterSeconds: full ? 1 : 0 });
    // What stalls is given up sooner in the short proof; a quiet server is never hurried.
    const idleMs = full || faults.stall === undefined ? 5_000 : 1_500;
    const workspace = demo(modelsAt(server, idleMs));
    const events: RunEvent[] = [];
    const settings = { train: { seed: 7, epochs: full ? 2 : 1 }, ...(full ? {} : { gate: { rule: 'strict' } }) };
    const result = await workspace.optimize({ preset: 'quick', settings, onEvent: (event) => events.push(event) });
    return { result, events, server };
  }

  async function started(options: Partial<Parameters<typeof startSimulatedServer>[0]>): Promise<SimulatedServer> {
    const server = await startSimulatedServer({ port: 0, ...options });
    servers.push(server);
    return server;
  }

  function demo(models: Models): TestWorkspace {
    const workspace = aWorkspace({
      copy: { from: path.resolve('media/demo/.claude/skills'), skill: 'incident-summary' },
      models,
      clock: hastyClock(),
    });
    workspaces.push(workspace);
    return workspace;
  }
});

/** The real adapter, less patient with what stalls. */
function modelsAt(server: SimulatedServer, idleMs = 5_000): Models {
  const endpoint: Endpoint = {
    provider: 'custom',
    baseUrl: server.url,
    model: createSimulatedModel().identity.model,
    apiKey: 'sk-planted',
    timeouts: { idleMs, firstByteMs: 20_000 },
  };
  return inEveryRole(createOpenAIModel(endpoint, { fetch, learned: createLearnedCapabilities() }));
}

/** Waits between retries take no time here; the calls themselves take theirs. */
function hastyClock(): Clock {
  return {
    now: () => Date.now(),
    sleep: async (ms, signal) => {
      await new Promise((resolve) => setTimeout(resolve, Math.min(ms, 20)));
      signal.throwIfAborted();
    },
  };
}

function texts({
  documents,
}: {
  readonly documents: readonly { readonly candidateText: string }[];
}): readonly string[] {
  return documents.map(({ candidateText }) => candidateText);
}

/** Every attempt with its score, whatever order they came in. */
function scores(events: readonly RunEvent[]): readonly string[] {
  return events
    .flatMap((event) =>
      event.kind === 'attempt'
        ? [
            [event.stage, event.step, event.skillHash, event.taskId, event.attempt, JSON.stringify(event.outcome)].join(
              ' ',
            ),
          ]
        : [],
    )
    .sort();
}
