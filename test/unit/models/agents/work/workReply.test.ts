import assert from 'node:assert/strict';
import { ModelError, type ModelErrorKind } from '../../../../../src/errors.js';
import { agentKinds } from '../../../../../src/models/agents/agentKinds.js';
import { createAgentModel } from '../../../../../src/models/agents/agentModel.js';
import { FailedCall } from '../../../../../src/models/wrappers/failedCall.js';
import { withBudget } from '../../../../../src/models/wrappers/withBudget.js';
import { withCache } from '../../../../../src/models/wrappers/composeModel.js';
import { replyKeys } from '../../../../../src/models/wrappers/replyKey.js';
import type { AgentId } from '../../../../../src/ports/agentPrograms.js';
import type { AgentWork, WorkLeft } from '../../../../../src/ports/agentWork.js';
import type { LanguageModel, ModelReply, ModelRequest } from '../../../../../src/ports/languageModel.js';
import { aWorkTree } from '../../../../builders/aWorkTree.js';
import { neverAborted } from '../../../../builders/storage.js';
import { FakeAgentConsent } from '../../../../fakes/AgentStandIn.js';
import { ManualClock } from '../../../../fakes/ManualClock.js';
import { MemoryLedger } from '../../../../fakes/MemoryLedger.js';
import { MemoryReplyStore } from '../../../../fakes/MemoryReplyStore.js';
import { aRequest } from '../../../../fakes/ScriptedModel.js';
import { ScriptedWorkplaces, type PlayedWork } from '../../../../fakes/ScriptedWorkplaces.js';
import { standIns } from '../standIns.js';
import { copilotUsage, recordedLines, recordedUsage, workers, type Worker } from './recordedWork.js';

const skill = { name: 'release-notes', files: aWorkTree({ 'SKILL.md': '# Notes\n' }) };
const judge = { command: 'node', arguments: ['--test'], timeLimitMs: 1000 };

function someRequest(work: Partial<AgentWork> = {}, rest: Partial<ModelRequest> = {}): ModelRequest {
  const limits = { maxTokens: 200_000, maxTurns: 30, timeLimitMs: 60_000 };
  const whole = {
    fixture: aWorkTree({ 'a.txt': 'a\n' }),
    skill,
    mode: 'offered',
    limits,
    judges: [judge],
    ...work,
  } as const;
  return { ...aRequest({ messages: [{ role: 'user', content: 'Write the entry.' }] }), work: whole, ...rest };
}

type Agent = ConstructorParameters<typeof ScriptedWorkplaces>[0]['agent'];

function modelOf(
  id: AgentId,
  agent: Agent,
  more: { readonly keepLines?: (lines: readonly string[]) => Promise<string> } = {},
) {
  const kind = agentKinds.find((each) => each.id === id);
  assert.ok(kind !== undefined);
  const workplaces = new ScriptedWorkplaces({ agent });
  const sources = {
    environment: { HOME: '/home/person', ...standIns[id].key },
    consent: new FakeAgentConsent(),
    programs: {
      find: () => Promise.resolve(undefined),
      findInWorkspace: () => Promise.resolve(undefined),
      run: () => Promise.reject(new Error('nothing is started outside of a workplace')),
      readOwn: () => Promise.resolve(undefined),
    },
    workplaces,
    ...more,
  };
  const program = { path: '/bin/agent', command: '/bin/agent', before: [] };
  const model = createAgentModel(kind, sources, { installed: { program, version: kind.oldest }, model: 'some-model' });
  return { model, workplaces };
}

/** Does what was recorded, as far as a test lets it. */
function played(worker: Worker, lines = Infinity): Agent {
  return ({ say, files, signal }: PlayedWork) => {
    files.set('CHANGELOG.md', '- Fixed add\n');
    for (const line of recordedLines(worker).slice(0, lines)) if (!signal.aborted) say(line);
    return { kind: 'exited', code: 0, left: worker === 'copilot-cli' ? { 'usage.json': copilotUsage } : {} };
  };
}

const forEver: () => Promise<void> = () => new Promise(() => undefined);

async function failureOf(model: LanguageModel, request = someRequest()): Promise<FailedCall> {
  const result = await model.complete(request, neverAborted).catch((error: unknown) => error);
  assert.ok(result instanceof FailedCall, String(result));
  return result;
}

/** Of one that tells a failure after its model has answered. */
function laterFailure(id: Worker, line: string): Promise<FailedCall> {
  const { model } = modelOf(id, ({ say }) => {
    for (const each of [...recordedLines(id).slice(0, 8), line]) say(each);
    return { kind: 'exited', code: 1, left: {} };
  });
  return failureOf(model);
}

function workOf({ work }: ModelReply): WorkLeft {
  assert.ok(work !== undefined);
  return work;
}

for (const worker of workers)
  describe(`${worker} at work`, () => {
    it('gives its last words, what it used, what it did, what it left and what the judges say', async () => {
      const { model, workplaces } = modelOf(worker, played(worker));
      const reply = await model.complete(someRequest(), neverAborted);
      assert.equal(reply.text, 'I wrote CHANGELOG.md.');
      assert.equal(reply.finish, 'stop');
      const { inputTokens, outputTokens, exact } = reply.usage;
      assert.deepEqual({ inputTokens, outputTokens, exact }, { ...recordedUsage, exact: true });
      const work = workOf(reply);
      assert.equal(work.ended, 'done');
      assert.deepEqual(work.events.at(-1), { kind: 'end', ok: true, reason: 'done' });
      assert.deepEqual(work.changed, [{ path: 'CHANGELOG.md', change: 'added' }]);
      assert.deepEqual(workplaces.judged, [judge]);
      assert.equal(work.judged.length, 1);
      assert.equal(workplaces.stillOpen, 0);
    });

    it('has the skill where it reads one, and nothing of it without', async () => {
      const { model, workplaces } = modelOf(worker, played(worker));
      await model.complete(someRequest(), neverAborted);
      await model.complete(someRequest({ skill: undefined, mode: 'forced' }), neverAborted);
      const [plan, without] = workplaces.plans;
      assert.equal(plan?.skillsFolder, worker === 'claude-code' ? '.claude/skills' : '.agents/skills');
      assert.equal(plan.skill?.name, 'release-notes');
      assert.equal(without?.skill, undefined);
    });

    it('is told to use the skill where it is forced, and neither else nor without one', async () => {
      const starts: string[] = [];
      const { model } = modelOf(worker, (work) => {
        starts.push([...work.start.arguments, work.start.input].join(' '));
        return played(worker)(work);
      });
      await model.complete(someRequest({ mode: 'forced' }), neverAborted);
      await model.complete(someRequest(), neverAborted);
      await model.complete(someRequest({ mode: 'forced', skill: undefined }), neverAborted);
      assert.deepEqual(
        starts.map((start) => start.includes('release-notes')),
        [true, false, false],
      );
      for (const start of starts) assert.match(start, /Write the entry\.$/u);
    });

    it('takes no prompt for a command of its own', async () => {
      for (const content of ['/help me', '$release-notes now', '!ls', '@a.txt']) {
        let input = '';
        const { model } = modelOf(worker, (work) => {
          input = work.start.input;
          return played(worker)(work);
        });
        await model.complete(someRequest({}, { messages: [{ role: 'user', content }] }), neverAborted);
        assert.ok(!input.startsWith(content), input);
      }
    });

    it('reaches its vendor alone, and its key is in no variable, file or argument', async () => {
      let start = '';
      const { model, workplaces } = modelOf(worker, (work) => {
        start = JSON.stringify(work.start);
        return played(worker)(work);
      });
      await model.complete(someRequest(), neverAborted);
      const { hosts = [], secrets = {} } = workplaces.runs[0]?.reach ?? {};
      assert.ok(hosts.length > 0);
      assert.deepEqual(secrets, standIns[worker].key);
      for (const value of Object.values(standIns[worker].key)) assert.ok(!start.includes(value));
    });

    it('fails as a call where a model never answered, and costs no attempt', async () => {
      const limits = { maxTokens: 1000, maxTurns: 3, timeLimitMs: 30 };
      const { model, workplaces } = modelOf(worker, forEver);
      assert.equal((await failureOf(model, someRequest({ limits }))).kind, 'timeout');
      assert.equal((await failureOf(model, someRequest({}, { timeoutMs: 20 }))).kind, 'timeout');
      assert.equal((await failureOf(model, someRequest({}, { restMs: 20 }))).kind, 'timeout');
      const silent = modelOf(worker, () => ({ kind: 'exited', code: 0, left: {} }));
      assert.equal((await failureOf(silent.model)).kind, 'malformed');
      assert.equal(workplaces.stillOpen + silent.workplaces.stillOpen, 0);
    });

    it('is ended at its time after its model has answered, which is kept as an attempt that is not judged', async () => {
      const limits = { maxTokens: 200_000, maxTurns: 30, timeLimitMs: 60 };
      const { model, workplaces } = modelOf(worker, async (work) => {
        await played(worker, 8)(work);
        await forEver();
      });
      const reply = await model.complete(someRequest({ limits }), neverAborted);
      const work = workOf(reply);
      assert.deepEqual([work.ended, work.judged.length, reply.finish], ['time', 0, 'length']);
      assert.deepEqual(work.changed, [{ path: 'CHANGELOG.md', change: 'added' }]);
      assert.deepEqual(work.events.at(-1), { kind: 'end', ok: false, reason: 'time' });
      assert.ok(reply.usage.inputTokens + reply.usage.outputTokens > 0);
      assert.equal(workplaces.stillOpen, 0);
    });

    it('is ended where it asks its model more often than it may', async () => {
      const limits = { maxTokens: 200_000, maxTurns: 2, timeLimitMs: 60_000 };
      const { model } = modelOf(worker, async (work) => {
        await played(worker)(work);
        await forEver();
      });
      assert.equal(workOf(await model.complete(someRequest({ limits }), neverAborted)).ended, 'turns');
    });

    it('takes no more than its limit, as far as it tells it', async () => {
      const limits = { maxTokens: 6_000, maxTurns: 30, timeLimitMs: 60_000 };
      const { model } = modelOf(worker, played(worker));
      const { usage, work } = await model.complete(someRequest({ limits }), neverAborted);
      const tells = worker === 'claude-code' || worker === 'opencode';
      assert.equal(work?.ended, tells ? 'tokens' : 'done');
      const used = usage.inputTokens + usage.outputTokens;
      assert.ok(used - limits.maxTokens <= (model.mayPassBy?.(limits) ?? 0));
      if (tells) assert.ok(used < recordedUsage.inputTokens);
    });
  });

describe('an agent’s work as a call', () => {
  const failing: readonly (readonly [AgentId, string, ModelErrorKind])[] = [
    ['claude-code', '{"type":"result","is_error":true,"result":"Not logged in · Please run /login"}', 'auth'],
    ['claude-code', '{"type":"system","subtype":"api_retry","error":"server_error","error_status":500}', 'unavailable'],
    [
      'codex',
      '{"type":"error","message":"Reconnecting... 1/5 (unexpected status 429 Too Many Requests)"}',
      'rate-limit',
    ],
    ['codex', '{"type":"turn.failed","error":{"message":"You have hit your usage limit."}}', 'quota'],
    ['copilot-cli', '{"type":"model.call_failure","data":{"statusCode":500}}', 'unavailable'],
    [
      'gemini-cli',
      '{"type":"result","status":"error","error":{"message":"You have exhausted your daily quota"}}',
      'quota',
    ],
    ['opencode', '{"type":"error","error":{"data":{"message":"No.","statusCode":401}}}', 'auth'],
  ];
  for (const [id, line, kind] of failing)
    it(`is no attempt where ${id} tells ${kind}`, async () => {
      const { model, workplaces } = modelOf(id, ({ say }) => {
        say(line);
        return { kind: 'exited', code: 1, left: {} };
      });
      assert.equal((await failureOf(model)).kind, kind);
      assert.equal(workplaces.stillOpen, 0);
    });

  it('costs what was told where it fails later, and all that was set aside where nothing is told', async () => {
    const claude = await laterFailure('claude-code', '{"type":"system","subtype":"api_retry","error_status":500}');
    assert.ok(claude.said > 4_000 && claude.said < 12_000, String(claude.said));
    const codex = await laterFailure('codex', '{"type":"error","message":"Reconnecting... (status 500)"}');
    assert.equal(codex.said, 200_000);
  });

  it('is ended by whoever called it off, and leaves no place open', async () => {
    const stop = new AbortController();
    const { model, workplaces } = modelOf('claude-code', async ({ say }) => {
      say(recordedLines('claude-code')[1] ?? '');
      stop.abort(new Error('called off'));
      await forEver();
    });
    await assert.rejects(model.complete(someRequest(), stop.signal), /called off/u);
    assert.equal(workplaces.stillOpen, 0);
  });

  it('keeps the lines that were told, also of an attempt that failed', async () => {
    const kept: (readonly string[])[] = [];
    const keepLines = (lines: readonly string[]): Promise<string> => Promise.resolve(`text ${kept.push(lines)}`);
    const reply = await modelOf('codex', played('codex'), { keepLines }).model.complete(someRequest(), neverAborted);
    assert.equal(reply.work?.raw, 'text 1');
    const noAnswer = modelOf('codex', ({ say }) => say('nothing at all'), { keepLines });
    await failureOf(noAnswer.model);
    assert.deepEqual(kept, [recordedLines('codex'), ['nothing at all']]);
  });

  it('is refused by a program that does no work, before anything is done', async () => {
    const { model, workplaces } = modelOf('cursor-agent', forEver);
    await assert.rejects(model.complete(someRequest(), neverAborted), { code: 'environment-refused' });
    assert.deepEqual(workplaces.plans, []);
    assert.equal(model.mayPassBy, undefined);
  });

  it('is stored and not paid for twice, also where it was ended before a word was said', async () => {
    const limits = { maxTokens: 200_000, maxTurns: 30, timeLimitMs: 40 };
    const tool = recordedLines('codex')[3] ?? '';
    const { model, workplaces } = modelOf('codex', async ({ say }) => {
      say(tool);
      await forEver();
    });
    const cached = withCache(model, { store: new MemoryReplyStore(), keyOf: replyKeys(model.identity) });
    const first = await cached.complete(someRequest({ limits }), neverAborted);
    const second = await cached.complete(someRequest({ limits }), neverAborted);
    assert.deepEqual([first.text, second.cached, second.work?.ended], ['', true, 'time']);
    assert.equal(workplaces.plans.length, 1);
  });

  it('sets its own limit aside, and no attempt is started without room for it', async () => {
    const ledger = new MemoryLedger(new ManualClock());
    const caps = { run: { tokens: 210_000 }, day: {}, month: {} };
    const { model, workplaces } = modelOf('claude-code', played('claude-code'));
    const held = withBudget(model, { ledger, runId: 'r', caps, price: undefined });
    await held.complete(someRequest({}, { attempt: 1 }), neverAborted);
    await assert.rejects(held.complete(someRequest({}, { attempt: 2 }), neverAborted), { kind: 'cap' });
    assert.equal(workplaces.plans.length, 1);
  });

  for (const worker of workers)
    it(`passes a cap by no more than is said, once for each attempt under way: ${worker}`, async () => {
      const atOnce = 3;
      const limits = { maxTokens: 1_000, maxTurns: 5, timeLimitMs: 60_000 };
      const ledger = new MemoryLedger(new ManualClock());
      const caps = { run: { tokens: atOnce * limits.maxTokens }, day: {}, month: {} };
      const { model, workplaces } = modelOf(worker, played(worker));
      const held = withBudget(model, { ledger, runId: 'r', caps, price: undefined });
      const ask = (attempt: number) => held.complete(someRequest({ limits }, { attempt }), neverAborted);
      await Promise.all([1, 2, 3].map(ask));
      await assert.rejects(ask(4), (error: unknown) => error instanceof ModelError && error.kind === 'cap');
      const { tokens } = await ledger.spentInRun('r');
      assert.ok(tokens > caps.run.tokens, 'the programs took more than their limit');
      assert.ok(tokens - caps.run.tokens <= atOnce * (model.mayPassBy?.(limits) ?? 0));
      assert.equal(workplaces.plans.length, atOnce);
    });
});
