import assert from 'node:assert/strict';
import { once } from 'node:events';
import { ModelError } from '../../src/errors.js';
import { totalSpend } from '../../src/engine/journal/runSummary.js';
import { randomFor, shuffled } from '../../src/engine/random.js';
import { createLearnedCapabilities } from '../../src/models/openai/capabilities.js';
import { createOpenAIModel } from '../../src/models/openai/openaiModel.js';
import type { Clock } from '../../src/ports/clock.js';
import type { LanguageModel } from '../../src/ports/languageModel.js';
import type { SpendCap } from '../../src/ports/spend.js';
import { openLedger } from '../../src/storage/spend/spendLedger.js';
import { openUserStore } from '../../src/storage/state/store.js';
import { ChatServer } from '../fakes/ChatServer.js';
import { aNightRequest, aNightWorkspace, type NightWorkspace } from '../flow/nightWorkspace.js';
import { lyingServers, price, serve, type LyingServer, type Tally } from './attack/lyingServers.js';
import { figure, isWhole, seed } from './figures.js';

const { signal } = new AbortController();
const skill = 'incident-summary';
const others = ['code-review', 'support-answer'];

/** Small enough to be reached by every server that answers at all. */
const caps: readonly SpendCap[] = [{ calls: 10 }, { tokens: 40_000 }, { usd: 0.1 }];

interface Outcome {
  readonly name: string;
  readonly tally: Tally;
  /** What was used beyond the cap by calls that were under way when it was reached. */
  readonly over: number;
  /** What the ledger and what the person was told, where the two are not the same. */
  readonly untold: string | undefined;
}

describe('a cap against servers that lie or fail', function caps_() {
  this.timeout(isWhole ? 30 * 60_000 : 180_000);
  let server: ChatServer;
  before(async () => {
    server = await ChatServer.start();
  });
  after(() => server.stop());

  const cases = lyingServers.flatMap((liar) => caps.map((cap) => ({ liar, cap })));
  const chosen = isWhole ? cases : drawn(cases, 4);

  it(`on a run holds in ${chosen.length} cases`, async () => {
    const outcomes: Outcome[] = [];
    for (const { liar, cap } of chosen) outcomes.push(await attackRun(liar, cap));
    report('caps of a run against lying and failing servers', outcomes);
  });

  const nights = isWhole
    ? cases
    : drawn(
        cases.filter(({ liar }) => liar.name === 'cuts every stream'),
        1,
      );
  it(`on a night of several skills holds in ${nights.length} cases`, async () => {
    const outcomes: Outcome[] = [];
    for (const { liar, cap } of nights) outcomes.push(await attackNight(liar, cap));
    report('caps of a night against lying and failing servers', outcomes);
  });

  async function attackRun(liar: LyingServer, cap: SpendCap): Promise<Outcome> {
    const workspace = aNightWorkspace([skill], { clock: hasty });
    try {
      workspace.keepTasks(skill, 10);
      const tally = serve(server, liar, cap);
      const useCases = workspace.useCases(modelAt(server), { prices: () => ({ m: price }) });
      const request = aNightRequest(workspace.folder, { settings: [{ caps: cap }] });
      const told = await useCases
        .optimize({ ...request, skillPath: workspace.skillPath(skill), purpose: 'optimize' }, () => undefined, signal)
        .then(({ summary }) => totalSpend(summary))
        .catch((error: unknown) => {
          if (!(error instanceof ModelError)) throw error;
        });
      return await outcomeOf(workspace, { liar, cap, tally, told });
    } finally {
      workspace.dispose();
    }
  }

  async function attackNight(liar: LyingServer, cap: SpendCap): Promise<Outcome> {
    const workspace = aNightWorkspace([skill, ...others], { clock: hasty });
    try {
      for (const name of [skill, ...others]) workspace.keepTasks(name, 10);
      const tally = serve(server, liar, cap);
      const { spend } = await workspace.night(modelAt(server), { cap }, { prices: () => ({ m: price }) });
      return await outcomeOf(workspace, { liar, cap, tally, told: spend });
    } finally {
      workspace.dispose();
    }
  }
});

async function outcomeOf(
  workspace: NightWorkspace,
  {
    liar,
    cap,
    tally,
    told,
  }: {
    readonly liar: LyingServer;
    readonly cap: SpendCap;
    readonly tally: Tally;
    readonly told: { readonly calls: number; readonly tokens: number; readonly usd: number | undefined } | void;
  },
): Promise<Outcome> {
  const ledger = openLedger(await openUserStore(workspace.state, hasty));
  const { calls, tokens, usd = 0 } = await ledger.spentThisMonth();
  await ledger.close();
  const booked = `${calls} calls, ${tokens} tokens, ${usd.toFixed(4)} USD`;
  const said =
    told === undefined ? booked : `${told.calls} calls, ${told.tokens} tokens, ${(told.usd ?? 0).toFixed(4)} USD`;
  const over = Math.max(
    ...Object.entries(cap).map(
      ([unit, most]) => tally[unit === 'calls' ? 'calls' : unit === 'usd' ? 'usd' : 'tokens'] - most,
    ),
  );
  return {
    name: `${liar.name}, cap ${JSON.stringify(cap)}`,
    tally,
    over: liar.unbounded === true ? 0 : Math.max(0, over),
    untold: booked === said ? undefined : `booked ${booked}, told ${said}`,
  };
}

function report(what: string, outcomes: readonly Outcome[]): void {
  const late = outcomes.filter(({ tally }) => tally.late.calls > 0);
  const over = outcomes.filter((each) => each.over > 0);
  const untold = outcomes.filter((each) => each.untold !== undefined);
  const asked = outcomes.reduce((sum, { tally }) => sum + tally.calls, 0);
  const result = `overshoot beyond what was in flight ${late.length}, caps passed at all ${over.length}, sums told otherwise than booked ${untold.length} (${asked} calls arrived)`;
  figure({ what, tried: outcomes.length, result });
  assert.deepEqual(
    [...new Set([...late, ...over, ...untold])].map(({ name, tally, over: by, untold: told }) => ({
      name,
      ...tally,
      by,
      told,
    })),
    [],
  );
  assert.ok(asked > 0);
}

function modelAt(server: ChatServer): LanguageModel {
  const timeouts = { firstByteMs: 2000, idleMs: 500, totalMs: 5000 };
  const endpoint = { provider: 'custom', baseUrl: server.baseUrl, model: 'm', apiKey: 'sk-0123456789abcdef', timeouts };
  return createOpenAIModel(endpoint, { fetch, learned: createLearnedCapabilities() });
}

/** Waits between calls take no time; one longer than any of them ends when nobody waits for it any more. */
const hasty: Clock = {
  now: () => Date.now(),
  sleep: async (ms, heard) => {
    if (ms > 120_000) await once(heard, 'abort');
    else await new Promise((resolve) => setImmediate(resolve));
    heard.throwIfAborted();
  },
};

function drawn<T>(all: readonly T[], count: number): readonly T[] {
  return shuffled(all, randomFor(seed, 'lying servers')).slice(0, count);
}
