import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { startSimulatedServer, type SimulatedServer } from '../../src/simulated/server/serveSimulated.js';
import { aCommandLine, type CommandLine } from '../builders/commandLine.js';
import { few, inFull } from '../builders/few.js';
import { builtProgram } from './children/builtProgram.js';
import { runCommandLine } from './children/command.js';

const skill = '.claude/skills/incident-summary';

/** `whetstone … | head -1`: the process is real, and so is the pipe that nobody reads any more. */
describe('a command whose output nobody reads to its end', function closedOutput() {
  this.timeout(60_000);
  let shell: CommandLine;
  let server: SimulatedServer;
  let cli = '';

  before(async () => {
    ({ cli } = await builtProgram());
    shell = aCommandLine({ copy: path.resolve('media/demo') });
    server = await startSimulatedServer({ port: 0, latencyMs: 60 });
  });
  after(async () => {
    shell.dispose();
    await server.stop();
  });

  for (const words of few([['--help'], ['status'], ['schedule', '--help']], 1))
    it(`ends quietly: whetstone ${words.join(' ')}`, async () => {
      const child = start(words);
      let said = '';
      child.stderr?.on('data', (data: Buffer) => (said += data.toString()));
      child.stdout?.destroy();
      await once(child, 'close');
      assert.deepEqual([child.exitCode, said], [141, '']);
    });

  inFull('is cancelled where it trains, and what was answered is kept for the run to go on', async () => {
    const model = ['--model', `${server.url}#simulated-1`, '--cap', 'run.calls=2000', '--rule', 'strict'];
    const child = start(['optimize', skill, ...model]);
    let said = '';
    child.stderr?.on('data', (data: Buffer) => {
      said += data.toString();
      if (!said.includes('held-out tasks under the skill')) return;
      child.stdout?.destroy();
      child.stderr?.destroy();
    });
    await once(child, 'exit');
    assert.equal(child.exitCode, 141, said);
    assert.doesNotMatch(said, /EPIPE|Error:/u);
    const [{ lastRun }] = JSON.parse((await run(['status', skill, '--json'])).out);
    assert.equal(lastRun?.outcome, 'cancelled');
    const { code, err } = await run(['optimize', skill, '--resume', ...model]);
    assert.equal(code, 0, err);
  });

  function start(words: readonly string[]): ChildProcess {
    const env = { PATH: process.env['PATH'], HOME: shell.home, WHETSTONE_HOME: shell.home };
    return spawn(process.execPath, [cli, ...words], { cwd: shell.folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  }

  function run(words: readonly string[]) {
    return runCommandLine(cli, words, { cwd: shell.folder, environment: { WHETSTONE_HOME: shell.home } });
  }
});
