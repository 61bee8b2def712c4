import assert from 'node:assert/strict';
import { ModelError, type ModelErrorKind } from '../../../../src/errors.js';
import { FailedCall } from '../../../../src/models/wrappers/failedCall.js';
import { withBudget, type BudgetOptions } from '../../../../src/models/wrappers/withBudget.js';
import { mostInputTokens } from '../../../../src/models/tokens.js';
import type { LanguageModel } from '../../../../src/ports/languageModel.js';
import type { SpendClaim, SpendLedger } from '../../../../src/ports/spend.js';
import { ManualClock } from '../../../fakes/ManualClock.js';
import { MemoryLedger } from '../../../fakes/MemoryLedger.js';
import { ScriptedModel, aRequest, type ScriptedAnswer } from '../../../fakes/ScriptedModel.js';

const { signal } = new AbortController();
const price = { input: 1, output: 10, asOf: '2026-01-01', source: 'test' };
const noCaps = { run: {}, day: {}, month: {} };

describe('withBudget', () => {
  const request = aRequest({ maxOutputTokens: 1000 });
  const worst = mostInputTokens(request) + 1000;

  it('reserves the worst case before the call and settles on what it used', async () => {
    const { claims, events, complete } = budgeted({ usage: { inputTokens: 20, outputTokens: 30, exact: true } });
    await complete(request);
    assert.deepEqual(claims[0]?.worst, { tokens: worst, usd: (mostInputTokens(request) + 10_000) / 1_000_000 });
    assert.deepEqual(events, ['reserve', 'settle 50 tokens, 0.00032 usd, exact']);
  });

  it('reserves what the model takes beyond the limit that it is told', async () => {
    const ledger = new MemoryLedger(new ManualClock());
    const model: LanguageModel = {
      identity: new ScriptedModel().identity,
      complete: () => Promise.reject(new FailedCall('timeout', 'x', { charged: true })),
      takesMore: ({ maxOutputTokens }) => ({ inputTokens: 600, outputTokens: 128_000 - maxOutputTokens }),
    };
    const caps = { run: { tokens: 200_000 }, day: {}, month: {} };
    const held = withBudget(model, { ledger, runId: 'r', caps, price: undefined });
    await assert.rejects(held.complete(request, signal), { kind: 'timeout' });
    await assert.rejects(held.complete(request, signal), { kind: 'cap' }); // the first is booked at 128,600 and more
  });

  it('counts tokens only where nobody knows the price', async () => {
    const { claims, events, complete } = budgeted('Yes.', { price: undefined });
    await complete(request);
    assert.equal(claims[0]?.worst.usd, undefined);
    assert.deepEqual(events, ['reserve', 'settle 15 tokens, undefined usd, exact']);
  });

  it('says that a sum is estimated where the backend reports no usage', async () => {
    const { events, complete } = budgeted(
      { usage: { inputTokens: 1, outputTokens: 1, exact: false } },
      { price: undefined },
    );
    await complete(request);
    assert.deepEqual(events, ['reserve', 'settle 2 tokens, undefined usd, estimated']);
  });

  it('books the worst case where a count is none, and no money that cannot be', async () => {
    for (const inputTokens of [Infinity, -5, NaN, 1e300]) {
      const { events, complete } = budgeted({ usage: { inputTokens, outputTokens: 1, exact: true, usd: 1e300 } });
      await complete(request);
      const usd = (mostInputTokens(request) + 10_000) / 1_000_000;
      assert.deepEqual(events, ['reserve', `settle ${worst} tokens, ${usd} usd, estimated`]);
    }
  });

  it('takes no money for an agent’s work that is many times its price', async () => {
    const limits = { maxTokens: 100_000, maxTurns: 5, timeLimitMs: 1_000 };
    const work = { fixture: { hash: '', entries: [] }, skill: undefined, mode: 'offered', limits, judges: [] } as const;
    for (const [usd, booked] of [
      [0.5, 0.5],
      [50, 0.08],
    ]) {
      const { events, complete } = budgeted({ usage: { inputTokens: 80_000, outputTokens: 0, exact: true, usd } });
      await complete({ ...request, work });
      assert.deepEqual(events, ['reserve', `settle 80000 tokens, ${booked} usd, exact`]);
    }
  });

  const refused: readonly ModelErrorKind[] = [
    'auth',
    'quota',
    'model-not-found',
    'endpoint',
    'rate-limit',
    'context-length',
  ];
  for (const kind of refused) {
    it(`counts a call refused for ${kind}, which cost nothing`, async () => {
      const { events, complete } = budgeted(new ModelError(kind, 'no'));
      await assert.rejects(complete(request), { kind });
      assert.deepEqual(events, ['reserve', 'settle 0 tokens, 0 usd, exact']);
    });
  }

  const doubtful: readonly [name: string, error: Error][] = [
    ['a timeout', new ModelError('timeout', 'x')],
    ['an answer that broke off', new FailedCall('unavailable', 'x', { charged: true })],
    ['an error of unknown kind', new TypeError('x')],
  ];
  for (const [name, error] of doubtful) {
    it(`counts the worst case, as estimated, for ${name}`, async () => {
      const { events, complete } = budgeted(error, { price: undefined });
      await assert.rejects(complete(request));
      assert.deepEqual(events, ['reserve', `settle ${worst} tokens, undefined usd, estimated`]);
    });
  }

  it('books a whole answer that is of no use at what it used', async () => {
    const usage = { inputTokens: 20, outputTokens: 1, exact: true };
    const { events, complete } = budgeted(new FailedCall('malformed', 'empty', { charged: true, usage }));
    await assert.rejects(complete(request));
    assert.deepEqual(events, ['reserve', 'settle 21 tokens, 0.00003 usd, exact']);
  });

  it('counts no call where the server was never reached', async () => {
    const { events, complete } = budgeted(new FailedCall('unavailable', 'refused', { charged: false, sent: false }));
    await assert.rejects(complete(request));
    assert.deepEqual(events, ['reserve', 'release']);
  });

  it('never starts an attempt that could pass a cap', async () => {
    const model = new ScriptedModel().when('', 'Yes.');
    const ledger = new MemoryLedger(new ManualClock());
    const caps = { ...noCaps, run: { tokens: 3 * worst - 1 } };
    const capped = withBudget(model, { ledger, runId: 'r', caps, price });
    const results = await Promise.allSettled(
      [1, 2, 3, 4].map((attempt) => capped.complete({ ...request, attempt }, signal)),
    );
    assert.equal(model.requests.length, 2);
    assert.deepEqual(
      results.map((result) =>
        result.status === 'rejected' && result.reason instanceof ModelError ? result.reason.kind : 'ok',
      ),
      ['ok', 'ok', 'cap', 'cap'],
    );
  });

  it('gives the reservation back if aborted before the call', async () => {
    const controller = new AbortController();
    const { events, model, complete } = budgeted('Yes.', { onReserve: () => controller.abort(new Error('stop')) });
    await assert.rejects(complete(request, controller.signal), /stop/);
    assert.deepEqual(events, ['reserve', 'release']);
    assert.equal(model.requests.length, 0);
  });
});

async function unused(): Promise<never> {
  assert.fail('not asked');
}

function budgeted(
  answer: ScriptedAnswer,
  options: Partial<BudgetOptions> & { readonly onReserve?: () => void } = {},
): {
  claims: SpendClaim[];
  events: string[];
  model: ScriptedModel;
  complete: (request: ReturnType<typeof aRequest>, signal?: AbortSignal) => Promise<unknown>;
} {
  const claims: SpendClaim[] = [];
  const events: string[] = [];
  const ledger: Pick<SpendLedger, 'reserve'> = {
    reserve: async (claim) => {
      claims.push(claim);
      events.push('reserve');
      options.onReserve?.();
      return {
        ticket: 'one',
        settle: async ({ tokens, usd, exact }) =>
          void events.push(`settle ${tokens} tokens, ${usd} usd, ${exact ? 'exact' : 'estimated'}`),
        release: async () => void events.push('release'),
      };
    },
  };
  const model = new ScriptedModel().when('', answer);
  const wrapped = withBudget(model, {
    ledger: {
      ...ledger,
      reopen: () => assert.fail('not asked'),
      spentInRun: unused,
      spentToday: unused,
      spentThisMonth: unused,
    },
    runId: 'r',
    caps: noCaps,
    price: 'price' in options ? options.price : price,
  });
  return { claims, events, model, complete: (request, heard = signal) => wrapped.complete(request, heard) };
}
