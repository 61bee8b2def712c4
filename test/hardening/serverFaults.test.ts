import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { messageOf, ModelError, UserError } from '../../src/errors.js';
import type { RunEvent } from '../../src/engine/journal/runEvents.js';
import { randomFor, shuffled } from '../../src/engine/random.js';
import { createLearnedCapabilities } from '../../src/models/openai/capabilities.js';
import { createOpenAIModel } from '../../src/models/openai/openaiModel.js';
import type { Clock } from '../../src/ports/clock.js';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import { startSimulatedServer } from '../../src/simulated/server/serveSimulated.js';
import { aWorkspace, inEveryRole, type Models, type TestWorkspace } from '../builders/aWorkspace.js';
import { ChatServer, stream } from '../fakes/ChatServer.js';
import { aNightWorkspace } from '../flow/nightWorkspace.js';
import { serverFaults, type ServerFault } from './attack/faultyServers.js';
import { figure, isWhole, notInShort, seed } from './figures.js';

const key = 'sk-planted-0123456789abcdef';
const mostCalls = 60;
/** What the preflight names, and room for the machine that this runs on: a minute of the test's clock is quickly gone. */
const mostMinutes = 20 + 20;
const mostMegabytes = 250;
/** How much faster than ours the clock of a test goes. */
const haste = 400;

interface Fate {
  readonly name: string;
  readonly wrong: readonly string[];
}

describe('a run on a server that fails', function faults() {
  this.timeout(isWhole ? 30 * 60_000 : 180_000);
  let server: ChatServer;
  let elsewhere: ChatServer;
  before(async () => {
    [server, elsewhere] = [await ChatServer.start(), await ChatServer.start()];
    elsewhere.answers(stream());
  });
  after(() => Promise.all([server.stop(), elsewhere.stop()]));

  it('ends in time, within its cap, with a reason, and harms nothing', async () => {
    const all = serverFaults(elsewhere.baseUrl);
    const chosen = isWhole ? all : shuffled(all, randomFor(seed, 'server faults')).slice(0, 4);
    const fates: Fate[] = [];
    for (const fault of chosen) fates.push(await fateOf(fault));
    const wrong = fates.filter((fate) => fate.wrong.length > 0);
    const kinds = ['late', 'calls', 'silent', 'memory', 'disk', 'skill'].map(
      (kind) => `${kind} ${wrong.filter((fate) => fate.wrong.some((each) => each.startsWith(kind))).length}`,
    );
    const result = `requests to another host ${elsewhere.requests.length}, wrong ${wrong.length} (${kinds.join(', ')})`;
    figure({ what: 'server faults', tried: fates.length, result });
    assert.deepEqual(wrong, []);
    assert.equal(elsewhere.requests.length, 0);
  });

  async function fateOf(fault: ServerFault): Promise<Fate> {
    let firstAt: number | undefined;
    server.answers((response, request) => {
      firstAt ??= clock.now();
      fault.answer(response, request);
    });
    const before = { calls: callsOf(server), memory: process.memoryUsage.rss() };
    const baseUrl = fault.tls === true ? server.baseUrl.replace('http:', 'https:') : server.baseUrl;
    const workspace = aWorkspace({ models: modelsAt(baseUrl), clock });
    try {
      const skill = workspace.skillText();
      const reason = await workspace.optimize({ settings: { caps: { calls: mostCalls } } }).then(
        ({ noProposal, proposal }) => noProposal?.reason ?? proposal?.verdict.reason ?? '',
        (error: unknown) =>
          error instanceof ModelError || error instanceof UserError ? messageOf(error) : `silent ${messageOf(error)}`,
      );
      const minutes = (clock.now() - (firstAt ?? clock.now())) / 60_000;
      const grown = (process.memoryUsage.rss() - before.memory) / 1024 / 1024;
      const calls = callsOf(server) - before.calls;
      return {
        name: fault.name,
        wrong: [
          ...(minutes > mostMinutes ? [`late: ${Math.round(minutes)} minutes`] : []),
          ...(calls > mostCalls ? [`calls: ${calls}`] : []),
          ...(reason === '' || reason.startsWith('silent') ? [`silent: ${reason}`] : []),
          ...(grown > mostMegabytes ? [`memory: ${Math.round(grown)} MB`] : []),
          ...(holdsKey(workspace) ? ['disk: the key'] : []),
          ...(workspace.skillText() === skill ? [] : ['skill: changed']),
        ],
      };
    } finally {
      workspace.dispose();
    }
  }
});

describe('a night on a server that never answers', function night() {
  it('ends within the minutes that the preflight names, whatever the number of its skills', async () => {
    const server = await ChatServer.start();
    const skills = ['incident-summary', 'code-review', 'support-answer'];
    const workspace = aNightWorkspace(skills, { clock });
    try {
      let firstAt: number | undefined;
      server.answers(() => {
        firstAt ??= clock.now();
      });
      const result = await workspace.night(modelsAt(server.baseUrl).target);
      const minutes = (clock.now() - (firstAt ?? 0)) / 60_000;
      figure({
        what: 'a night of three skills on a silent server',
        tried: 1,
        result: `ended after ${Math.round(minutes)} minutes and ${callsOf(server)} calls`,
      });
      assert.ok(minutes >= 19 && minutes <= mostMinutes, `${minutes} minutes`);
      assert.ok(callsOf(server) <= 8, `${callsOf(server)} calls`);
      assert.deepEqual(
        result.skills.map(({ outcome, stop }) => stop ?? outcome),
        ['failed', 'server-given-up', 'server-given-up'],
      );
      for (const { reason } of result.skills) assert.match(reason, /server was given up.*then resume the run/);
      assert.equal(result.spend.calls, callsOf(server));
      assert.ok(result.spend.tokens > 0, 'what may have been charged is told');
    } finally {
      workspace.dispose();
      await server.stop();
    }
  });
});

describe('a run whose server dies in the middle', function dying() {
  notInShort('is given up, keeps what was paid for, and goes on where it stopped once the server is back', async () => {
    const simulated = await startSimulatedServer({ port: 0 });
    const broken = { after: 25, calls: 0 };
    const failingFetch: typeof fetch = (input, init) => {
      broken.calls += 1;
      if (broken.calls <= broken.after) return fetch(input, init);
      return Promise.resolve(new Response('{"error":{"message":"oops"}}', { status: 503 }));
    };
    const workspace = aWorkspace({
      copy: { from: path.resolve('media/demo/.claude/skills'), skill: 'incident-summary' },
      clock,
    });
    try {
      const models = modelsAt(simulated.url, { fetching: failingFetch, patient: true });
      await assert.rejects(workspace.optimize({ models }), {
        kind: 'given-up',
        message: /(?:\d+ calls in a row|every call of this stage) failed\. The last one: .*oops/,
        cure: /resume the run: what was answered is kept and not paid again/,
      });
      const paid = simulated.counts().answered;
      broken.after = Infinity;
      const events: RunEvent[] = [];
      const resume = { run: undefined };
      const { proposal } = await workspace.optimize({ models, resume, onEvent: (event) => events.push(event) });
      assert.ok(proposal !== undefined);
      const cached = events.filter((event) => event.kind === 'call' && event.cached).length;
      assert.ok(paid > 0 && cached >= paid, `${cached} of ${paid} answers were used again`);
    } finally {
      workspace.dispose();
      await simulated.stop();
    }
  });
});

/** Whether anybody is there is asked without a call: a question that costs nothing. */
function callsOf(server: ChatServer): number {
  return server.requests.filter(({ method }) => method === 'POST').length;
}

function modelsAt(
  baseUrl: string,
  { fetching = fetch, patient = false }: { readonly fetching?: typeof fetch; readonly patient?: boolean } = {},
): Models {
  const hasty = { firstByteMs: 240_000 / haste, idleMs: 90_000 / haste, totalMs: 900_000 / haste };
  const timeouts = patient ? {} : hasty;
  const { model } = createSimulatedModel().identity;
  const endpoint = { provider: 'custom', baseUrl, model, apiKey: key, timeouts };
  return inEveryRole(createOpenAIModel(endpoint, { fetch: fetching, learned: createLearnedCapabilities() }));
}

/** A day is a minute: waits are as long as the time that passes on it, so that limits in minutes can be waited for. */
const clock: Clock = {
  now: () => Math.round(performance.now() * haste),
  sleep: async (ms, signal) => {
    signal.throwIfAborted();
    await wait(ms / haste, undefined, { signal }).catch(() => signal.throwIfAborted());
  },
};

function holdsKey({ folder, home }: TestWorkspace): boolean {
  return [folder, home].some((place) =>
    readdirSync(place, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .some((entry) => readFileSync(path.join(entry.parentPath, entry.name)).includes(key)),
  );
}
