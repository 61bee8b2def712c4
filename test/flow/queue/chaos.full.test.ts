import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startSimulatedServer, type SimulatedServer } from '../../../src/simulated/server/serveSimulated.js';
import { needRedis, ownRedis, type OwnRedis } from '../../builders/aRedis.js';
import { aWorkspace, writtenTasks } from '../../builders/aWorkspace.js';
import { aCoordinator } from './aQueue.js';
import { aCutProxy } from './cutProxy.js';
import { aCountingDoor, type CountingDoor } from './countingDoor.js';
import { Crew } from './crew.js';
import { aFlow } from './flowOfCalls.js';
import { proposalIn, startCommand, startWorkerProcess } from './processes.js';

const workerKills = 20;
const redisKills = 7;
const coordinatorKills = 13;
const cuts = 20;
const atOnce = 16; // calls that a coordinator has under way at most
/** When something is killed or cut is drawn anew in every run. */
const upTo = (ms: number): number => Math.random() * ms;

describe('a queue whose parts are killed and cut off', function () {
  this.timeout(900_000);
  let redis: OwnRedis;
  let server: SimulatedServer;
  let folder = '';

  before(async function () {
    needRedis(this, 'own');
  });
  beforeEach(async () => {
    redis = await ownRedis();
    folder = mkdtempSync(path.join(tmpdir(), 'whetstone-chaos-'));
  });
  afterEach(async () => {
    await server?.stop();
    await redis?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const modelAt = (): string => `${server.url}#simulated-1`;
  const crew = (count: number, url: string, at = server.url): Crew =>
    new Crew(count, () => startWorkerProcess(url, `${at}#simulated-1`, path.join(folder, 'home')));

  it(`loses nothing in ${workerKills} kills of workers, ${redisKills} of Redis and ${cuts} cuts of the network`, async () => {
    server = await startSimulatedServer({ port: 0, latencyMs: 100 });
    const door = await aCountingDoor(server.url);
    const proxy = await aCutProxy(redis.port);
    const workers = crew(3, proxy.url, door.url);
    const coordinator = await aCoordinator(proxy.url, { patienceMs: 60_000 });
    const flow = aFlow({ url: door.url, coordinator, atOnce: 12 });
    try {
      await workers.ready();
      const asking = flow.run();
      for (let event = 0; event < Math.max(workerKills, cuts); event += 1) {
        await wait(upTo(1_400));
        if (event < workerKills) await workers.kill(event);
        await wait(upTo(600));
        proxy.cut();
        await wait(100 + upTo(600));
        proxy.mend();
        if (event % 3 === 2 && event / 3 < redisKills) {
          await wait(upTo(300));
          await redis.kill();
          await wait(200);
          await redis.start();
        }
      }
      flow.stop();
      const { asked, answers } = await asking;
      const calls = await flow.booked();
      const lost = flow.entries.filter(({ outcome }) => outcome.kind === 'failed').length;
      assert.equal(workers.kills, workerKills);
      assert.equal(answers, asked, 'nothing is lost');
      assert.equal(calls, asked + lost, 'every try is booked once');
      assertCounted(flow.tries, door);
      const { requests } = server.counts();
      process.stdout.write(
        `      ${asked} calls asked, ${answers} answered; the server counted ${requests}, ${calls} are booked, ${lost} tries were lost in flight\n`,
      );
      assert.equal(requests, door.all(), 'what is counted is what the server counted');
    } finally {
      await coordinator.close();
      await workers.dispose();
      await proxy.dispose();
      await door.dispose();
    }
  });

  it(`goes on to a verdict after ${coordinatorKills} kills of the coordinator`, async () => {
    server = await startSimulatedServer({ port: 0, latencyMs: 60 });
    const tasks = writtenTasks({ training: 2, heldOut: 6, sealed: 0 }, ['Visibility:', 'fathoms']);
    const [whole, broken] = [aWorkspace({ tasks }), aWorkspace({ tasks })];
    const workers = crew(2, redis.url);
    const words = (skill: string): readonly string[] => [
      'optimize',
      skill,
      '--preset',
      'quick',
      '--model',
      modelAt(),
      '--price',
      'simulated-1=0/0',
      '--yes',
      '--json',
      '--queue',
      redis.url,
    ];
    try {
      await workers.ready();
      const unbroken = await startCommand(words(whole.skillPath), whole.folder, whole.home);
      assert.equal(await unbroken.ended(), 0, unbroken.said.err);
      const usual = server.counts().requests;
      mkdirSync(broken.home, { recursive: true, mode: 0o700 });
      copyFileSync(path.join(whole.home, 'state.key'), path.join(broken.home, 'state.key'));
      let resume: readonly string[] = [];
      let kills = 0;
      for (;;) {
        const run = await startCommand([...words(broken.skillPath), ...resume], broken.folder, broken.home);
        const before = server.counts().requests;
        const over = run.ended();
        if (kills < coordinatorKills) {
          while (server.counts().requests < before + 1 && run.child.exitCode === null) await wait(10);
          await wait(upTo(60));
          if (run.child.exitCode === null) {
            await run.kill();
            kills += 1;
            resume = ['--resume'];
            continue;
          }
        }
        assert.equal(await over, 0, run.said.err);
        break;
      }
      assert.equal(kills, coordinatorKills);
      const asked = server.counts().requests - usual;
      process.stdout.write(`      unbroken ${usual} requests; with ${kills} kills of the coordinator ${asked}\n`);
      assert.ok(asked <= usual + kills * atOnce, 'nothing was asked again beyond what was in flight');
      assert.equal(proposalIn(broken.folder), proposalIn(whole.folder), 'the proposal of the unbroken run');
      assert.notEqual(proposalIn(whole.folder), '');
    } finally {
      await workers.dispose();
      whole.dispose();
      broken.dispose();
    }
  });

  it('holds a cap of 50 calls over 4 workers with 20 kills', async () => {
    server = await startSimulatedServer({ port: 0, latencyMs: 1_500 });
    const tasks = writtenTasks({ training: 6, heldOut: 12, sealed: 0 }, ['Visibility:', 'fathoms']);
    const workspace = aWorkspace({ tasks });
    const workers = crew(4, redis.url);
    try {
      await workers.ready();
      const words = [
        'optimize',
        workspace.skillPath,
        '--preset',
        'quick',
        '--model',
        modelAt(),
        '--price',
        'simulated-1=0/0',
      ];
      const more = ['--max-calls', '50', '--yes', '--json', '--queue', redis.url];
      const run = await startCommand([...words, ...more], workspace.folder, workspace.home);
      const over = run.ended();
      for (let kill = 0; kill < 20; kill += 1) {
        await wait(upTo(800));
        assert.equal(run.child.exitCode, null, `the run was over after ${kill} kills`);
        await workers.kill(kill);
      }
      const code = await Promise.race([over, wait(240_000).then(() => 'late')]);
      const { requests } = server.counts();
      process.stdout.write(
        `      ${workers.kills} kills: the server counted ${requests} of 50 calls (exit ${String(code)})\n`,
      );
      assert.notEqual(code, 'late');
      assert.ok(requests <= 50);
    } finally {
      await workers.dispose();
      workspace.dispose();
    }
  });
});

/** Call by call: the server was asked once where one try was made, and else at least once and for no try twice. */
function assertCounted(tries: ReadonlyMap<string, number>, door: CountingDoor): void {
  for (const [words, made] of tries) {
    const counted = door.counted(words);
    if (made === 1) assert.equal(counted, 1, words);
    else assert.ok(counted >= 1 && counted <= made, `${words} ${counted} of ${made}`);
  }
}
