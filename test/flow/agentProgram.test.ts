import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { startSimulatedServer, type SimulatedServer } from '../../src/simulated/server/serveSimulated.js';
import { aCommandLine, type CommandLine, type CommandResult } from '../builders/commandLine.js';
import { aSkillFolder, aWhetstoneFile } from '../builders/aSkillFolder.js';
import { few, inFull } from '../builders/few.js';
import { AgentStandIn } from '../fakes/AgentStandIn.js';

const token = 'sk-ant-oat01-planted-access-token-of-a-person';
const tasks = few(['mail', 'search', 'payment', 'login', 'export', 'printer', 'calendar'], 5); // each start takes its time
const asProgram = ['--model', 'claude-code/simulated-1', '--preset', 'quick', '--rule', 'strict', '--yes'];

const aTool = {
  name: 'look_up',
  description: 'Looks a parcel up.',
  parameters: { type: 'object', properties: { name: { type: 'string' } } },
  result: 'On its way.',
};

/** A person without any API key, who has Claude Code by a plan; a stand-in relays to the simulated model. */
describe('a skill trained through an agent program', () => {
  let server: SimulatedServer;
  let machine: AgentStandIn;
  let shell: CommandLine;
  let skill: string;
  let environment: Readonly<Record<string, string>>;

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
    environment = { ...machine.environment, ...none, HTTPS_PROXY: server.url };
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
    assert.equal(unasked.code, 2, unasked.err);
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
    const resumed = await shell.run('optimize', skill, '--resume', '--preset', 'quick', '--rule', 'strict', '--yes');
    assert.equal(resumed.code, 0, resumed.err);
    assert.doesNotMatch(resumed.err, /--allow-login/);
    assert.match(resumed.out, /greeter improved from 0 %/);
    assert.match(resumed.out, /target claude-code\/simulated-1 \(2\.1\.325\)/);
    assert.match(resumed.out, new RegExp(`${paid} more from stored replies at no cost`));
    const starts = machine.starts();
    assert.match(resumed.out, new RegExp(`${starts.length} model calls, .* tokens`));
    for (const { words, environment: given } of starts) {
      assert.ok(given['CLAUDE_CODE_OAUTH_TOKEN']?.startsWith(token));
      assert.ok(!words.join(' ').includes(token));
    }
    for (const file of [...filesBelow(shell.folder), ...filesBelow(shell.home)])
      assert.ok(!readFileSync(file, 'latin1').includes(token), file);
  });

  // In the short numbers: the login of each program is asked for once, in the tests of such models.
  inFull('asks a person at the terminal once for both roles, and forgets the yes when it is told to', async () => {
    const asked = (...answers: readonly string[]): CommandLine =>
      aCommandLine({ model: 'none', environment, answers, at: { base: path.dirname(shell.folder) } });
    const roles = ['--target', 'claude-code/simulated-1', '--optimizer', 'claude-code', '--max-calls', '1'];
    const no = await asked('n').run('optimize', skill, ...asProgram, ...roles);
    assert.equal(no.code, 2, no.err);
    assert.equal(no.err.split('May your login to Claude Code be used?').length, 2, no.err);
    assert.match(no.err, /You have not allowed Whetstone to use your login to Claude Code/);
    assert.deepEqual(machine.starts(), []);

    const yes = await asked('y').run('optimize', skill, ...asProgram, ...roles);
    assert.match(yes.err, /may be used from now on\. “whetstone logins --forget” takes that back/);
    assert.equal(machine.starts().length, 1, yes.out + yes.err);
    assert.match((await shell.run('logins')).out, /^claude-code: your login to Claude Code may be used\./);

    assert.equal((await shell.run('logins', '--forget', 'codex')).code, 2);
    const forgotten = await shell.run('logins', '--forget', 'claude-code', '--json');
    assert.deepEqual(JSON.parse(forgotten.out), { allowed: [], forgotten: ['claude-code'] });
    assert.match((await shell.run('logins')).out, /^You have allowed no login yet\./);
    const again = await optimize('--max-calls', '1');
    assert.equal(again.code, 2, again.err);
    assert.equal(machine.starts().length, 1);
  });

  inFull('leaves a skill out of a night by name whose tasks need tools, and trains the others', async () => {
    const parcel = aSkillFolder(path.join(shell.folder, 'post'), {
      'SKILL.md': '---\nname: parcel\ndescription: Tracks parcels.\n---\n\nLook it up.\n',
      'evals/evals.json': {
        skill_name: 'parcel',
        evals: tasks.map((id) => ({ id, prompt: `Where is the parcel of the ${id} team?` })),
      },
      'evals/whetstone.json': aWhetstoneFile(
        Object.fromEntries(
          tasks.map((id) => [id, { environment: 'tools', tools: [aTool], checks: [{ check: 'contains', text: id }] }]),
        ),
      ),
    });
    const night = (...skills: readonly string[]): Promise<CommandResult> =>
      shell.run('night', ...skills, ...asProgram, '--allow-login', '--max-calls', '4');
    const both = await night(parcel, skill);
    assert.match(
      both.out,
      new RegExp(
        `parcel +skipped .*parcel: ${tasks.length} of its tasks need a model that calls tools, and claude-code/simulated-1`,
      ),
      both.err,
    );
    assert.match(both.out, /greeter +nothing/);
    assert.equal(machine.starts().length, 4);
    const none = await night(parcel);
    assert.equal(none.code, 2);
    assert.match(
      none.err,
      new RegExp(`parcel: ${tasks.length} of its tasks need a model that calls tools.*Choose another target`, 's'),
    );
  });

  it('is told by its plan and one limit before it begins, and by no unknown price', async () => {
    const { out } = await optimize('--allow-login', '--dry-run');
    assert.match(
      out,
      /^Usually about .* from your plan with Claude Code; at most .* from your plan with Claude Code\.$/m,
    );
    assert.equal(out.match(/capped|held to/g)?.length, 1, out);
    assert.doesNotMatch(out, /price|No cap is set/);
    const capped = await optimize('--allow-login', '--dry-run', '--max-calls', '4');
    assert.match(capped.out, /^Caps: 4 calls a run\.$/m);
    assert.doesNotMatch(capped.out, /capped|price/);
  });

  // Caps are held before a model of any kind is asked: in the short numbers, by a server and by two processes.
  inFull('is held by caps in calls as any model is, in however many starts at once', async () => {
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
