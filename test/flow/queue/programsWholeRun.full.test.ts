import assert from 'node:assert/strict';
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { lookAt } from '../../../src/queue/openQueue.js';
import { aRedis, needRedis, type TestRedis } from '../../builders/aRedis.js';
import { needsSandbox, sandboxHelper } from '../../builders/aSandbox.js';
import { aWorkspace, writtenTasks, type TestWorkspace } from '../../builders/aWorkspace.js';
import { builtWithQueue } from '../children/builtProgram.js';
import { namedQueue } from './aQueue.js';
import { proposalIn, startCommand, startWorkerProcess, type Running } from './processes.js';

const check = { check: 'command', command: 'sh', arguments: ['check.sh'], folder: 'checks', criterion: 'It greets.' };
const parts = {
  tasks: writtenTasks({ training: 2, heldOut: 6, sealed: 0 }, ['Visibility:', 'fathoms']).map((task, index) =>
    index < 4 ? { ...task, checks: [...task.checks, check] } : task,
  ),
  files: { 'checks/check.sh': 'cat more.txt > /dev/null && grep -q .\n', 'checks/more.txt': 'Read by the check.\n' },
};

/** With the command line, worker processes and their sandbox. */
describe('a run whose checks run on other machines', function () {
  this.timeout(600_000);
  let redis: TestRedis;

  before(async function () {
    needRedis(this);
    await needsSandbox(this);
    // As it ships: the helper process and its native files lie beside the command line.
    const beside = path.dirname((await builtWithQueue()).cli);
    copyFileSync(sandboxHelper, path.join(beside, 'sandbox.js'));
    cpSync(path.join(path.dirname(sandboxHelper), 'vendor'), path.join(beside, 'vendor'), { recursive: true });
    redis = await aRedis();
  });
  after(() => redis?.dispose());

  it('comes to the same proposal, byte for byte, with a list that “worker allow” wrote', async () => {
    const [here, there] = [aWorkspace(parts), aWorkspace(parts)];
    const home = path.join(path.dirname(there.folder), 'worker');
    const list = path.join(home, 'programs');
    let worker: Running | undefined;
    try {
      await done(startCommand(wordsFor(here), here.folder, here.home));
      mkdirSync(there.home, { recursive: true, mode: 0o700 });
      copyFileSync(path.join(here.home, 'state.key'), path.join(there.home, 'state.key'));

      const allow = ['worker', 'allow', there.skillPath, '--file', list];
      const asked = await startCommand(allow, there.folder, home);
      assert.equal(await asked.ended(), 2, 'nobody is there to be asked');
      assert.match(asked.said.err, /Nothing was added to the list\. .*--yes/);
      const allowed = await done(startCommand([...allow, '--yes'], there.folder, home));
      assert.match(allowed.said.out, /^[0-9a-f]{64} {2}sh check\.sh {2}\(.*checks\)\n/);
      assert.match(readFileSync(list, 'utf8'), /^[0-9a-f]{64} {2}sh check\.sh\n$/);

      const without = ['worker', '--queue', redis.url, '--model', 'simulated', '--environments', 'chat,program'];
      const refused = await startCommand(without, there.folder, home);
      assert.equal(await refused.ended(), 2);
      assert.match(refused.said.err, /no list is named.*--programs/s);

      worker = await startWorkerProcess(redis.url, 'simulated', home, [
        '--environments',
        'chat,program',
        '--programs',
        list,
      ]);
      assert.doesNotMatch(worker.said.err, /takes no programs/);
      const queue = ['--queue', redis.url];
      const dry = await done(startCommand([...wordsFor(there), ...queue, '--dry-run'], there.folder, there.home));
      assert.match(dry.said.out, /Programs that are run by the workers at redis:[^ ]*: 1 of 1\./);
      await done(startCommand([...wordsFor(there), ...queue], there.folder, there.home));
      assert.equal(proposalIn(there.folder), proposalIn(here.folder));
      assert.notEqual(proposalIn(here.folder), '');
      const ran = await programsRun(redis.url);
      assert.ok(ran > 8, `only ${ran} checks ran on the worker`);
      process.stdout.write(`      ${ran} checks ran in the sandbox of the worker\n`);

      writeFileSync(path.join(path.dirname(there.skillPath), 'checks/more.txt'), 'Another byte.\n');
      const changed = await done(startCommand([...wordsFor(there), ...queue, '--dry-run'], there.folder, there.home));
      assert.match(changed.said.out, /This runs on this machine, for no worker has it in its list/);
    } finally {
      await worker?.stop();
      here.dispose();
      there.dispose();
    }
  });
});

async function programsRun(url: string): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 3_000)); // its card is written anew every two seconds
  const { workers } = await lookAt(namedQueue(url));
  const lanes = workers.flatMap((each) => each.lanes).filter(({ environment }) => environment === 'program');
  return lanes.reduce((sum, { answered }) => sum + answered, 0);
}

async function done(starting: Promise<Running>): Promise<Running> {
  const run = await starting;
  assert.equal(await run.ended(), 0, run.said.err);
  return run;
}

function wordsFor({ skillPath }: TestWorkspace): readonly string[] {
  const words = ['optimize', skillPath, '--preset', 'quick', '--model', 'simulated'];
  return [...words, '--yes', '--json', '--allow-programs'];
}
