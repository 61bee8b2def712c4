import assert from 'node:assert/strict';
import { longerContextCure } from '../../../../src/cli/again/longerContext.js';
import { askServedModel } from '../../../../src/models/local/servedModel.js';

const typed = { preset: 'standard', set: [] };

/** What the adapter says of a server of that kind that is to have 8,192 tokens of context. */
async function cureFrom(provider: string): Promise<string> {
  const server = { provider, baseUrl: 'http://localhost:9/v1', model: 'm:1b', apiKey: undefined };
  const says = { models: [], data: [{ id: 'm:1b', loaded_context_length: 4096 }] };
  const fetch = (): Promise<Response> => Promise.resolve(new Response(JSON.stringify(says)));
  const served = await askServedModel(server, fetch, new AbortController().signal);
  return served?.longerContext(8192) ?? '';
}

let cure = '';

/** What is said where the run was typed so. */
function said(options: Parameters<typeof longerContextCure>[1]['options']): string {
  return longerContextCure(cure, { skill: 'notes', options, goesOn: 'Then it goes on.' }) ?? '';
}

describe('the cure of a prompt that Ollama cut', () => {
  before(async () => {
    cure = await cureFrom('ollama');
  });

  const cases: readonly (readonly [string, Parameters<typeof said>[0], string])[] = [
    ['one model for all roles', { ...typed, model: 'ollama/m:1b' }, ' --model "ollama/m:1b?num_ctx=8192"'],
    [
      'only the role that was cut',
      { ...typed, preset: 'quick', seed: '3', model: 'ollama/other', target: 'http://gpu.lan:11434/v1#m:1b' },
      ' --preset quick --seed 3 --model ollama/other --target "http://gpu.lan:11434/v1#m:1b?num_ctx=8192"',
    ],
    [
      'what holds it, and other options of the model',
      { ...typed, cap: ['run.minutes=60'], set: ['train.epochs=1'], model: 'ollama/m:1b?think=false' },
      ' --set train.epochs=1 --cap run.minutes=60 --model "ollama/m:1b?think=false&num_ctx=8192"',
    ],
  ];
  for (const [name, options, words] of cases)
    it(`goes on with a changed server, and names the line of a new run: ${name}`, () => {
      assert.match(said(options), /num_ctx 8192\. Then it goes on\. Or begin a new run: “/);
      assert.ok(said(options).includes(`“whetstone optimize notes${words}”, which asks Ollama for it`), said(options));
    });

  it('is a new run alone where the name asks for a context already', () => {
    const only = said({ ...typed, model: 'ollama/m:1b?num_ctx=4096' });
    assert.match(only, /^Begin a new run: “whetstone optimize notes --model "ollama\/m:1b\?num_ctx=8192"”/);
  });

  it('is left as it is where another server cut it', async () => {
    const ended = { skill: 'notes', options: typed, goesOn: '' };
    const other = await cureFrom('lmstudio');
    assert.match(other, /LM Studio .*8192/);
    assert.equal(longerContextCure(other, ended), undefined);
  });
});
