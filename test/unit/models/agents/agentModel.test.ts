import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { ModelError, type ModelErrorKind } from '../../../../src/errors.js';
import { agentKinds } from '../../../../src/models/agents/agentKinds.js';
import type { AgentKind } from '../../../../src/models/agents/agentKind.js';
import { failedAgent } from '../../../../src/models/agents/agentFailure.js';
import { createAgentModel } from '../../../../src/models/agents/agentModel.js';
import { inspectAgent } from '../../../../src/models/agents/inspectAgent.js';
import type { LanguageModel } from '../../../../src/ports/languageModel.js';
import { nodeAgentPrograms } from '../../../../src/storage/programs/agentPrograms.js';
import { AgentStandIn, FakeAgentConsent, type StandInBehaviour } from '../../../fakes/AgentStandIn.js';
import { isFull } from '../../../builders/few.js';
import { aRequest } from '../../../fakes/ScriptedModel.js';
import { modelContract, type Behaviour, type Fault } from '../modelContract.js';
import { programsOn, standIns } from './standIns.js';

const { signal } = new AbortController();
const patient = { firstByteMs: 20_000, idleMs: 20_000, totalMs: 30_000 };

/** Those that each program tells in words of its own. */
const ownFailures: readonly (readonly [StandInBehaviour, ModelErrorKind])[] = [
  [{ kind: 'not-logged-in' }, 'auth'],
  [{ kind: 'status', status: 402 }, 'quota'],
  [{ kind: 'status', status: 429 }, 'rate-limit'],
  [{ kind: 'drop' }, 'unavailable'],
  [{ kind: 'bad-flag' }, 'endpoint'],
  [{ kind: 'half' }, 'unavailable'],
];

const failures: typeof ownFailures = [
  ...ownFailures,
  [{ kind: 'status', status: 401 }, 'auth'],
  [{ kind: 'status', status: 500 }, 'unavailable'],
  [{ kind: 'silent-success' }, 'malformed'],
  [{ kind: 'flood' }, 'malformed'],
];

const fatal: ReadonlySet<ModelErrorKind> = new Set(['auth', 'quota', 'endpoint']);

for (const known of agentKinds) {
  const kind: AgentKind = { ...known, toolsOff: 'yes' };
  const { script, key } = standIns[kind.id];

  const installed = (): AgentStandIn => {
    const machine = new AgentStandIn(script, kind.commands[0] ?? '');
    Object.assign(machine.environment, key);
    return machine;
  };

  // Every start is a process: the short tier holds the whole of one program, and how each of them fails.
  const isWhole = isFull || known === agentKinds[0];
  if (isWhole) {
    modelContract(
      `${kind.label}, stood in for`,
      () => {
        const machine = installed();
        return Promise.resolve({
          model: modelOn(machine, kind),
          calls: () => machine.starts().length,
          arrange: (behaviour) => machine.behaves(asStandIn(behaviour)),
          stop: () => Promise.resolve(machine.remove()),
        });
      },
      { beyond: ['tool-call'] },
    );
  }

  describe(`${kind.label}, stood in for`, () => {
    let machine: AgentStandIn;
    beforeEach(() => {
      machine = installed();
    });
    afterEach(() => machine.remove());

    for (const [behaviour, error] of isWhole ? failures : ownFailures)
      it(`tells “${JSON.stringify(behaviour)}” as ${error}`, async () => {
        machine.behaves(behaviour);
        const result = await modelOn(machine, kind)
          .complete(aRequest(), signal)
          .catch((thrown: unknown) => thrown);
        assert.ok(result instanceof ModelError, `got ${JSON.stringify(result)}`);
        assert.equal(result.kind, error, result.message);
        if (fatal.has(error)) assert.notEqual(result.cure, '');
      });

    it('tells a policy from a login that is not accepted', async () => {
      machine.behaves({
        kind: 'status',
        status: 403,
        message: 'Access denied by policy settings of your organization.',
      });
      const forbidden = await failureOf(modelOn(machine, kind));
      assert.match(forbidden.message, /A policy does not let .* answer: .*Access denied by policy settings/);
      assert.match(forbidden.cure, /whoever manages your account/);
    });

    it('names where the program tells its models where there is no such model', async () => {
      machine.behaves({ kind: 'status', status: 404, message: 'model not found: planted-model' });
      const { message, cure } = await failureOf(modelOn(machine, kind));
      assert.match(message, /has no such model/);
      assert.ok(cure.includes(kind.listsModels) && cure.includes(`name ${kind.id} alone`), cure);
      const own = failedAgent(kind, { kind: 'failed', said: 'gone', error: 'model-not-found' }).cure;
      assert.ok(own.includes(kind.listsModels) && own.includes(`${kind.id}/`) && !own.includes('alone'), own);
    });

    it('is ended where its model asks for a tool, and what it says then is no answer', async () => {
      machine.behaves({ kind: 'tool' });
      const limits = { firstByteMs: 60_000, idleMs: 60_000, totalMs: 60_000 };
      await assert.rejects(modelOn(machine, kind, limits).complete(aRequest(), signal), {
        kind: 'malformed',
        message: /asked for a tool, which it does not have/,
        charged: true,
      });
    });

    if (kind.id !== 'cursor-agent')
      it('gives what there is of an answer that the model’s own limit cut, as cut', async () => {
        machine.behaves({ kind: 'limit' });
        const { text, finish } = await modelOn(machine, kind).complete(aRequest(), signal);
        assert.deepEqual({ text, finish }, { text: 'Part one.', finish: 'length' });
      });

    if (!isWhole) return;

    it('says its key neither in a failure nor in an answer, as it is or encoded', async () => {
      const [secret = ''] = Object.values(key);
      const forms = [secret, Buffer.from(`user:${secret}`).toString('base64')];
      machine.behaves({ kind: 'status', status: 401, message: `Refused: ${forms.join(' and ')}.` });
      assert.match((await failureOf(modelOn(machine, kind))).message, /Refused: \*\*\* and \*\*\*/);
      machine.behaves({ kind: 'answer', text: `I know ${forms.join(' and ')}!` });
      const { text } = await modelOn(machine, kind).complete(aRequest(), signal);
      assert.equal(text, 'I know *** and ***!');
    });

    it('is not waited for when it says nothing, and is ended', async () => {
      machine.behaves({ kind: 'hang' });
      const limits = { firstByteMs: 500, idleMs: 300, totalMs: 5_000 };
      await assert.rejects(modelOn(machine, kind, limits).complete(aRequest(), signal), {
        kind: 'timeout',
        cure: /^Run “\S+” in a terminal to see whether it answers there/,
      });
    });

    it('is not waited for beyond what the run’s minutes leave', async () => {
      machine.behaves({ kind: 'hang' });
      const began = Date.now();
      await assert.rejects(modelOn(machine, kind).complete(aRequest({ restMs: 400 }), signal), { kind: 'timeout' });
      assert.ok(Date.now() - began < patient.totalMs / 2);
    });

    it('takes nothing it starts beyond its end with it', async () => {
      if (process.platform !== 'linux') return;
      machine.behaves({ kind: 'leaves-child' });
      const { text } = await modelOn(machine, kind).complete(aRequest(), signal);
      // On a busy machine the system takes its time over it.
      for (let wait = 0; wait < 100 && !hasEnded(Number(text)); wait += 1) await sleep(20);
      assert.ok(hasEnded(Number(text)));
    });

    it('gets the prompt on its input, an empty folder, a fresh home and nothing of the environment', async () => {
      Object.assign(machine.environment, {
        OPENROUTER_API_KEY: 'planted-elsewhere',
        AWS_SECRET_ACCESS_KEY: 'planted-too',
      });
      const request = aRequest({ messages: [{ role: 'user', content: 'The very prompt.' }] });
      await modelOn(machine, kind).complete(request, signal);
      const [start] = machine.starts();
      assert.ok(start !== undefined && start.input.includes('The very prompt.'));
      assert.doesNotMatch(JSON.stringify(start), /planted-elsewhere|planted-too/);
      assert.doesNotMatch(start.words.join(' '), /The very prompt|planted-key/);
      assert.notEqual(start.environment['HOME'], machine.home);
      assert.deepEqual(
        readdirSync(os.tmpdir()).filter((name) => start.folder.includes(name)),
        [],
      );
    });

    it('does not answer where its tools cannot all be turned off', async () => {
      const other = modelOn(machine, { ...kind, toolsOff: 'sandbox-only' });
      await assert.rejects(other.complete(aRequest(), signal), {
        kind: 'endpoint',
        message: /cannot all be turned off/,
      });
      assert.equal(machine.starts().length, 0);
    });

    it('is refused where tools are asked for', async () => {
      const tools = [{ name: 'look_up', description: 'Looks up.', parameters: {} }];
      await assert.rejects(modelOn(machine, kind).complete(aRequest({ tools }), signal), {
        code: 'environment-refused',
      });
      assert.equal(machine.starts().length, 0);
    });

    it('is ready with its version, and not installed where it is not', async () => {
      const state = await inspectAgent(kind, sourcesOn(machine, kind), signal);
      assert.notEqual(state.kind, 'not-installed');
      const elsewhere = { ...machine.environment, PATH: '/nowhere' };
      const gone = {
        ...sourcesOn(machine, kind),
        programs: nodeAgentPrograms({ environment: elsewhere, workspace: () => [] }),
      };
      assert.equal((await inspectAgent({ ...kind, places: [] }, gone, signal)).kind, 'not-installed');
    });

    it('is too old where its version is', async () => {
      const state = await inspectAgent({ ...kind, oldest: '9999.0.0' }, sourcesOn(machine, kind), signal);
      assert.equal(state.kind, 'too-old');
    });

    it('is not logged in where there is neither a key nor a login, and asks nobody', async () => {
      for (const name of Object.keys(key)) delete machine.environment[name];
      const state = await inspectAgent(kind, sourcesOn(machine, kind), signal);
      assert.equal(state.kind, 'not-logged-in');
      await assert.rejects(modelOn(machine, kind).complete(aRequest(), signal), { kind: 'auth' });
      assert.equal(machine.starts().length, 0);
    });
  });
}

/** Gone, or only waiting for somebody to ask how it ended. */
function hasEnded(pid: number): boolean {
  const place = `/proc/${pid}/stat`;
  return !existsSync(place) || /\) [ZX]/.test(readFileSync(place, 'utf8'));
}

function sourcesOn(machine: AgentStandIn, { id }: Pick<AgentKind, 'id'>) {
  const { environment } = machine;
  return { environment, consent: new FakeAgentConsent(), programs: programsOn(machine, id) };
}

function modelOn(machine: AgentStandIn, kind: AgentKind, limits = patient): LanguageModel {
  const command = `${machine.environment['PATH']?.split(':')[0] ?? ''}/${kind.commands[0] ?? ''}`;
  const installed = { version: kind.oldest, program: { path: command, command, before: [] } };
  return createAgentModel({ ...kind, atOnce: 8 }, sourcesOn(machine, kind), { installed, model: 'some-model', limits });
}

async function failureOf(model: LanguageModel): Promise<ModelError> {
  const thrown: unknown = await model.complete(aRequest(), signal).catch((error: unknown) => error);
  assert.ok(thrown instanceof ModelError, JSON.stringify(thrown));
  return thrown;
}

function asStandIn(behaviour: Behaviour): StandInBehaviour {
  if (behaviour.kind === 'fault') return faults[behaviour.fault];
  if (behaviour.kind === 'tool-call') throw new Error('An agent program calls no tools of ours.');
  return behaviour;
}

const faults: Readonly<Record<Fault, StandInBehaviour>> = {
  'rate-limit': { kind: 'status', status: 429 },
  'server-error': { kind: 'status', status: 500 },
  malformed: { kind: 'silent-success' },
  disconnect: { kind: 'half' },
  empty: { kind: 'empty' },
};
