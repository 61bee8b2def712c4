import assert from 'node:assert/strict';
import { agentKinds } from '../../../../src/models/agents/agentKinds.js';
import type { AgentKind } from '../../../../src/models/agents/agentKind.js';
import { createAgentModel } from '../../../../src/models/agents/agentModel.js';
import { bookedUsage } from '../../../../src/models/bookedUsage.js';
import { guessInputTokens, guessTokens, worstUsage } from '../../../../src/models/tokens.js';
import { withBudget } from '../../../../src/models/wrappers/withBudget.js';
import type { LanguageModel } from '../../../../src/ports/languageModel.js';
import { AgentStandIn, FakeAgentConsent } from '../../../fakes/AgentStandIn.js';
import { ManualClock } from '../../../fakes/ManualClock.js';
import { MemoryLedger } from '../../../fakes/MemoryLedger.js';
import { aRequest } from '../../../fakes/ScriptedModel.js';
import { programsOn, standIns } from './standIns.js';

const { signal } = new AbortController();
const question = 'Tell me what the harbour looks like at dawn. '.repeat(580); // 26 KB
const text = 'The harbour is quiet, and the boats lie side by side. '.repeat(280).trim(); // 15 KB
const request = aRequest({ messages: [{ role: 'user', content: question }], maxOutputTokens: 8_192 });
const asked = guessInputTokens(request);
const answered = guessTokens(text);

for (const known of agentKinds) {
  const kind: AgentKind = { ...known, toolsOff: 'yes' };

  describe(`what a call through ${kind.label} is booked at`, () => {
    let machine: AgentStandIn;
    beforeEach(() => {
      const { script, key } = standIns[kind.id];
      machine = new AgentStandIn(script, kind.commands[0] ?? '');
      Object.assign(machine.environment, key);
    });
    afterEach(() => machine.remove());

    it('is what it tells where that can be, and our own count where no tokenizer makes so little of it', async () => {
      const model = modelOn(machine, kind);
      machine.behaves({ kind: 'answer', text, told: { input: 6_001, output: 3_602 } });
      const { usage: honest } = await model.complete(request, signal);
      assert.deepEqual([honest.inputTokens, honest.outputTokens, honest.exact], [6_001, 3_602, true]);
      machine.behaves({ kind: 'answer', text, told: { input: 1, output: 1 } });
      const { usage } = await model.complete(request, signal);
      assert.deepEqual(
        [usage.inputTokens, usage.outputTokens, usage.exact],
        [asked + kind.addsTokens, answered, false],
      );
      const worst = worstUsage(request, model);
      assert.ok(usage.inputTokens <= worst.inputTokens && usage.outputTokens <= worst.outputTokens);
    });
  });
}

describe('a cap in tokens on calls through a program', () => {
  it('holds also where its server says that they took next to nothing', async () => {
    const [kind] = agentKinds;
    assert.ok(kind !== undefined);
    const { script, key } = standIns[kind.id];
    const machine = new AgentStandIn(script, kind.commands[0] ?? '');
    Object.assign(machine.environment, key);
    try {
      machine.behaves({ kind: 'answer', text, told: { input: 1, output: 1 } });
      const model = modelOn(machine, kind);
      const worst = worstUsage(request, model);
      const one = worst.inputTokens + worst.outputTokens;
      const taken = asked + kind.addsTokens + answered;
      const ledger = new MemoryLedger(new ManualClock());
      const caps = { run: { tokens: one + taken }, day: {}, month: {} };
      const held = withBudget(model, { ledger, runId: 'r', caps, price: undefined });
      await held.complete(request, signal);
      await held.complete({ ...request, attempt: 1 }, signal);
      await assert.rejects(held.complete({ ...request, attempt: 2 }, signal), { kind: 'cap' });
      assert.equal(machine.starts().length, 2);
      assert.equal((await ledger.spentInRun('r')).tokens, 2 * taken);
    } finally {
      machine.remove();
    }
  });

  it('is never passed by what stands in for a figure that cannot be: that is within what was set aside', () => {
    const texts = [
      '',
      'a',
      '1',
      '漢字かな交じり文',
      'aaaaaaaaaaaaaaaaaaaaaaaaaaaa',
      '12345678901',
      '{"a":[1,2,3]}',
      '\n\n\t  \t',
      '😀 é ß ǅ',
    ];
    for (const content of texts) {
      const some = aRequest({ messages: [{ role: 'user', content: content.repeat(50) }] });
      const said = { input: 1, output: 1, total: undefined, usd: undefined };
      const booked = bookedUsage(said, { request: some, received: '', added: 300 });
      const set = worstUsage(some, { takesMore: () => ({ inputTokens: 600, outputTokens: 0 }) });
      assert.ok(booked.inputTokens <= set.inputTokens, content);
    }
  });
});

function modelOn(machine: AgentStandIn, kind: AgentKind): LanguageModel {
  const { environment } = machine;
  const command = `${environment['PATH']?.split(':')[0] ?? ''}/${kind.commands[0] ?? ''}`;
  const installed = { version: kind.oldest, program: { path: command, command, before: [] } };
  const programs = programsOn(machine, kind.id);
  const limits = { firstByteMs: 20_000, idleMs: 20_000, totalMs: 30_000 };
  return createAgentModel(
    kind,
    { environment, programs, consent: new FakeAgentConsent() },
    { installed, model: 'some-model', limits },
  );
}
