import assert from 'node:assert/strict';
import { longerContextCure } from '../../../../src/cli/again/longerContext.js';

const cure =
  'Start Ollama with OLLAMA_CONTEXT_LENGTH=8192, or give the model a page with PARAMETER num_ctx 8192; or, for a new run, name m:1b with ?num_ctx=8192, which asks Ollama for it with every call. Each takes more memory.';
const typed = { preset: 'standard', set: [] };

/** What is said where the run was typed so. */
function said(options: Parameters<typeof longerContextCure>[1]['options']): string {
  return longerContextCure(cure, { skill: 'notes', options, goesOn: 'Then it goes on.' }) ?? '';
}

describe('the cure of a prompt that Ollama cut', () => {
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

  it('is left as it is where another server cut it', () => {
    const ended = { skill: 'notes', options: typed, goesOn: '' };
    assert.equal(longerContextCure('Load the model in LM Studio with a context length of 8192.', ended), undefined);
  });
});
