import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { startSimulatedServer, type SimulatedServer } from '../../src/simulated/server/serveSimulated.js';
import { aCommandLine, type CommandLine, type CommandResult } from '../builders/commandLine.js';
import { aSkillFolder, aWhetstoneFile } from '../builders/aSkillFolder.js';
import { AgentStandIn } from '../fakes/AgentStandIn.js';

const token = 'sk-ant-oat01-planted-access-token-of-a-person';
const tasks = ['mail', 'search', 'payment', 'login', 'export', 'printer', 'calendar'];
const asProgram = ['--model', 'claude-code/simulated-1', '--preset', 'quick', '--rule', 'strict', '--yes'];

/** A person without any API key, who has Claude Code by a plan; a stand-in relays to the simulated model. */
describe('a skill trained through an agent program', () => {
  let server: SimulatedServer;
  let machine: AgentStandIn;
  let shell: CommandLine;
  let skill: string;

  beforeEach(async () => {
    server = await startSimulatedServer({ port: 0 });
    machine = new AgentStandIn('claude.cjs', 'claude');
    machine.behaves({ kind: 'relay', url: server.url });
    logIn(token);
    // Nothing of the test's own keys, and no network: the plan's server counts as reached through a proxy of this machine.
    const none = {
      ANTHROPIC_API_KEY: '',
      ANTHROPIC_AUTH_TOKEN: '',
      CLAUDE_CODE_OAUTH_TOKEN: '',
      ANTHROPIC_BASE_URL: '',
    };
    const environment = { ...machine.environment, ...none, HTTPS_PROXY: server.url };
    shell = aCommandLine({ model: 'none', environment });
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
  afterEach(async () => {
    shell.dispose();
    machine.remove();
    await server.stop();
  });

  it('uses the login after a yes alone, ends when that runs out, goes on for what is left, and keeps it secret', async () => {
    const unasked = await optimize();
    assert.equal(unasked.code, 1, unasked.err);
    assert.match(unasked.err, /add --allow-login once/);
    assert.deepEqual(machine.starts(), []);

    machine.behaves({ kind: 'relay', url: server.url, starts: 3 });
    const ended = await optimize('--allow-login');
    assert.equal(ended.code, 1, ended.out + ended.err);
    assert.match(ended.err, /takes its calls and tokens from your plan with Claude Code: .* is capped at [\d,]+ calls/);
    assert.match(ended.err, /The login of Claude Code was not accepted.*Log in again: run “claude”/s);
    const paid = server.counts().answered;
    assert.ok(paid > 0);

    machine.behaves({ kind: 'relay', url: server.url });
    logIn(`${token}-renewed`);
    const resumed = await optimize('--resume');
    assert.equal(resumed.code, 0, resumed.err);
    assert.doesNotMatch(resumed.err, /--allow-login/);
    assert.match(resumed.out, /greeter improved from 0 %/);
    assert.match(resumed.out, /target claude-code\/simulated-1\?version=2\.1\.325/);
    assert.match(resumed.out, new RegExp(`${paid} more from stored replies at no cost`));
    const starts = machine.starts();
    assert.match(resumed.out, new RegExp(`${starts.length} model calls, .* tokens`));
    for (const { words, environment } of starts) {
      assert.ok(environment['CLAUDE_CODE_OAUTH_TOKEN']?.startsWith(token));
      assert.ok(!words.join(' ').includes(token));
    }
    for (const file of [...filesBelow(shell.folder), ...filesBelow(shell.home)])
      assert.ok(!readFileSync(file, 'latin1').includes(token), file);
  });

  it('is held by caps in calls as any model is, in however many starts at once', async () => {
    const held = await optimize('--allow-login', '--max-calls', '4');
    assert.match(held.out + held.err, /4 (?:model )?calls/);
    assert.equal(machine.starts().length, 4);
  });

  function optimize(...more: readonly string[]): Promise<CommandResult> {
    return shell.run('optimize', skill, ...asProgram, ...more);
  }

  function logIn(accessToken: string): void {
    rmSync(path.join(machine.home, '.claude'), { recursive: true, force: true });
    machine.keeps('.claude/.credentials.json', {
      claudeAiOauth: { accessToken, refreshToken: 'never-handed-over', expiresAt: Date.now() + 3_600_000 },
    });
  }
});

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());
}
