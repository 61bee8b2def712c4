import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { aCommandLine, type CommandLine } from '../builders/commandLine.js';
import { aSkillFolder, aWhetstoneFile } from '../builders/aSkillFolder.js';
import { AgentStandIn } from '../fakes/AgentStandIn.js';
import { builtProgram } from './children/builtProgram.js';
import { inFull } from '../builders/few.js';
import { onlyOn } from '../builders/leaveOut.js';

const tasks = ['mail', 'search', 'payment', 'login', 'export', 'printer', 'calendar'];
const asProgram = ['--model', 'claude-code', '--preset', 'quick', '--rule', 'strict', '--yes'];

/** What ends a run through an agent program, and what keeps one from being begun. */
describe('a run through an agent program', () => {
  let proxy: Server; // stands for the vendor's server, which nobody asks
  let machine: AgentStandIn;
  let shell: CommandLine;
  let skill: string;

  beforeEach(async () => {
    proxy = createServer((socket) => socket.destroy());
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    machine = new AgentStandIn('claude.cjs', 'claude');
    const address = proxy.address();
    const port = address instanceof Object ? address.port : 0;
    const key = 'sk-ant-planted-key-0123456789';
    Object.assign(machine.environment, { ANTHROPIC_API_KEY: key, HTTPS_PROXY: `http://127.0.0.1:${port}` });
    shell = aCommandLine({ model: 'none', environment: machine.environment });
    skill = aSkillFolder(shell.folder, {
      'evals/evals.json': {
        skill_name: 'greeter',
        evals: tasks.map((id) => ({ id, prompt: `Write the note about the ${id} outage.` })),
      },
      'evals/whetstone.json': aWhetstoneFile(
        Object.fromEntries(tasks.map((id) => [id, { checks: [{ check: 'contains', text: 'Severity:' }] }])),
      ),
    });
  });
  afterEach(() => {
    shell.dispose();
    machine.remove();
    proxy.close();
  });

  inFull('ends the programs under way where the minutes of the run are over, and begins no other', async () => {
    machine.behaves({ kind: 'hang' });
    const began = Date.now();
    const { code, out, err } = await shell.run('optimize', skill, ...asProgram, '--cap', 'run.minutes=0.05');
    assert.ok(Date.now() - began < 30_000, String(Date.now() - began)); // alone they would be waited for a minute
    assert.match(out + err, /minutes? that (?:it is|this run is) capped at|took too long/);
    assert.equal(code, 1, out + err);
    const starts = machine.starts();
    assert.ok(starts.length > 0 && starts.length <= 8, String(starts.length));
    assert.ok(starts.every(({ pid }) => hasEnded(pid)));
  });

  it('starts no program of the clone that its skill lies in', async () => {
    const tools = path.join(shell.folder, 'tools');
    const [bin = ''] = (machine.environment['PATH'] ?? '').split(path.delimiter);
    cpSync(bin, tools, { recursive: true });
    mkdirSync(path.join(shell.folder, '.git'), { recursive: true });
    const environment = { ...machine.environment, PATH: [tools, '/usr/bin', '/bin'].join(path.delimiter) };
    // Started from elsewhere: only the skill says which clone is worked on.
    const elsewhere = aCommandLine({ model: 'none', environment });
    try {
      const { code, err } = await elsewhere.run('optimize', skill, ...asProgram);
      assert.equal(code, 2, err);
      assert.match(err, /Claude Code cannot be run here: it was found in the workspace alone \(.*tools\/claude\)/);
      assert.match(err, /Install it outside of the workspace: npm install -g/);
    } finally {
      elsewhere.dispose();
    }
  });

  it('leaves nothing running when the terminal is closed, also what hears no signal', async function () {
    onlyOn(this, 'linux', 'elsewhere nobody tells which processes carry a mark');
    machine.behaves({ kind: 'deaf' });
    const { cli } = await builtProgram();
    const child: ChildProcess = spawn(process.execPath, [cli, 'optimize', skill, ...asProgram], {
      cwd: shell.folder,
      env: { ...machine.environment, WHETSTONE_HOME: shell.home },
      stdio: 'ignore',
    });
    while (machine.starts().length === 0 && child.exitCode === null) await sleep(50);
    assert.ok(machine.starts().length > 0);
    child.kill('SIGHUP');
    const late = setTimeout(() => child.kill('SIGKILL'), 15_000);
    await once(child, 'exit');
    clearTimeout(late);
    assert.equal(child.signalCode, null, 'it had to be killed');
    assert.ok(machine.starts().every(({ pid }) => hasEnded(pid)));
  });
});

describe('a run through a program that cannot be told how long an answer may be', () => {
  it('says before and when it ends that a low cap in tokens starts no call, and what would', async () => {
    const machine = new AgentStandIn('codex.cjs', 'codex');
    Object.assign(machine.environment, { CODEX_API_KEY: 'sk-planted-key-0123456789' });
    const proxy = createServer((socket) => socket.destroy());
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const address = proxy.address();
    const port = address instanceof Object ? address.port : 0;
    const environment = { ...machine.environment, HTTPS_PROXY: `http://127.0.0.1:${port}` };
    const shell = aCommandLine({ model: 'none', environment, copy: path.resolve('media/demo') });
    try {
      const demo = path.join(shell.folder, '.claude/skills/incident-summary');
      const low = ['optimize', demo, '--model', 'codex', '--preset', 'quick', '--max-tokens', '50000'];
      const before = await shell.run(...low, '--dry-run');
      assert.match(before.out, /The cap of 50,000 tokens starts no call to codex \(0\.166\.0\): .* 128,000 tokens/);
      const ended = await shell.run(...low, '--yes');
      assert.match(ended.out + ended.err, /starts no call to codex/);
      assert.match(ended.out + ended.err, /next call to codex may take up to 1\d\d,\d{3} tokens/);
      assert.deepEqual(machine.starts(), []);
    } finally {
      shell.dispose();
      machine.remove();
      proxy.close();
    }
  });
});

function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return /^State:\s+Z/mu.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return true;
  }
}
