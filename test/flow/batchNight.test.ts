import assert from 'node:assert/strict';
import { aBatchWorld, counts, ledgerOf, paidIn, settingsOf, type BatchWorld } from './batchWorld.js';

describe('a night whose stages are sent as batches', function batches() {
  this.timeout(120_000);
  let world: BatchWorld;
  afterEach(() => world.stop());

  it('pays half for what they answer, sends both sides of a pass together, and leaves no file behind', async () => {
    world = await aBatchWorld();
    const { server, workspace } = world;
    const plan = await world.plan();
    assert.match(plan.train[0]?.preflight.batches?.join(' ') ?? '', /usually \d+, at most \d+, .*: up to \d+ nights\./);
    const whole = await world.plan(settingsOf(false));
    const usual = [plan, whole].map(({ train }) => train[0]?.preflight.usual.usd ?? 0);
    assert.ok(usual[0] !== undefined && usual[1] !== undefined && usual[0] < 0.75 * usual[1], usual.join(' and '));
    const { result, events } = await world.night();
    const [skill] = result.skills;
    assert.equal(skill?.outcome, 'proposed', skill?.reason);

    const sizes = server.batches.map(({ lines }) => lines.length);
    assert.ok(sizes.length >= 3 && sizes.every((size) => size >= 20), sizes.join(', '));
    const passes = events.filter((event) => event.kind === 'certification').length;
    assert.equal(sizes.filter((size) => size === 2 * counts.heldOut).length, passes, 'a pass is one batch');

    const inBatches = sizes.reduce((sum, size) => sum + size, 0);
    const ledger = ledgerOf(workspace);
    const paid = paidIn(ledger.settled);
    assert.deepEqual([paid.half, paid.whole, ledger.open], [inBatches, server.ordinary, 0]);
    const spent = events.flatMap((event) => (event.kind === 'call' && !event.cached ? [event] : []));
    const told = paidIn(spent.map(({ tokens, usd = 0 }) => ({ tokens, usd })));
    assert.ok(Math.abs(told.usd - paid.usd) < 1e-9, `${told.usd} in the journal, ${paid.usd} in the ledger`);
    process.stdout.write(
      `      ${sizes.length} batches of ${sizes.join(', ')} lines at half the price, ${server.ordinary} calls at the whole: ${paid.usd.toFixed(6)} USD\n`,
    );

    assert.deepEqual(server.files, []);
    assert.deepEqual(server.answeredTwice, []);
    assert.ok(workspace.told.some((text) => /A batch of 44 calls was sent, at half the price/.test(text)));
  });
});
