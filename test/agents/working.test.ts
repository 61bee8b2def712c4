import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { ModelError, type ModelErrorKind } from '../../src/errors.js';
import type { AgentWork, WorkLeft } from '../../src/ports/agentWork.js';
import type { ModelReply, ModelRequest } from '../../src/ports/languageModel.js';
import { aWorkTree } from '../builders/aWorkTree.js';
import { someWorkplaces } from '../builders/someWorkplaces.js';
import { aRequest } from '../fakes/ScriptedModel.js';
import { plantEverything } from './plantedHome.js';
import { AgentMachine, installedKinds, realAgents } from './realAgents.js';
import { ruleOf, skilledModel } from './skilledModel.js';
import { wireUsage } from './wireFormats.js';

const { signal } = new AbortController();
const name = 'release-notes';
const body = `---\nname: ${name}\ndescription: How entries of NOTES.md are written. Use it for every entry.\n---\n\n# Notes\n\n${ruleOf('- [fix] ')}\n`;
/** The fixture's own test: a line in the form that the skill asks for. */
const check = "#!/bin/sh\ngrep -qx -e '- \\[fix\\] add is right' NOTES.md\n";
const fixture = aWorkTree({ 'calc.py': 'def add(a, b):\n    return a + b\n', 'check.sh*': check });
const limits = { maxTokens: 200_000, maxTurns: 20, timeLimitMs: 300_000 };
const judges = [{ command: './check.sh', arguments: [], timeLimitMs: 20_000 }];
const withSkill: Partial<AgentWork> = { skill: { name, files: aWorkTree({ 'SKILL.md': body }) } };

function someRequest(work: Partial<AgentWork>): ModelRequest {
  const content = 'Write an entry about “add is right” to NOTES.md.';
  const whole = { fixture, skill: undefined, mode: 'offered', limits, judges, ...work } as const;
  return { ...aRequest({ messages: [{ role: 'user', content }] }), work: whole };
}

function usesIn({ events }: WorkLeft): readonly string[] {
  return events.flatMap((event) => (event.kind === 'skill' ? [`${event.name} by ${event.how}`] : []));
}

function codeOf({ judged: [first] }: WorkLeft): number | undefined {
  return first?.kind === 'exited' ? first.code : undefined;
}

const failures: readonly (readonly [number, ModelErrorKind])[] = [
  [401, 'auth'],
  [429, 'rate-limit'],
  [500, 'unavailable'],
];

for (const kind of installedKinds)
  describe(`${kind.label} itself at work in the sandbox`, () => {
    let machine: AgentMachine;
    before(async () => {
      machine = await AgentMachine.start(kind);
      plantEverything(machine.home, machine.place('outside/ran.txt'));
    });
    after(() => machine.stop());

    const worked = async (work: Partial<AgentWork>): Promise<ModelReply & { readonly work: WorkLeft }> => {
      machine.server.asked.length = 0;
      machine.server.behaves(skilledModel(kind.id, name));
      const workplaces = someWorkplaces({ environment: machine.environment }, [machine.home]);
      const { work: left, ...reply } = await (
        await machine.model(undefined, workplaces)
      ).complete(someRequest(work), signal);
      assert.ok(left !== undefined);
      for (const { text } of machine.server.asked) assert.doesNotMatch(text, /PLANTED/u);
      assert.ok(!existsSync(machine.place('outside/ran.txt')));
      assert.deepEqual(left.changed, [{ path: 'NOTES.md', change: 'added' }]);
      assert.doesNotMatch(JSON.stringify([reply, left]), /planted-key/u);
      assert.deepEqual(left.refusedHosts, []);
      return { ...reply, work: left };
    };

    it('uses a skill that it is offered, and what it leaves passes the fixture’s own test', async () => {
      const { text, usage, work } = await worked(withSkill);
      assert.deepEqual(usesIn(work), [`${name} by ${kind.id === 'codex' ? 'read' : 'tool'}`]);
      assert.equal(codeOf(work), 0);
      assert.match(text, /NOTES\.md says: - \[fix\] add is right/u);
      assert.match(work.diff, /^\+- \[fix\] add is right$/mu);
      const calls = machine.server.asked.length;
      assert.equal(usage.inputTokens, calls * wireUsage.input);
      assert.equal(usage.outputTokens, calls * wireUsage.output);
      assert.ok(usage.exact);
      assert.ok(work.events.some((event) => event.kind === 'tool' && event.command?.includes('NOTES.md') === true));
    }).timeout(600_000);

    it('follows a skill that it is forced to', async () => {
      const { work } = await worked({ ...withSkill, mode: 'forced' });
      assert.ok(usesIn(work).some((use) => use.startsWith(name)));
      assert.equal(codeOf(work), 0);
    }).timeout(600_000);

    it('has nothing of the skill without it, with one of that name in the person’s home', async () => {
      const { work } = await worked({});
      assert.deepEqual(usesIn(work), []);
      assert.equal(codeOf(work), 1);
      assert.match(work.diff, /^\+\* add is right$/mu);
      for (const { text } of machine.server.asked) assert.ok(!text.includes(name));
    }).timeout(600_000);

    for (const [status, error] of failures)
      it(`is no attempt where its server answers ${status}: ${error}`, async () => {
        machine.server.behaves({ kind: 'status', status });
        const model = await machine.model(undefined, someWorkplaces({ environment: machine.environment }));
        const result = await model.complete(someRequest(withSkill), signal).catch((each: unknown) => each);
        assert.ok(result instanceof ModelError, JSON.stringify(result));
        assert.equal(result.kind, error, result.message);
        assert.doesNotMatch(result.message, /planted-key/u);
      }).timeout(600_000);

    it('is no attempt where its server never answers', async () => {
      machine.server.behaves({ kind: 'hang' });
      const model = await machine.model(undefined, someWorkplaces({ environment: machine.environment }));
      const result = model.complete({ ...someRequest(withSkill), timeoutMs: 15_000 }, signal);
      await assert.rejects(result, { kind: 'timeout' });
    }).timeout(600_000);

    it('is ended where its model asks for tools for ever: at its turns, and at its tokens where it tells them', async () => {
      const call = realAgents[kind.id]?.run('echo again >> NOTES.md');
      assert.ok(call !== undefined);
      machine.server.behaves({ kind: 'works', next: () => ({ text: 'Again.', calls: [call] }) });
      const model = await machine.model(undefined, someWorkplaces({ environment: machine.environment }));
      const ended = async (work: Partial<AgentWork['limits']>): Promise<WorkLeft['ended'] | undefined> => {
        machine.server.asked.length = 0;
        const reply = await model.complete(someRequest({ limits: { ...limits, ...work } }), signal);
        assert.equal(reply.finish, 'length');
        assert.deepEqual(reply.work?.judged, []);
        return reply.work.ended;
      };
      assert.equal(await ended({ maxTurns: 3 }), 'turns');
      assert.ok(machine.server.asked.length <= 5, `${machine.server.asked.length} were asked`);
      if (kind.id !== 'claude-code' && kind.id !== 'opencode') return;
      assert.equal(await ended({ maxTokens: 3 * (wireUsage.input + wireUsage.output) }), 'tokens');
      assert.ok(machine.server.asked.length <= 6, `${machine.server.asked.length} were asked`);
    }).timeout(600_000);
  });
