import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { ModelError } from '../../../../src/errors.js';
import { createEditorModel } from '../../../../src/models/editor/editorModel.js';
import { guessTokens } from '../../../../src/models/tokens.js';
import type { EditorPart } from '../../../../src/ports/editorChat.js';
import { FakeEditorChat, says } from '../../../fakes/FakeEditorChat.js';
import { aRequest } from '../../../fakes/ScriptedModel.js';
import { modelContract, type Behaviour, type ContractHost, type Fault } from '../modelContract.js';

const { signal } = new AbortController();

modelContract('a model of the editor', onFakeChat);

describe('a model of the editor', () => {
  let chat: FakeEditorChat;
  beforeEach(() => {
    chat = new FakeEditorChat();
  });
  const complete = (more: Parameters<typeof aRequest>[0] = {}) =>
    createEditorModel(chat).complete(aRequest(more), signal);

  it('is told as the first words what others are told by the system role', async () => {
    await complete({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello.' },
      ],
    });
    assert.deepEqual(chat.questions[0]?.messages, [{ role: 'user', content: 'Be brief.\n\nHello.' }]);
  });

  it('is asked in words for the form of its reply', async () => {
    await complete({ replySchema: { name: 'x', schema: { type: 'object', title: 'a form' } } });
    assert.match(chat.questions[0]?.messages.at(-1)?.content ?? '', /JSON schema[\s\S]*"title": "a form"/);
  });

  it('is stopped at its limit even in the middle of a piece, and what it was stopped at counts', async () => {
    let heard: AbortSignal | undefined;
    chat.answers((_, stop) => {
      heard = stop;
      return says('word '.repeat(400), 'and on and on');
    });
    const reply = await complete({ maxOutputTokens: 100 });
    assert.equal(reply.finish, 'length');
    assert.equal(guessTokens(reply.text), 100);
    assert.equal(reply.usage.outputTokens, 401);
    assert.equal(heard?.aborted, true);
  });

  it('counts tokens as the model does, and never calls them exact', async () => {
    chat.answers(() => says('one two ', 'three'));
    const { usage } = await complete({ messages: [{ role: 'user', content: 'a b c d' }] });
    assert.deepEqual(usage, { inputTokens: 4, outputTokens: 3, exact: false });
  });

  for (const counted of [0, Number.NaN, -1, 1.5])
    it(`guesses where the model counts ${counted}`, async () => {
      chat.countTokens = () => Promise.resolve(counted);
      const { usage } = await complete();
      assert.ok(usage.inputTokens > 0 && usage.outputTokens > 0);
    });

  it('guesses where the model cannot count', async () => {
    chat.countTokens = () => Promise.reject(new Error('no'));
    assert.ok((await complete()).usage.inputTokens > 0);
  });

  it('gives up on one that falls silent', async () => {
    chat.answers(() => never('a start'));
    const model = createEditorModel(chat, { firstByteMs: 5_000, idleMs: 20, totalMs: 5_000 });
    await assert.rejects(model.complete(aRequest(), signal), {
      kind: 'timeout',
      message: /^Fake One took too long: the answer stalled/,
    });
  });

  it('waits no longer than the person does for this role', async () => {
    chat.answers(() => never('a start'));
    await assert.rejects(createEditorModel(chat).complete(aRequest({ timeoutMs: 20 }), signal), { kind: 'timeout' });
  });

  it('lets go of one that fails after it was told to stop', async () => {
    const stop = new AbortController();
    const reason = new Error('the person said stop');
    chat.answers(async function* () {
      yield { kind: 'text', text: 'a start' } as const;
      stop.abort(reason);
      await wait(5);
      throw new Error('too late to matter');
    });
    await assert.rejects(createEditorModel(chat).complete(aRequest(), stop.signal), (error) => error === reason);
    await wait(20); // an error that nobody hears would end the tests here
  });

  it('leaves thinking out of the answer', async () => {
    chat.answers(() => says('<think>hm</think>', 'Forty-two.'));
    assert.equal((await complete()).text, 'Forty-two.');
  });

  it('passes on what the editor says is wrong', async () => {
    chat.answers(() => failing(new ModelError('quota', 'No more today.', { cure: 'Wait.' })));
    await assert.rejects(complete(), { kind: 'quota', cure: 'Wait.' });
  });

  for (const [allowed, needs] of [
    [true, false],
    [false, true],
    [undefined, true],
  ] as const)
    it(`${needs ? 'needs' : 'needs no'} person at night where it is ${String(allowed)} that it may be used`, () => {
      chat.allowed = allowed;
      assert.equal(createEditorModel(chat).needsPerson?.() !== undefined, needs);
    });

  it('shows what it is handed', () => {
    const wire = createEditorModel(chat).wire?.(aRequest({ maxOutputTokens: 77 }));
    assert.equal(wire?.url, 'vscode:fake/one');
    assert.match(JSON.stringify(wire?.body), /"max_tokens":77/);
  });
});

function onFakeChat(): Promise<ContractHost> {
  const chat = new FakeEditorChat();
  return Promise.resolve({
    model: createEditorModel(chat),
    calls: () => chat.questions.length,
    arrange: (behaviour) =>
      chat.answers(({ messages }, stop) => shown(behaviour, messages.at(-1)?.content ?? '', stop)),
    stop: () => Promise.resolve(),
  });
}

async function* shown(behaviour: Behaviour, asked: string, stop: AbortSignal): AsyncGenerator<EditorPart> {
  switch (behaviour.kind) {
    case 'answer':
      return yield* says(behaviour.text);
    case 'cut':
      return yield* says(behaviour.text, ' time there was a whetstone');
    case 'tool-call':
      return yield { kind: 'tool-call', call: { id: 'a', ...behaviour.call } };
    case 'echo':
      return yield* says(asked);
    case 'late':
      await wait(behaviour.ms, undefined, { signal: stop });
      return yield* says('Late.');
    case 'fault':
      return yield* faults[behaviour.fault]();
  }
}

const faults: Readonly<Record<Fault, () => AsyncIterable<EditorPart>>> = {
  'rate-limit': () => failing(new ModelError('rate-limit', 'Slow down.')),
  'server-error': () => failing(new Error('oops')),
  malformed: () => says('  \n'),
  disconnect: () => failing(new Error('gone'), 'half an ans'),
  empty: () => says(),
};

async function* failing(error: Error, ...texts: readonly string[]): AsyncGenerator<EditorPart> {
  yield* says(...texts);
  throw error;
}

async function* never(...texts: readonly string[]): AsyncGenerator<EditorPart> {
  yield* says(...texts);
  await new Promise(() => undefined);
}
