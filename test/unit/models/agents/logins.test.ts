import assert from 'node:assert/strict';
import { agentKinds } from '../../../../src/models/agents/agentKinds.js';
import type { AgentKind } from '../../../../src/models/agents/agentKind.js';
import { createAgentModel } from '../../../../src/models/agents/agentModel.js';
import { inspectAgent } from '../../../../src/models/agents/inspectAgent.js';
import type { AgentId } from '../../../../src/ports/agentPrograms.js';
import { AgentStandIn, FakeAgentConsent, type StandInStart } from '../../../fakes/AgentStandIn.js';
import { aRequest } from '../../../fakes/ScriptedModel.js';
import { programsOn, standIns } from './standIns.js';
import { few } from '../../../builders/few.js';

const { signal } = new AbortController();
const soon = Date.now() + 3_600_000;

/** What a program keeps of a login, and how it is handed over. */
interface KeptLogin {
  readonly id: AgentId;
  readonly model?: string;
  readonly file: string;
  readonly content: (until: number) => unknown;
  readonly handed: (start: StandInStart) => string | undefined;
}

const logins: readonly KeptLogin[] = [
  {
    id: 'claude-code',
    file: '.claude/.credentials.json',
    content: (expiresAt) => ({
      claudeAiOauth: { accessToken: 'planted-access', refreshToken: 'planted-refresh', expiresAt },
    }),
    handed: ({ environment }) => environment['CLAUDE_CODE_OAUTH_TOKEN'],
  },
  {
    id: 'codex',
    file: '.codex/auth.json',
    content: (until) => ({
      OPENAI_API_KEY: null,
      tokens: { id_token: 'an-id', access_token: aToken(until), refresh_token: 'planted-refresh', account_id: 'me' },
    }),
    handed: ({ files }) => files['auth.json'],
  },
  {
    id: 'gemini-cli',
    file: '.gemini/oauth_creds.json',
    content: (expiry_date) => ({ access_token: 'planted-access', refresh_token: 'planted-refresh', expiry_date }),
    handed: ({ environment }) => environment['GOOGLE_CLOUD_ACCESS_TOKEN'],
  },
  {
    id: 'opencode',
    model: 'anthropic/claude-sonnet-5',
    file: '.local/share/opencode/auth.json',
    content: (expires) => ({
      openai: { type: 'api', key: 'planted-of-another-provider' },
      anthropic: { type: 'oauth', access: 'planted-access', refresh: 'planted-refresh', expires },
    }),
    handed: ({ environment }) => environment['OPENCODE_AUTH_CONTENT'],
  },
];

for (const login of logins) {
  const kind = kindOf(login.id);

  describe(`the login that ${kind.label} keeps`, () => {
    let machine: AgentStandIn;
    beforeEach(() => {
      machine = new AgentStandIn(standIns[kind.id].script, kind.commands[0] ?? '');
    });
    afterEach(() => machine.remove());

    it('is handed over as an access token alone, once the person allowed it, and never in an argument', async () => {
      machine.keeps(login.file, login.content(soon));
      const consent = new FakeAgentConsent();
      const { usage } = await (
        await modelOn(machine, kind, { consent, model: login.model })
      ).complete(aRequest(), signal);
      const start = machine.starts().at(-1);
      assert.ok(start !== undefined);
      assert.match(login.handed(start) ?? '', /planted-access/);
      assert.doesNotMatch(JSON.stringify(start), /planted-refresh|planted-of-another/);
      assert.doesNotMatch(JSON.stringify(start.words), /planted/);
      assert.equal(consent.asked, 1);
      assert.equal(usage.usd, undefined); // a subscription is paid already
    });

    it('is not handed over where the person did not allow it, and then a person is needed', async () => {
      machine.keeps(login.file, login.content(soon));
      const model = await modelOn(machine, kind, { consent: new FakeAgentConsent(false), model: login.model });
      await assert.rejects(model.complete(aRequest(), signal), { kind: 'auth', message: /not allowed/ });
      assert.equal(machine.starts().length, 0);
      assert.equal(model.needsPerson?.()?.code, 'model-refused');
    });

    it('that has run out ends the call with what to do', async () => {
      machine.keeps(login.file, login.content(Date.now() - 1000));
      const model = await modelOn(machine, kind, { consent: new FakeAgentConsent(), model: login.model });
      await assert.rejects(model.complete(aRequest(), signal), { kind: 'auth', cure: /once, which renews it/ });
    });

    it('that is half a file is none', async () => {
      machine.keeps(login.file, '{"tokens":');
      const { environment } = machine;
      const programs = programsOn(machine, kind.id);
      const sources = { environment, programs, consent: new FakeAgentConsent() };
      assert.equal((await inspectAgent(kind, sources, signal)).kind, 'not-logged-in');
    });
  });
}

describe('what cannot be a token, or an address', () => {
  for (const key of few(['planted\nkey', 'planted\u0000key', 'planted'.repeat(3_000)]))
    it(`is a login that cannot be read, and is not told: ${JSON.stringify(key).slice(0, 20)}`, async () => {
      const said = await told({ ANTHROPIC_API_KEY: key });
      assert.match(said, /the login cannot be read.*"not-logged-in".*the login cannot be read.*Log in again/s);
      assert.doesNotMatch(said, /planted/);
    });

  for (const server of few(['file:///etc/passwd', 'nowhere', 'ftp://host/']))
    it(`is told with the variable: ${server}`, async () => {
      const said = await told({ ANTHROPIC_API_KEY: 'sk-planted-key-0123456789', ANTHROPIC_BASE_URL: server });
      assert.match(said, /ANTHROPIC_BASE_URL holds no address.*"not-logged-in".*begins with http/s);
    });
});

describe('a key of the environment', () => {
  it('of one provider is none for a model of another', async () => {
    const kind = kindOf('opencode');
    const machine = new AgentStandIn(standIns[kind.id].script, 'opencode');
    try {
      machine.environment['OPENAI_API_KEY'] = 'sk-planted-key-0123456789';
      const model = await modelOn(machine, kind, {
        consent: new FakeAgentConsent(),
        model: 'anthropic/claude-sonnet-5',
      });
      const reach = model.reach?.(signal) ?? Promise.resolve(true);
      await assert.rejects(reach, {
        kind: 'auth',
        message: /cannot be asked: there is no login/,
        cure: /^Log in: run “opencode/,
      });
    } finally {
      machine.remove();
    }
  });

  for (const kind of agentKinds.filter(({ toolsOff }) => toolsOff === 'yes'))
    it(`of ${kind.label} needs no person and no yes, and no other program’s key goes with it`, async () => {
      const machine = new AgentStandIn(standIns[kind.id].script, kind.commands[0] ?? '');
      try {
        const [[name, value] = []] = Object.entries(standIns[kind.id].key);
        assert.ok(name !== undefined && value !== undefined);
        for (const other of agentKinds)
          for (const way of other.waysIn)
            if (!/URL|CONTENT/.test(way) && !kind.waysIn.includes(way)) machine.environment[way] = `others-${way}`;
        machine.environment[name] = value;
        const consent = new FakeAgentConsent(false);
        const model = await modelOn(machine, kind, { consent, model: undefined });
        await model.complete(aRequest(), signal);
        const start = machine.starts().at(-1);
        assert.equal(start?.environment[name], value);
        assert.doesNotMatch(JSON.stringify(start), /others-/);
        assert.equal(consent.asked, 0);
        assert.equal(model.needsPerson?.(), undefined);
      } finally {
        machine.remove();
      }
    });
});

function kindOf(id: AgentId): AgentKind {
  const kind = agentKinds.find((each) => each.id === id);
  if (kind === undefined) throw new Error(`There is no ${id}.`);
  return kind;
}

/** What a call and the state say. */
async function told(environment: Readonly<Record<string, string>>): Promise<string> {
  const machine = new AgentStandIn('claude.cjs', 'claude');
  try {
    Object.assign(machine.environment, environment);
    const programs = programsOn(machine, 'claude-code');
    const sources = { environment: machine.environment, programs, consent: new FakeAgentConsent() };
    const model = await modelOn(machine, kindOf('claude-code'), { ...sources, model: undefined });
    const said = await model.complete(aRequest(), signal).catch((error: unknown) => error);
    const state = await inspectAgent(kindOf('claude-code'), sources, signal);
    assert.equal(machine.starts().length, 0);
    return `${String(said)} ${JSON.stringify(state)}`;
  } finally {
    machine.remove();
  }
}

async function modelOn(
  machine: AgentStandIn,
  kind: AgentKind,
  { consent, model }: { readonly consent: FakeAgentConsent; readonly model: string | undefined },
) {
  const { environment } = machine;
  const sources = { environment, consent, programs: programsOn(machine, kind.id) };
  const program = await sources.programs.find(kind);
  if (program === undefined) throw new Error('The stand-in was not found.');
  return createAgentModel(kind, sources, { installed: { version: kind.oldest, program }, model });
}

/** A JSON web token that runs out then. */
function aToken(until: number): string {
  const claims = Buffer.from(JSON.stringify({ exp: Math.floor(until / 1000) })).toString('base64url');
  return `planted-access.${claims}.sign`;
}
