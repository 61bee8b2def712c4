import assert from 'node:assert/strict';
import { setMaxListeners } from 'node:events';
import { ModelError, type ModelErrorKind } from '../../../src/errors.js';
import type { LanguageModel, ModelReply, ToolCall } from '../../../src/ports/languageModel.js';
import { aRequest } from '../../fakes/ScriptedModel.js';

/** What the world around a model can be told to do for the next calls. */
export type Behaviour =
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'cut'; readonly text: string }
  | { readonly kind: 'tool-call'; readonly call: Omit<ToolCall, 'id'> }
  | { readonly kind: 'echo' }
  | { readonly kind: 'late'; readonly ms: number }
  | { readonly kind: 'fault'; readonly fault: Fault };

export type Fault = 'rate-limit' | 'server-error' | 'malformed' | 'disconnect' | 'empty';

export interface ContractHost {
  readonly model: LanguageModel;
  /** How many calls have reached the other side. */
  readonly calls: () => number;
  arrange(behaviour: Behaviour): void | Promise<void>;
  stop(): Promise<void>;
}

/** Behaviours that a world cannot be told to show. */
export type Beyond = Behaviour['kind'] | Fault;

/** What every {@link LanguageModel} promises, whatever is behind it. */
export function modelContract(
  name: string,
  start: () => Promise<ContractHost>,
  { beyond = [] }: { readonly beyond?: readonly Beyond[] } = {},
): void {
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  /** A world that cannot show it is not asked to. */
  const where = (kind: Beyond): ((title: string, test: () => Promise<void>) => unknown) =>
    beyond.includes(kind) ? () => undefined : (title, test) => it(title, test);

  describe(`model contract: ${name}`, () => {
    let host: ContractHost;
    beforeEach(async () => {
      host = await start();
    });
    afterEach(() => host.stop());

    where('answer')('gives the text that was answered', async () => {
      await host.arrange({ kind: 'answer', text: 'Forty-two.' });
      assert.equal((await host.model.complete(aRequest(), signal)).text, 'Forty-two.');
    });

    it('answers with text, a finish reason and usage, not from a store', async () => {
      await host.arrange({ kind: 'answer', text: 'Forty-two.' });
      const reply = await host.model.complete(aRequest({ maxOutputTokens: 2000 }), signal);
      assert.notEqual(reply.text.trim(), '');
      assert.equal(reply.finish, 'stop');
      assert.equal(reply.cached, false);
      assert.deepEqual(reply.toolCalls, []);
      assertUsage(reply);
    });

    where('tool-call')('gives tool calls with an id, a name and arguments as they were written', async () => {
      await host.arrange({ kind: 'tool-call', call: { name: 'look_up', arguments: '{"word":"ridge"}' } });
      const tools = [
        { name: 'look_up', description: 'Looks a word up.', parameters: { type: 'object', properties: {} } },
      ];
      const reply = await host.model.complete(aRequest({ tools }), signal);
      assert.equal(reply.finish, 'tool-calls');
      assert.equal(reply.toolCalls.length, 1);
      assert.notEqual(reply.toolCalls[0]?.id, '');
      assert.equal(reply.toolCalls[0]?.name, 'look_up');
      assert.deepEqual(JSON.parse(reply.toolCalls[0]?.arguments ?? ''), { word: 'ridge' });
    });

    where('cut')('says where an answer was cut at its limit', async () => {
      await host.arrange({ kind: 'cut', text: 'Once upon a' });
      const reply = await host.model.complete(aRequest({ maxOutputTokens: 4 }), signal);
      assert.equal(reply.finish, 'length');
      assert.ok(reply.text.startsWith('Once upon a'));
    });

    where('echo')('keeps calls apart that are under way together', async () => {
      await host.arrange({ kind: 'echo' });
      const words = Array.from({ length: 8 }, (_, index) => `word-${index}`);
      const replies = await Promise.all(
        words.map((content) => host.model.complete(aRequest({ messages: [{ role: 'user', content }] }), signal)),
      );
      assert.deepEqual(
        replies.map(({ text }) => text),
        words,
      );
    });

    where('late')('waits for an answer that takes its time', async () => {
      await host.arrange({ kind: 'late', ms: 60 });
      assert.notEqual((await host.model.complete(aRequest(), signal)).text, '');
    });

    where('late')('stops at once when aborted, with the reason that was given', async () => {
      await host.arrange({ kind: 'late', ms: 5000 });
      const controller = new AbortController();
      const reason = new Error('the person said stop');
      setTimeout(() => controller.abort(reason), 30);
      const started = performance.now();
      await assert.rejects(host.model.complete(aRequest(), controller.signal), (error) => error === reason);
      assert.ok(performance.now() - started < 2000);
    });

    it('asks nobody when aborted before', async () => {
      const reason = new Error('stop');
      await assert.rejects(host.model.complete(aRequest(), AbortSignal.abort(reason)), (error) => error === reason);
      assert.equal(host.calls(), 0);
    });

    const faults: readonly [fault: Fault, kinds: readonly ModelErrorKind[]][] = [
      ['rate-limit', ['rate-limit']],
      ['server-error', ['unavailable']],
      ['malformed', ['malformed']],
      ['disconnect', ['unavailable']],
      ['empty', ['malformed']],
    ];
    for (const [fault, kinds] of faults) {
      where(fault)(`throws a typed error on ${fault}, never half an answer, and asks once`, async () => {
        await host.arrange({ kind: 'fault', fault });
        const result = await host.model.complete(aRequest(), signal).catch((error: unknown) => error);
        assert.ok(result instanceof ModelError, `got ${JSON.stringify(result)}`);
        assert.ok(kinds.includes(result.kind), `${result.kind}: ${result.message}`);
        assert.equal(host.calls(), 1);
      });

      where(fault)(`answers again after ${fault} is over`, async () => {
        await host.arrange({ kind: 'fault', fault });
        await assert.rejects(host.model.complete(aRequest(), signal));
        await host.arrange({ kind: 'answer', text: 'Back.' });
        assert.notEqual((await host.model.complete(aRequest({ attempt: 1 }), signal)).text, '');
      });
    }

    it('has an identity without secrets that does not change', () => {
      const { identity } = host.model;
      assert.equal(host.model.identity, identity);
      assert.ok([identity.provider, identity.endpoint, identity.model].every((part) => part !== ''));
      assert.doesNotMatch(JSON.stringify(identity), /planted-key|:\/\/[^/]*@/);
    });
  });
}

function assertUsage({ usage }: ModelReply): void {
  for (const count of [usage.inputTokens, usage.outputTokens]) assert.ok(Number.isInteger(count) && count >= 0);
  assert.equal(typeof usage.exact, 'boolean');
}
