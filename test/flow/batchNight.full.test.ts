import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { NightSkillResult } from '../../src/app/nights/nightResult.js';
import type { TestWorkspace } from '../builders/aWorkspace.js';
import type { BatchFate } from '../builders/aBatchServer.js';
import type { BatchOrder } from './children/batchChild.js';
import { childScript } from './children/trainProcess.js';
import { aBatchWorld, counts, ledgerOf, paidIn, settingsOf, type BatchNight, type BatchWorld } from './batchWorld.js';

describe('a night whose batches do not all come to their end', function unfinished() {
  this.timeout(600_000);
  const worlds: BatchWorld[] = [];
  let plain: BatchNight;
  let found: readonly unknown[];
  before(async () => {
    const { workspace, ...without } = await world();
    plain = await without.night({ settings: settingsOf(false) });
    found = foundBy(workspace, plain.result.skills[0]);
    assert.equal(found[0], 'proposed', plain.result.skills[0]?.reason);
  });
  after(() => Promise.all(worlds.map((each) => each.stop())));

  async function world(options: Parameters<typeof aBatchWorld>[0] = {}): Promise<BatchWorld> {
    const made = await aBatchWorld(options);
    worlds.push(made);
    return made;
  }

  const fates: Readonly<Record<number, BatchFate>> = {
    1: { status: 'expired', line: some },
    2: { line: (index) => (index % 6 === 5 ? 'failed' : 'answered') },
    3: { looks: 'never', line: some },
  };

  it('comes to the scores and the proposal of one without batches, through expiry, failed lines and a batch that never ends', async () => {
    const batching = await world({ fate: (number) => fates[number] ?? {} });
    const { server, workspace } = batching;
    const { result, events } = await batching.night({
      settings: settingsOf(true, { nightly: { batch: true, batchWait: seconds(7) } }),
    });
    assert.deepEqual(foundBy(workspace, result.skills[0]), found, result.skills[0]?.reason);
    assert.deepEqual(scores(events), scores(plain.events));

    const batches = server.batches.map(({ status, lines, answered }) => [status, lines.length, answered]);
    assert.deepEqual(batches, [
      ['expired', 21, 11],
      ['completed', 24, 20],
      ['cancelled', 44, 22],
    ]);
    const paid = paidIn(ledgerOf(workspace).settled);
    assert.deepEqual([paid.half, paid.whole], [53, server.ordinary]);
    const failed = events.filter((event) => event.kind === 'call' && event.error !== undefined);
    assert.equal(failed.length, 4, 'lines that failed are failed calls');
    assert.equal(ledgerOf(workspace).open, 0);
    assert.deepEqual([server.files, server.answeredTwice], [[], []]);
    process.stdout.write(
      `      of 89 lines 53 answered at half the price, 4 failed, 32 not reached; ${server.ordinary} calls at the whole: ${paid.usd.toFixed(6)} USD\n`,
    );
  });

  it('passes no cap: of 60 calls at most 60 reach the server, lines and all', async () => {
    const batching = await world();
    const { server, workspace } = batching;
    const { result } = await batching.night({ settings: settingsOf(true, { caps: { calls: 60 } }) });
    const lines = server.batches.reduce((sum, { answered }) => sum + answered, 0);
    assert.ok(lines + server.ordinary <= 60, `${lines} lines and ${server.ordinary} calls`);
    assert.equal(ledgerOf(workspace).settled.length, lines + server.ordinary);
    assert.match(result.skills[0]?.reason ?? '', /60 calls|cap/);
    process.stdout.write(`      a cap of 60 calls: the server counted ${lines + server.ordinary}\n`);
  });

  it('leaves a batch to the next night where the minutes are used up, and takes it up by its id', async () => {
    let isOver = false;
    const fate: BatchFate = {
      get looks() {
        return isOver ? 0 : 'never';
      },
    };
    const batching = await world({ fate: () => fate });
    const { server, workspace } = batching;
    const first = await batching.night({ settings: settingsOf(true, { caps: { minutes: 0.1 } }) });
    isOver = true;
    assert.notEqual(first.result.skills[0]?.outcome, 'proposed');
    assert.equal(server.batches.length, 1);
    assert.ok(workspace.told.some((text) => /The next night takes it up/.test(text)));
    const second = await batching.night();
    assert.equal(second.result.skills[0]?.outcome, 'proposed', second.result.skills[0]?.reason);
    assert.ok(workspace.told.some((text) => /taken up where it stands/.test(text)));
    assert.deepEqual(server.answeredTwice, []);
    assert.equal(ledgerOf(workspace).open, 0);
    assert.deepEqual(scores(second.events).slice(0, 22), scores(plain.events).slice(0, 22));
  });

  it('sends the batches of one skill after those of the other, and says before how many nights both may take', async () => {
    const batching = await world({ skillCount: 2 });
    const { server, workspace } = batching;
    const plan = await batching.plan();
    const each = plan.train.map(({ preflight }) => preflight.batchTime ?? assert.fail('no batch is expected'));
    const hours = each.reduce((sum, time) => sum + time.hours, 0);
    assert.equal(each.length, 2);
    assert.ok(
      plan.batches?.endsWith(
        `the batches of all 2 may be waited for ${hours} hours, up to ${Math.ceil(hours / 24)} nights.`,
      ),
      plan.batches,
    );
    const { result } = await batching.night();
    assert.deepEqual(
      result.skills.map(({ outcome, reason }) => (outcome === 'proposed' ? outcome : reason)),
      ['proposed', 'proposed'],
    );
    const paid = paidIn(ledgerOf(workspace).settled);
    const lines = server.batches.reduce((sum, { answered }) => sum + answered, 0);
    assert.deepEqual([paid.half, paid.whole, ledgerOf(workspace).open], [lines, server.ordinary, 0]);
    process.stdout.write(
      `      two skills: ${server.batches.length} batches of ${lines} lines, ${server.ordinary} calls\n`,
    );
  });

  it('asks the judge in a batch of its own', async () => {
    const batching = await world({ judged: true });
    const { server, workspace } = batching;
    const { result, events } = await batching.night();
    assert.equal(result.skills[0]?.outcome, 'proposed', result.skills[0]?.reason);
    const inBatches = server.batches.reduce((sum, { answered }) => sum + answered, 0);
    const paid = paidIn(ledgerOf(workspace).settled);
    assert.deepEqual([paid.half, paid.whole], [inBatches, server.ordinary]);
    const judgements = events.filter((event) => event.kind === 'call' && event.role === 'judge');
    assert.ok(judgements.length >= 2 * counts.heldOut, `${judgements.length} judgements`);
    process.stdout.write(
      `      ${server.batches.length} batches of ${server.batches.map(({ lines }) => lines.length).join(', ')} lines, ${judgements.length} judgements in all; ${server.ordinary} calls at the whole\n`,
    );
  });

  it('makes the calls one by one where the server takes no batch, and says so', async () => {
    const batching = await world({ hasBatches: false });
    const { server, workspace } = batching;
    const { result, events } = await batching.night();
    assert.equal(result.skills[0]?.outcome, 'proposed', result.skills[0]?.reason);
    assert.deepEqual(scores(events), scores(plain.events));
    assert.equal(server.asked.filter((asked) => asked === 'POST /files').length, 1, 'it is tried once');
    assert.equal(paidIn(ledgerOf(workspace).settled).half, 0);
    assert.ok(workspace.told.some((text) => /takes no batch, so the calls are made one by one/.test(text)));
  });

  it('uploads no secret', async () => {
    const batching = await world();
    const { server, workspace } = batching;
    const secret = `sk-proj-${'aB3dE5gH7jK9mN1pQ2rS4tU6'.repeat(2)}`;
    const file = path.join(path.dirname(workspace.skillPath), 'evals', 'evals.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"prompt": "/g, `"prompt": "OPENAI_API_KEY=${secret} `));
    await batching.night();
    assert.ok(server.uploaded.length > 0);
    assert.ok(server.uploaded.every((text) => !text.includes(secret)));
  });
});

describe('a night with batches that is killed', function killed() {
  this.timeout(600_000);
  // Once the server has done it, before the night hears of it.
  const points: readonly (readonly [asked: string, number: number])[] = [
    ['POST /batches', 1],
    ['GET /batches/…', 1],
    ['POST /files', 1],
    ['GET /files/…/content', 1],
    ['DELETE /files/…', 1],
    ['POST /batches', 3],
    ['GET /batches/…', 5],
    ['GET /files/…/content', 3],
  ];
  let unbroken: readonly unknown[];
  before(async () => {
    const world = await aBatchWorld();
    const { result } = await world.night();
    unbroken = foundBy(world.workspace, result.skills[0]);
    assert.equal(unbroken[0], 'proposed', result.skills[0]?.reason);
    await world.stop();
  });
  for (const [asked, number] of points) {
    it(`at ${asked} number ${number} takes the batch up, pays for no line twice, and comes to the same`, async () => {
      let child: ChildProcess | undefined;
      const world = await aBatchWorld({
        done: async (what, count) => {
          if (what !== asked || count !== number || child === undefined) return;
          const dying = child;
          child = undefined;
          dying.kill('SIGKILL');
          if (dying.exitCode === null && dying.signalCode === null) await once(dying, 'exit');
        },
      });
      try {
        const { server, workspace } = world;
        const { folder, home, skillPath } = workspace;
        const order: BatchOrder = { folder, home, skillPath, url: server.url, aheadMs: 0 };
        const script = await childScript('batchChild');
        child = spawn(process.execPath, [script, JSON.stringify(order)], { stdio: ['ignore', 'ignore', 'inherit'] });
        const [, signal] = await once(child, 'exit');
        assert.equal(signal, 'SIGKILL');

        const again = spawn(process.execPath, [script, JSON.stringify({ ...order, aheadMs: 120_000 })], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        let said = '';
        again.stdout.on('data', (data: Buffer) => (said += data.toString()));
        await once(again, 'close');
        assert.deepEqual(foundBy(workspace, JSON.parse(said)[0]), unbroken, said);
        assert.deepEqual(server.answeredTwice, []);
        assert.deepEqual(server.files, [], 'no file is left');
        const lines = server.batches.reduce((sum, { answered }) => sum + answered, 0);
        const { settled, open } = ledgerOf(workspace);
        assert.equal(paidIn(settled).half, lines, 'every answered line is paid for once, at half the price');
        assert.equal(open, 0);
        process.stdout.write(
          `      ${server.batches.length} batches, ${lines} lines answered and paid for at half the price, none twice; ${server.ordinary} calls at the whole\n`,
        );
      } finally {
        await world.stop();
      }
    });
  }
});

/** How a night came out: its verdict and scores, and the text that it proposes. */
function foundBy(workspace: TestWorkspace, skill: NightSkillResult | undefined): readonly unknown[] {
  const text = workspace.artifact(skill?.runId ?? '', 'best_skill.md');
  assert.ok(text !== undefined && text !== workspace.skillText(), 'nothing is proposed');
  return [skill?.outcome, skill?.verdict, skill?.before, skill?.after, text];
}

/** The first half of the lines. */
function some(index: number, count: number): 'answered' | 'untouched' {
  return index < Math.ceil(count / 2) ? 'answered' : 'untouched';
}

/** What every attempt came to, in the order of stages. */
function scores(events: BatchNight['events']): readonly string[] {
  return events
    .flatMap((event) => (event.kind === 'attempt' ? [event] : []))
    .map(({ stage, step, taskId, attempt, outcome, skillHash }) => {
      return JSON.stringify([stage, step, taskId, attempt, skillHash, outcome]);
    })
    .sort();
}

/** As hours. */
function seconds(count: number): number {
  return count / 3600;
}
