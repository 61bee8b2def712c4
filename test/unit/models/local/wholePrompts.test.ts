import assert from 'node:assert/strict';
import { WholePrompts } from '../../../../src/models/local/wholePrompts.js';
import { nothingSaid } from '../../../../src/models/openai/usage.js';
import type { ModelReply, ModelRequest, ServedModel } from '../../../../src/ports/languageModel.js';

const { signal } = new AbortController();

const ollama: ServedModel = {
  contextTokens: 4_096,
  isSure: true,
  mostContextTokens: undefined,
  atOnce: undefined,
  size: undefined,
  cutsSilently: true,
  longerContext: (tokens) => `set ${tokens}`,
};

function prompt(words: number): ModelRequest {
  return {
    role: 'target',
    messages: [{ role: 'user', content: 'word '.repeat(words) }],
    maxOutputTokens: 100,
    attempt: 1,
  };
}

const reply: ModelReply = {
  text: 'and so on and so on',
  toolCalls: [],
  finish: 'length',
  cached: false,
  usage: { inputTokens: 1, outputTokens: 1, exact: false },
};

/** An answer that was read no further because it said the same over and over: its usage never came. */
async function uncounted(words: number, served: ServedModel): Promise<string> {
  const prompts = new WholePrompts(() => Promise.resolve(served));
  try {
    return (await prompts.whole({ request: prompt(words), wanted: 100, reply, said: nothingSaid }, signal)).finish;
  } catch (error) {
    return String(error);
  }
}

describe('an answer whose prompt nobody counted', () => {
  it('counts for nothing where the prompt has more words than the context has tokens', async () => {
    assert.match(await uncounted(5_000, ollama), /at least 5000 tokens, more than the server’s context of 4096/);
  });

  it('is an answer where the prompt may have fitted, the context is a guess, or the server refuses what is too long', async () => {
    assert.equal(await uncounted(3_000, ollama), 'length');
    assert.equal(await uncounted(5_000, { ...ollama, isSure: false }), 'length');
    assert.equal(await uncounted(5_000, { ...ollama, cutsSilently: false }), 'length');
  });
});

describe('an answer that the context of its server cut', () => {
  const said = { ...nothingSaid, input: 3_000, output: 1_096 };
  const answered = async (given: Partial<Parameters<WholePrompts['whole']>[0]>): Promise<ModelReply> =>
    new WholePrompts(() => Promise.resolve(ollama)).whole(
      { request: { ...prompt(3_000), maxOutputTokens: 1_096 }, wanted: 16_384, reply, said, ...given },
      signal,
    );

  it('says what gives its server a longer one', async () => {
    assert.equal((await answered({})).contextCure, 'set 8192');
    assert.equal((await answered({ said: { ...said, output: 1_090 } })).contextCure, 'set 8192');
  });

  it('is not one that ended by itself, or at the limit that was wanted', async () => {
    const fewer = { ...said, output: 1_000 };
    assert.equal((await answered({ reply: { ...reply, finish: 'stop' }, said: fewer })).contextCure, undefined);
    assert.equal((await answered({ wanted: 1_096, said: fewer })).contextCure, undefined);
  });
});
