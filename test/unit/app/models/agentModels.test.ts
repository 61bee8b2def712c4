import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { agentAccess } from '../../../../src/app/models/agentAccess.js';
import { agentModel, discoverAgents, requestLogin } from '../../../../src/app/models/agentModels.js';
import { examineChosen } from '../../../../src/app/models/checkConnection.js';
import { chooseModels, knownSecrets, type ModelSurroundings } from '../../../../src/app/models/chooseModels.js';
import { priceLines, unpricedLines } from '../../../../src/app/models/modelNotes.js';
import type { ModelOffer } from '../../../../src/app/models/modelOffer.js';
import { unpricedLocal } from '../../../../src/app/models/serverCosts.js';
import { previewText } from '../../../../src/app/models/previewText.js';
import { refuseToolTasks } from '../../../../src/app/models/toolTasks.js';
import { AgentStandIn } from '../../../fakes/AgentStandIn.js';
import { ManualClock } from '../../../fakes/ManualClock.js';

const never = new AbortController().signal;
const token = 'sk-ant-oat01-planted-access-token';
const key = { ANTHROPIC_API_KEY: 'sk-ant-planted-key-0123456789' };
const specs = { target: 'claude-code/sonnet', optimizer: undefined, judge: undefined };

describe('an agent program, named as a model', () => {
  let machine: AgentStandIn;
  let state: string;
  let server: Server;
  let asked: string[];

  beforeEach(async () => {
    machine = new AgentStandIn('claude.cjs', 'claude');
    state = mkdtempSync(path.join(os.tmpdir(), 'whetstone-agents-'));
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    asked = [];
  });
  afterEach(() => {
    machine.remove();
    rmSync(state, { recursive: true, force: true });
    server.close();
  });

  for (const name of ['--dangerous', 'son\nnet', 'son\u001b[31mnet'])
    it(`is refused with a model that no program can be asked for: ${JSON.stringify(name)}`, async () => {
      await assert.rejects(agentModel(`claude-code/${name}`, here(key).agents, never), {
        code: 'model-refused',
        message: /begins with a hyphen or holds a line break/,
      });
    });

  for (const [spec, message] of [
    ['claude-code/', /No model stands behind the slash of “claude-code\/”/],
    ['claude-code/bad name!!', /“claude-code\/bad name!!” names no model: names have no blanks/],
    ['codex/gpt-5;rm', /names no model/],
  ] as const)
    it(`is refused where what is named can be no model: ${spec}`, async () => {
      await assert.rejects(agentModel(spec, here(key).agents, never), { code: 'model-refused', message });
    });

  it('is offered with its version and who pays for it', async () => {
    const [offer] = await discoverAgents(here(key).agents, never);
    assert.deepEqual(
      [offer?.kind, offer?.id, offer?.label, offer?.trouble],
      ['agent', 'claude-code', 'Claude Code', undefined],
    );
    assert.match(standing(offer), /^ready \d+\.\d+\.\d+ own-server$/);
    logIn();
    const [planned] = await discoverAgents(here({}).agents, never);
    // Its vendor's host is not reached from a test.
    assert.match(standing(planned), /^(?:ready|offline) \S+ subscription$/);
  });

  const states: readonly (readonly [string, () => Readonly<Record<string, string>>, RegExp, RegExp])[] = [
    ['is not installed', () => ({ ...key, PATH: state }), /^not-installed/, /npm install -g/],
    ['is too old', () => (says('1.0.0 (Claude Code)'), key), /^too-old 1\.0\.0/, /newer one/],
    ['is not logged in', () => ({}), /^not-logged-in/, /\/login/],
    [
      'is blocked',
      () => (says('Blocked by your organisation’s policy.', 1), key),
      /^blocked .*Blocked by your org/,
      /--version/,
    ],
    ['is offline', () => ({ ...key, ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' }), /^offline/, /network/],
  ];
  for (const [what, set, detail, cure] of states) {
    it(`${what}: the menu, the doctor and a run say so, with what to do`, async () => {
      const surroundings = here(set());
      const [offer] = await discoverAgents(surroundings.agents, never);
      assert.ok(offer?.trouble !== undefined);
      assert.match(standing(offer), detail);
      assert.match(offer.trouble.cure, cure);
      assert.doesNotMatch(offer.trouble.what, /\.\.$/);
      const [report] = await examine(surroundings);
      const failure = report?.findings.find((finding) => finding.state === 'failed');
      assert.deepEqual(
        { what: failure?.what, cure: failure?.cure },
        { what: offer.trouble.what, cure: offer.trouble.cure },
      );
      const reaching = chooseModels(specs, surroundings).then(({ target }) => target.reach?.(never));
      await assert.rejects(reaching, { message: offer.trouble.what, cure: offer.trouble.cure });
      assert.deepEqual(machine.starts(), []);
    });
  }

  it('answers in every role, and the doctor asks it for a word', async () => {
    machine.behaves({ kind: 'answer', text: 'ready' });
    const surroundings = here(key);
    const { target, judge } = await chooseModels(specs, surroundings);
    assert.ok(judge === target);
    assert.match(target.identity.options ?? '', /^version=/);
    assert.equal(await target.reach?.(never), true);
    const [report] = await examine(surroundings);
    assert.deepEqual(
      report?.findings.map(({ check, state: found }) => [check, found]),
      [
        ['installed', 'ok'],
        ['login', 'ok'],
        ['tiny call', 'ok'],
      ],
    );
  });

  it('asks for the login once for each program, remembers a yes for good, and a no not at all', async () => {
    logIn();
    const refused = here({}, false);
    assert.equal(await requestLogin('claude-code', refused.agents, never), false);
    assert.deepEqual(await knownSecrets(specs, refused), []);
    const allowed = here({}, true);
    assert.equal(await requestLogin('claude-code/sonnet', allowed.agents, never), true);
    assert.equal(await requestLogin('claude-code/opus', allowed.agents, never), true);
    assert.deepEqual(asked, ['Claude Code', 'Claude Code']);
    assert.equal(await requestLogin('claude-code', here({}, false).agents, never), true);
    assert.deepEqual(await knownSecrets(specs, here({}, false)), [token]);
    assert.equal(asked.length, 2);
  });

  it('asks nobody where a key is there, or the model is no program', async () => {
    assert.equal(await requestLogin('claude-code', here(key, false).agents, never), true);
    assert.equal(await requestLogin('ollama/llama3.2', here({}, false).agents, never), true);
    assert.equal(await requestLogin('', here({}, false).agents, never), true);
    assert.deepEqual(await knownSecrets(specs, here(key, false)), [key.ANTHROPIC_API_KEY]);
    assert.deepEqual(asked, []);
  });

  it('says before a run what is taken from a plan, and holds the run to its calls', async () => {
    logIn();
    const planned = await chooseModels(specs, here({}, true));
    assert.deepEqual(priceLines(planned, {}), [], 'said with what holds the run');
    const held = unpricedLocal(planned, {});
    assert.match(
      unpricedLines(held, 1234).join(),
      /takes its calls and tokens from your plan with Claude Code: .* capped at 1,234 calls/,
    );
    assert.match(unpricedLines(held, 1234, 40).join(), /from your plan .* money is not\.$/); // the cap is told as such
    const paid = await chooseModels(specs, here(key));
    assert.match(
      unpricedLines(unpricedLocal(paid, {}), 7).join(),
      /price .* is not known before it is asked: .* 7 calls/,
    );
  });

  it('is looked at afresh whenever a menu is opened', async () => {
    const surroundings = here({ ...key, PATH: state });
    const [before] = await discoverAgents(surroundings.agents, never);
    assert.match(standing(before), /^not-installed/);
    symlinkSync(
      path.join(machine.environment['PATH']?.split(path.delimiter)[0] ?? '', 'claude'),
      path.join(state, 'claude'),
    );
    symlinkSync(process.execPath, path.join(state, 'node'));
    const [after] = await discoverAgents(surroundings.agents, never);
    assert.match(standing(after), /^ready/);
  });

  for (const [written, meant] of [
    ['claude/sonnet', 'claude-code/sonnet'],
    ['codexx', 'codex'],
    ['Claude-Code', 'claude-code'],
    ['handof', 'handoff'],
    ['copilot', 'copilot-cli'],
  ])
    it(`is guessed where its name is written as ${written}`, async () => {
      const chosen = chooseModels({ ...specs, target: written }, here(key));
      await assert.rejects(chosen, { cure: new RegExp(`^Did you mean ${meant}\\? Write one of: `) });
    });

  it('is named by its label where it is told who gets a request', () => {
    const request = {
      role: 'target',
      about: 'a task',
      model: 'codex',
      url: 'agent:codex',
      body: {},
      redacted: [],
    } as const;
    assert.match(previewText([request]), /^codex: handed to Codex$/m);
  });

  it('is refused as the target of tasks with tools before anything is asked, with their names', async () => {
    const models = await chooseModels(specs, here(key));
    const tasks = [
      { id: 'look-up', environment: 'tools' },
      { id: 'plain', environment: 'chat' },
    ];
    assert.throws(() => refuseToolTasks(tasks, models), {
      message: /calls no tools, and the task look-up needs a model that does\./,
      cure: /leave these tasks out/,
    });
  });

  function here(more: Readonly<Record<string, string>>, answer = true): ModelSurroundings {
    const environment = { ...machine.environment, WHETSTONE_HOME: state, ...address(), ...more };
    const world = {
      environment,
      platform: process.platform,
      home: machine.home,
      clock: new ManualClock(Date.now()),
      trusted: () => true,
    };
    const ask = (label: string): Promise<boolean> => Promise.resolve((asked.push(label), answer));
    return { environment, fetch: globalThis.fetch, agents: agentAccess({ world, ask }) };
  }

  /** A server that nothing is asked of: connecting is all that is tried. */
  function address(): Readonly<Record<string, string>> {
    const there = server.address();
    return there !== null && typeof there === 'object' ? { ANTHROPIC_BASE_URL: `http://127.0.0.1:${there.port}` } : {};
  }

  function logIn(): void {
    machine.keeps('.claude/.credentials.json', {
      claudeAiOauth: { accessToken: token, refreshToken: 'never-read', expiresAt: Date.now() + 3_600_000 },
    });
  }

  /** Another program of that name, which says this of its version. */
  function says(version: string, code = 0): void {
    const place = path.join(machine.environment['PATH']?.split(path.delimiter)[0] ?? '', 'claude');
    rmSync(place);
    writeFileSync(place, `#!/usr/bin/env node\nconsole.log(${JSON.stringify(version)}); process.exit(${code});\n`);
    chmodSync(place, 0o755);
  }
});

function standing(offer: ModelOffer | undefined): string {
  const state = offer?.standing?.state;
  if (state === undefined) return '';
  const about = { version: '', login: '', why: '', ...state };
  return [about.kind, about.version, about.login, about.why]
    .filter((part) => part !== '' && part !== undefined)
    .join(' ');
}

function examine(surroundings: ModelSurroundings): ReturnType<typeof examineChosen> {
  const whole = { ...surroundings, clock: new ManualClock(0), remoteName: undefined, proxyAware: false };
  return examineChosen(specs, whole, (model) => model, never);
}
