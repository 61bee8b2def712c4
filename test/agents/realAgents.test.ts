import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { ModelError, type ModelErrorKind } from '../../src/errors.js';
import type { AgentKind } from '../../src/models/agents/agentKind.js';
import { aRequest } from '../fakes/ScriptedModel.js';
import { modelContract, type Behaviour, type Fault } from '../unit/models/modelContract.js';
import type { ServerBehaviour } from './AgentServer.js';
import { plantEverything } from './plantedHome.js';
import { AgentMachine, installedKinds, realAgents } from './realAgents.js';
import { wireUsage } from './wireFormats.js';

const { signal } = new AbortController();

const failures: readonly (readonly [string, ServerBehaviour, ModelErrorKind])[] = [
  ['a refused key', { kind: 'status', status: 401 }, 'auth'],
  ['an empty account', { kind: 'status', status: 402 }, 'quota'],
  ['too many calls', { kind: 'status', status: 429 }, 'rate-limit'],
  ['a server that fails', { kind: 'status', status: 500 }, 'unavailable'],
  ['a connection that breaks', { kind: 'drop' }, 'unavailable'],
  [
    'a model that there is not',
    { kind: 'status', status: 404, code: 'model_not_found', message: 'The model xyz does not exist' },
    'model-not-found',
  ],
];

for (const kind of installedKinds) {
  modelContract(
    `${kind.label} itself`,
    async () => {
      const machine = await AgentMachine.start(kind);
      return {
        model: await machine.model(),
        calls: () => machine.starts,
        arrange: (behaviour) => machine.server.behaves(asServer(behaviour)),
        stop: () => machine.stop(),
      };
    },
    { beyond: ['tool-call'] },
  );

  describe(`${kind.label} itself`, () => {
    let machine: AgentMachine;
    beforeEach(async () => {
      machine = await AgentMachine.start(kind);
    });
    afterEach(() => machine.stop());

    for (const [name, behaviour, error] of failures)
      it(`tells ${name} as ${error}, with what to do where waiting does not help`, async () => {
        machine.server.behaves(behaviour);
        const result = await failureOf(machine);
        assert.equal(result.kind, error, result.message);
        assert.doesNotMatch(result.message, /planted-key/);
        if (['auth', 'quota', 'model-not-found'].includes(error)) assert.notEqual(result.cure, '');
      });

    it('is given up where the server never answers', async () => {
      machine.server.behaves({ kind: 'hang' });
      const limits = { firstByteMs: 15_000, idleMs: 6_000, totalMs: 20_000 };
      const result = await failureOf(machine, limits);
      assert.equal(result.kind, 'timeout', result.message);
    });

    it('says so where it does not know a flag', async () => {
      const wrong: AgentKind = {
        ...kind,
        call: (ask) => {
          const start = kind.call(ask);
          const [first = '', ...rest] = start.arguments;
          const own = first.startsWith('-') ? ['--frobnicate', first] : [first, '--frobnicate'];
          return { ...start, arguments: [...own, ...rest] };
        },
      };
      const other = await AgentMachine.start(wrong);
      try {
        assert.equal((await failureOf(other)).kind, 'endpoint');
      } finally {
        await other.stop();
      }
    });

    it('is asked with no tools, and runs, reads and writes nothing that the server asks for', async () => {
      const secret = machine.place('outside/secret.txt', 'the-secret-of-the-file');
      const written = machine.place('outside/written.txt');
      const calls = realAgents[kind.id]?.calls({ secret, written }) ?? [];
      machine.server.behaves({ kind: 'calls', calls, text: 'The end.' });
      const reply = await (await machine.model()).complete(aRequest(), signal).catch((error: unknown) => error);
      assert.ok(machine.server.asked.length > 0);
      assert.ok(!existsSync(written));
      for (const { text } of machine.server.asked) assert.doesNotMatch(text, /the-secret-of-the-file/);
      if (reply instanceof Error) assert.ok(reply instanceof ModelError, reply.stack);
      else assert.doesNotMatch(JSON.stringify(reply), /the-secret-of-the-file/);
      assert.deepEqual(toolsIn(machine.server.asked[0]?.body ?? {}), []);
    });

    it('is ended where its model asks for tools for ever, before it asked three times', async () => {
      const [call] = realAgents[kind.id]?.calls({ secret: '/nowhere', written: '/nowhere' }) ?? [];
      assert.ok(call !== undefined);
      machine.server.behaves({ kind: 'calls', calls: [call], text: 'The end.', forever: true });
      const result = await failureOf(machine);
      assert.equal(result.kind, 'malformed', result.message);
      assert.match(result.message, /asked for a tool/);
      assert.ok(machine.server.asked.length < 3, `${machine.server.asked.length} were asked`);
    });

    it('gives what there is of an answer that the model’s own limit cut, as cut', async () => {
      machine.server.behaves({ kind: 'limit', first: 'Part one.', second: 'Part two.' });
      const { text, finish } = await (await machine.model()).complete(aRequest(), signal);
      assert.deepEqual({ text, finish }, { text: 'Part one.', finish: 'length' });
      assert.ok(machine.server.asked.length < 3, `${machine.server.asked.length} were asked`);
    });

    it('tells its server how long an answer may be, where it can be told', async () => {
      machine.server.behaves({ kind: 'text', text: 'Hello.' });
      await (await machine.model()).complete(aRequest({ maxOutputTokens: 1_234 }), signal);
      const isTold = kind.mostOutputTokens(1_234, 'own-server') === 1_234;
      assert.equal(/:1234\b/.test(machine.server.asked[0]?.text ?? ''), isTold);
    });

    it('reads no file that a prompt names, and takes no prompt for a command', async () => {
      const secret = machine.place('outside/secret.txt', 'the-secret-of-the-file');
      for (const content of [`Look at @${secret}.`, `@${secret}`, `/help me`, `!cat ${secret}`, `$whetstone do it`]) {
        machine.server.behaves({ kind: 'text', text: 'Well.' });
        const request = aRequest({ messages: [{ role: 'user', content }] });
        assert.equal((await (await machine.model()).complete(request, signal)).text, 'Well.', content);
      }
      for (const { text } of machine.server.asked) assert.doesNotMatch(text, /the-secret-of-the-file/);
    });

    it('takes nothing of the person’s home with it, and starts nothing there', async () => {
      const ran = machine.place('outside/ran.txt');
      plantEverything(machine.home, ran);
      const before = process.env['HOME'];
      process.env['HOME'] = machine.home;
      try {
        const messages = [
          { role: 'system', content: 'The skill under test.' },
          { role: 'user', content: 'Use release-notes, please.' },
        ] as const;
        await (await machine.model()).complete(aRequest({ messages }), signal);
      } finally {
        process.env['HOME'] = before;
      }
      assert.ok(machine.server.asked.length > 0);
      for (const { text } of machine.server.asked) assert.doesNotMatch(text, /PLANTED/);
      assert.ok(machine.server.asked.some(({ text }) => text.includes('The skill under test.')));
      assert.ok(!existsSync(ran));
    });

    it('tells what it used', async () => {
      machine.server.behaves({ kind: 'text', text: 'Hello.' });
      const { usage } = await (await machine.model()).complete(aRequest(), signal);
      assert.deepEqual(
        { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens, exact: usage.exact },
        { inputTokens: wireUsage.input, outputTokens: wireUsage.output, exact: true },
      );
    });

    it('answers in the time that is measured here, and asks nobody else', async () => {
      machine.server.behaves({ kind: 'text', text: 'Hello.' });
      const model = await machine.model();
      const times: number[] = [];
      for (let attempt = 0; attempt < 6; attempt += 1) {
        const started = performance.now();
        await model.complete(aRequest({ attempt }), signal);
        times.push(performance.now() - started);
      }
      const [best = 0, , , middle = 0] = times.slice(1).toSorted((a, b) => a - b);
      const bytes = machine.server.asked.at(-1)?.text.length ?? 0;
      process.stdout.write(
        `      FIGURE ${kind.id} ${kind.oldest}: a call takes ${(best / 1000).toFixed(2)} s at best, ${(middle / 1000).toFixed(2)} s mostly; ${bytes} bytes are sent; other hosts: ${[...new Set(machine.server.others)].join(', ') || 'none'}\n`,
      );
      assert.equal(machine.server.asked.length, 6);
      assert.deepEqual(machine.server.others, []);
    });
  });
}

describe('Claude Code itself with a plan', () => {
  it('sends the token of the plan, and no key', async () => {
    const [claude] = installedKinds;
    assert.ok(claude !== undefined);
    const machine = await AgentMachine.start(claude);
    try {
      delete machine.environment['ANTHROPIC_API_KEY'];
      machine.environment['CLAUDE_CODE_OAUTH_TOKEN'] = 'sk-ant-oat01-planted-key-0123456789';
      machine.server.behaves({ kind: 'text', text: 'Hello.' });
      assert.equal((await (await machine.model()).complete(aRequest(), signal)).text, 'Hello.');
      const [asked] = machine.server.asked;
      assert.equal(asked?.headers.authorization, 'Bearer sk-ant-oat01-planted-key-0123456789');
      assert.equal(asked.headers['x-api-key'], undefined);
    } finally {
      await machine.stop();
    }
  });
});

async function failureOf(machine: AgentMachine, limits?: Parameters<AgentMachine['model']>[0]): Promise<ModelError> {
  const result = await (await machine.model(limits)).complete(aRequest(), signal).catch((error: unknown) => error);
  assert.ok(result instanceof ModelError, `got ${result instanceof Error ? result.stack : JSON.stringify(result)}`);
  return result;
}

/** The names of what the model may call, in whichever form they were sent. */
function toolsIn(body: Readonly<Record<string, unknown>>): readonly unknown[] {
  const tools = (Array.isArray(body['tools']) ? body['tools'] : []).filter(
    (tool: unknown) => JSON.stringify(tool) !== '{"functionDeclarations":[]}',
  );
  const input = Array.isArray(body['input']) ? body['input'] : [];
  return [...tools, ...input.filter((item: unknown) => item instanceof Object && 'tools' in item)];
}

function asServer(behaviour: Behaviour): ServerBehaviour {
  switch (behaviour.kind) {
    case 'answer':
      return { kind: 'text', text: behaviour.text };
    case 'cut':
      return { kind: 'text', text: `${behaviour.text} time there was a whetstone. `.repeat(40) };
    case 'echo':
      return { kind: 'echo' };
    case 'late':
      return { kind: 'late', ms: behaviour.ms, text: 'Late.' };
    case 'tool-call':
      throw new Error('An agent program calls no tools of ours.');
    case 'fault':
      return faults[behaviour.fault];
  }
}

const faults: Readonly<Record<Fault, ServerBehaviour>> = {
  'rate-limit': { kind: 'status', status: 429 },
  'server-error': { kind: 'status', status: 500 },
  malformed: { kind: 'malformed' },
  disconnect: { kind: 'drop' },
  empty: { kind: 'text', text: '' },
};
