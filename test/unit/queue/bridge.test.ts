import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { UserError } from '../../../src/errors.js';
import { FailedCall, RefusedForm } from '../../../src/models/wrappers/failedCall.js';
import type { PhysicalCall } from '../../../src/ports/attemptRunner.js';
import type { ModelReply } from '../../../src/ports/languageModel.js';
import type { QueueState } from '../../../src/ports/queueState.js';
import type { BridgeEars, BridgeProcess } from '../../../src/queue/bridge/openBridge.js';
import { QueueBridge } from '../../../src/queue/bridge/queueBridge.js';
import { serveBridge, type BridgeParts } from '../../../src/queue/bridge/serveBridge.js';
import { aWorkTree } from '../../builders/aWorkTree.js';
import { aReply, aRequest } from '../../fakes/ScriptedModel.js';

const { signal } = new AbortController();
const model = { provider: 'scripted', endpoint: 'test', model: 'scripted-1', simulated: false };
const seen: QueueState = { workers: [], lanes: [], failures: [] };

/** Both sides in this process, over the lines that would go between two. */
function connected(run: BridgeParts['runner']['run'], more: Partial<BridgeParts> = {}) {
  const lines: string[] = [];
  let starts = 0;
  let kill: (() => void) | undefined;
  let over: Promise<void> = Promise.resolve();
  const start = (ears: BridgeEars): Promise<BridgeProcess> => {
    starts += 1;
    const input = new PassThrough();
    const stop = new AbortController();
    kill = () => {
      stop.abort();
      ears.over('it was killed.');
    };
    const runner = { run, reach: () => Promise.resolve(true) };
    const parts = { runner, look: () => Promise.resolve(seen), shown: 'redis://here:1', version: '9.9.9', ...more };
    const write = (line: string): void => (stop.signal.aborted ? undefined : ears.line(line.trim()));
    over = serveBridge(parts, { input, write }, stop.signal).then(() => ears.over('its input ended.'));
    const send = (line: string): void => {
      lines.push(line);
      input.write(line);
    };
    return Promise.resolve({ send, end: () => void input.end() });
  };
  return {
    bridge: new QueueBridge(start, '9.9.9', 200),
    ends: () => over,
    lines,
    starts: () => starts,
    kill: () => kill?.(),
  };
}

function aCall(request: Partial<PhysicalCall['request']> = {}): PhysicalCall {
  return { runId: 'run-1', model, key: () => 'key-1', request: aRequest(request) };
}

/** Bytes as figures, in whichever way they are held. */
function readable(value: unknown): string {
  return JSON.stringify(value, (name, each) => (name === 'bytes' ? Object.values(each.data ?? each) : each));
}

const notHere = (): Promise<ModelReply> => Promise.reject(new Error('made in the window'));

describe('a window’s way to a queue', () => {
  it('carries a call and brings its reply, whatever is in it', async () => {
    const reply = aReply({
      text: 'Zeile 1\nZeile 2 “ ”',
      usage: { inputTokens: 3, outputTokens: 4, exact: true, ms: 7 },
    });
    const asked: PhysicalCall[] = [];
    const { bridge, starts } = connected((call) => {
      asked.push(call);
      return Promise.resolve(reply);
    });
    const [first, second] = await Promise.all([1, 2].map((attempt) => bridge.run(aCall({ attempt }), notHere, signal)));
    assert.deepEqual([first, second], [reply, reply]);
    assert.deepEqual(
      asked.map(({ runId, key, request }) => [runId, key(), request]),
      [1, 2].map((attempt) => ['run-1', 'key-1', { ...aRequest({ attempt }) }]),
    );
    assert.equal(starts(), 1, 'one command line for all of them');
    assert.equal(bridge.shown, 'redis://here:1');
    assert.deepEqual(await bridge.look(signal), seen);
    assert.equal(await bridge.reach(model, 'target', signal), true);
    bridge.close();
  });

  it('gives a folder that agents start from once, and the other side the same bytes each time', async () => {
    const fixture = aWorkTree({ 'prices.csv': 'Ähren;1\n', 'run.sh*': '#!/bin/sh\n' });
    const brought = aWorkTree({ 'expected.txt': 'the answer' });
    const judges = [{ command: 'sh', arguments: ['-c', 'true'], timeLimitMs: 1, brings: brought }];
    const limits = { maxTokens: 1, maxTurns: 2, timeLimitMs: 3 };
    const work = { fixture, skill: { name: 'a', files: brought }, mode: 'offered', limits, judges } as const;
    const taken: unknown[] = [];
    const { bridge, lines } = connected((call) => {
      taken.push(call.request.work);
      return Promise.resolve(aReply());
    });
    await bridge.run(aCall({ work }), notHere, signal);
    await bridge.run(aCall({ work, attempt: 2 }), notHere, signal);
    assert.equal(readable(taken), readable([work, work]));
    assert.equal(lines.filter((line) => line.includes('"kind":"tree"')).length, 2, 'two folders, each once');
    bridge.close();
  });

  it('keeps no more folders than there is room for, and asks for one that went once more', async () => {
    const folders = ['first', 'second', 'third'].map((name) => aWorkTree({ [name]: 'x'.repeat(600) }));
    const [first = folders[0], second = first] = folders;
    const taken: unknown[] = [];
    const run = (call: PhysicalCall): Promise<ModelReply> => {
      taken.push(call.request.work?.fixture.entries);
      return Promise.resolve(aReply());
    };
    const { bridge, lines } = connected(run, { mostBytes: 1_500 });
    const limits = { maxTokens: 1, maxTurns: 2, timeLimitMs: 3 };
    const ask = (fixture: typeof first): Promise<ModelReply> => {
      assert.ok(fixture);
      const work = { fixture, skill: undefined, mode: 'offered', limits, judges: [] } as const;
      return bridge.run(aCall({ work }), notHere, signal);
    };
    const asked = [...folders.slice(0, 2), first, ...folders.slice(2), first, second];
    for (const folder of asked) await ask(folder);
    assert.equal(readable(taken), readable(asked.map((folder) => folder?.entries)), 'every call has its own');
    const sent = lines.filter((line) => line.includes('"kind":"tree"')).map((line) => JSON.parse(line).entries[0].path);
    assert.deepEqual(sent, ['first', 'second', 'third', 'second'], 'the one that was not named for longest went');
    bridge.close();
  });

  it('says that Redis does not answer any more, and ends with the window all the same', async () => {
    let isGone = false;
    const look = (): Promise<QueueState> => (isGone ? new Promise(() => undefined) : Promise.resolve(seen));
    const { bridge, ends } = connected(() => Promise.resolve(aReply()), { look });
    assert.deepEqual(await bridge.look(signal), seen);
    isGone = true;
    await assert.rejects(bridge.look(signal), {
      code: 'usage',
      message: 'The queue at redis://here:1 does not answer any more.',
      cure: /^See that Redis runs there/,
    });
    const stop = new AbortController();
    const stopped = bridge.look(stop.signal);
    setImmediate(() => stop.abort(new Error('enough')));
    await assert.rejects(stopped, /enough/, 'whoever stops is told that they stopped');
    const left = bridge.look(signal);
    left.catch(() => undefined);
    await new Promise(setImmediate); // by now it is under way
    bridge.close();
    await ends();
    await assert.rejects(left);
    isGone = false;
    assert.deepEqual(await bridge.look(signal), seen, 'and it is seen again once Redis is there');
    bridge.close();
  });

  it('lets the window make what goes to no queue', async () => {
    const { bridge } = connected((call, here, stop) => here(call.request, stop));
    const reply = await bridge.run(aCall(), () => Promise.resolve(aReply({ text: 'from here' })), signal);
    assert.equal(reply.text, 'from here');
    bridge.close();
  });

  const failures: readonly (readonly [string, Error])[] = [
    ['a call that may have been charged', new FailedCall('timeout', 'Too slow.', { charged: true, said: 12 })],
    [
      'one that was not sent',
      new FailedCall('endpoint', 'Nobody serves it.', { charged: false, sent: false, cure: 'Start one.' }),
    ],
    ['one to ask again later', new FailedCall('rate-limit', 'Slower.', { charged: false, retryAfterMs: 50 })],
    [
      'a whole answer of no use',
      new FailedCall('malformed', 'Empty.', { charged: true, usage: { inputTokens: 1, outputTokens: 2, exact: true } }),
    ],
    ['one that is of no use to ask again', new FailedCall('malformed', 'Cut.', { charged: true, lasting: true })],
    ['a form that was refused', new RefusedForm(5)],
    ['what a person mends', new UserError('environment-refused', 'Too large.', 'Make it smaller.')],
  ];
  for (const [what, error] of failures)
    it(`tells ${what} as what it was`, async () => {
      const { bridge } = connected(() => Promise.reject(error));
      const thrown = await bridge.run(aCall(), notHere, signal).then(
        () => assert.fail('it came to something'),
        (each: unknown) => each,
      );
      assert.equal(Object.getPrototypeOf(thrown), Object.getPrototypeOf(error));
      assert.deepEqual(Object.entries(Object(thrown)), Object.entries(error));
      assert.equal(thrown instanceof Error && thrown.message, error.message);
      bridge.close();
    });

  it('takes a cancelled call off the queue, and says whether anybody may have made it', async () => {
    const unsent = new FailedCall('unavailable', 'It was cancelled.', { charged: false, sent: false });
    for (const [end, expected] of [
      [unsent, { charged: false, sent: false }],
      [undefined, new Error('enough')],
    ] as const) {
      const { bridge } = connected(
        (_call, _here, stop) =>
          new Promise((_resolve, reject) => stop.addEventListener('abort', () => reject(end ?? stop.reason))),
      );
      const stop = new AbortController();
      const asked = bridge.run(aCall(), notHere, stop.signal);
      await bridge.look(signal); // by now it is under way
      stop.abort(new Error('enough'));
      await assert.rejects(asked, expected);
      bridge.close();
    }
  });

  it('counts calls as charged that were under way when the command line died, and starts it again', async () => {
    let isStuck = true;
    const { bridge, kill, starts } = connected(() =>
      isStuck ? new Promise(() => undefined) : Promise.resolve(aReply()),
    );
    const lost = bridge.run(aCall(), notHere, signal);
    await bridge.look(signal);
    kill();
    await assert.rejects(lost, { kind: 'unavailable', charged: true, sent: true });
    isStuck = false;
    assert.deepEqual(await bridge.run(aCall(), notHere, signal), aReply());
    assert.equal(starts(), 2);
    bridge.close();
  });

  it('says what to type where the command line is another one or does not start', async () => {
    const same = { code: 'usage', cure: 'Install the same one: npm install -g whetstone@1.2.3' };
    const ready = JSON.stringify({ kind: 'ready', protocol: 99, version: '7.0.0', shown: '' });
    const none = { code: 'usage', message: 'The queue cannot be reached: The queue has no secret. Name its file.' };
    const cases: readonly (readonly [(ears: BridgeEars) => void, object])[] = [
      [({ line }) => line(ready), { ...same, message: /is Whetstone 7\.0\.0, this window is 1\.2\.3\./ }],
      [({ over }) => over("unknown option '--calls'"), { ...same, message: /is older than this window \(1\.2\.3\)/ }],
      [({ over }) => over('The queue has no secret. Name its file.'), none],
    ];
    for (const [happens, expected] of cases) {
      let ended = false;
      const process = { send: () => undefined, end: () => void (ended = true) };
      const start = (ears: BridgeEars): Promise<BridgeProcess> => {
        setImmediate(() => happens(ears));
        return Promise.resolve(process);
      };
      await assert.rejects(new QueueBridge(start, '1.2.3').look(signal), expected);
      assert.ok(ended, 'and it is not left behind');
    }
  });
});
