import assert from 'node:assert/strict';
import { claudeCode } from '../../../../src/models/agents/claudeCode.js';
import { createAgentModel } from '../../../../src/models/agents/agentModel.js';
import { inspectAgent } from '../../../../src/models/agents/inspectAgent.js';
import { nodeAgentPrograms } from '../../../../src/storage/programs/agentPrograms.js';
import { AgentStandIn, FakeAgentConsent } from '../../../fakes/AgentStandIn.js';
import { aRequest } from '../../../fakes/ScriptedModel.js';

const { signal } = new AbortController();

describe('the login of Claude Code', () => {
  let machine: AgentStandIn;
  beforeEach(() => {
    machine = new AgentStandIn('claude.cjs', 'claude');
  });
  afterEach(() => machine.remove());

  const keeps = (expiresAt: number): void =>
    machine.keeps('.claude/.credentials.json', {
      claudeAiOauth: { accessToken: 'planted-access-token', refreshToken: 'planted-refresh-token', expiresAt },
    });

  const asked = async (consent: FakeAgentConsent) => {
    const { environment } = machine;
    const sources = { environment, consent, programs: nodeAgentPrograms({ environment, workspace: () => [] }) };
    const program = await sources.programs.find(claudeCode);
    assert.ok(program !== undefined);
    const model = createAgentModel(claudeCode, sources, { installed: { version: '1.0.0', program }, model: undefined });
    return { sources, model, reply: model.complete(aRequest(), signal) };
  };

  it('is handed over as an access token alone, once the person allowed it', async () => {
    keeps(Date.now() + 3_600_000);
    const consent = new FakeAgentConsent();
    const { usage } = await (await asked(consent)).reply;
    const [start] = machine.starts();
    assert.equal(start?.environment['CLAUDE_CODE_OAUTH_TOKEN'], 'planted-access-token');
    assert.doesNotMatch(JSON.stringify(start), /planted-refresh-token/);
    assert.doesNotMatch(JSON.stringify(start.words), /planted/);
    assert.equal(consent.asked, 1);
    assert.equal(usage.usd, undefined); // a subscription is paid already
  });

  it('is not handed over where the person did not allow it, and then a person is needed', async () => {
    keeps(Date.now() + 3_600_000);
    const { model, reply } = await asked(new FakeAgentConsent(false));
    await assert.rejects(reply, { kind: 'auth', message: /not allowed/ });
    assert.equal(machine.starts().length, 0);
    assert.equal(model.needsPerson?.()?.code, 'model-failed');
  });

  it('that has run out ends the call with what to do', async () => {
    keeps(Date.now() - 1000);
    const { sources, reply } = await asked(new FakeAgentConsent());
    await assert.rejects(reply, { kind: 'auth', cure: /Start “claude” once/ });
    assert.equal((await inspectAgent(claudeCode, sources, signal)).kind, 'not-logged-in');
  });

  it('needs no person and no yes where a key is in the environment, which is told what it costs', async () => {
    machine.environment['ANTHROPIC_API_KEY'] = 'sk-ant-planted-key-0123456789';
    const consent = new FakeAgentConsent(false);
    const { model, reply } = await asked(consent);
    assert.deepEqual((await reply).usage, { inputTokens: 240, outputTokens: 12, exact: true, usd: 0.004 });
    assert.equal(consent.asked, 0);
    assert.equal(model.needsPerson?.(), undefined);
  });
});
