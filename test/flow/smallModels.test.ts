import assert from 'node:assert/strict';
import type { RoleModels } from '../../src/app/models/runModels.js';
import type { LanguageModel } from '../../src/ports/languageModel.js';
import { aWorkspace, inEveryRole } from '../builders/aWorkspace.js';
import { ScriptedModel } from '../fakes/ScriptedModel.js';

const endpoint = 'http://localhost:11434/v1';
const small = new ScriptedModel({ provider: 'ollama', endpoint, model: 'qwen2.5-coder:1.5b' });
const large = new ScriptedModel({ provider: 'ollama', endpoint, model: 'qwen2.5:72b' });
const priced = new ScriptedModel({ provider: 'openai', endpoint: 'https://api.openai.com/v1', model: 'gpt-4.1' });

describe('a small model in a role that it is weak at', () => {
  const workspace = aWorkspace();
  after(() => workspace.dispose());

  it('is named by the preflight, with what a stronger one would cost beside it', async () => {
    const [weak, split, ...others] = await saidOf(inEveryRole(small));
    assert.match(
      weak ?? '',
      /^ollama\/qwen2\.5-coder:1\.5b.* is small \(about 1\.5 billion parameters\): .* weak at proposing edits/,
    );
    assert.match(
      split ?? '',
      /usually about \d+ calls and [\d,  ]+ tokens a run, with openai\/gpt-5\.4 about \d+\.\d\d USD/,
    );
    assert.deepEqual(others, []);
  });

  it('is costed at a stronger model that is chosen already', async () => {
    const [, split] = await saidOf({ target: priced, optimizer: small, judge: priced });
    assert.match(split ?? '', /with openai\/gpt-4\.1.* about \d+\.\d\d USD/);
  });

  it('is known by what its server says where its name does not', async () => {
    const [weak] = await saidOf(inEveryRole(saying('1.5B')));
    assert.match(weak ?? '', /^ollama\/my-coder.* is small \(about 1\.5 billion parameters\)/);
    assert.deepEqual(await roles(inEveryRole(saying('494.03M'))), ['optimizer', 'judge']);
    assert.deepEqual(await roles(inEveryRole(saying('32.8B'))), []);
  });

  const silent: readonly (readonly [name: string, models: RoleModels])[] = [
    ['where it is the target alone', { target: small, optimizer: large, judge: large }],
    ['where nobody says its size', inEveryRole(new ScriptedModel())],
    ['where it is large', inEveryRole(large)],
  ];
  for (const [name, models] of silent) {
    it(`is not spoken of ${name}`, async () => assert.deepEqual(await saidOf(models), []));
  }

  it('is told to whoever chose it, by its roles', async () => {
    assert.deepEqual(await roles(inEveryRole(small)), ['optimizer', 'judge']);
    assert.deepEqual(await roles({ target: small, optimizer: large, judge: small }), ['judge']);
    assert.deepEqual(await roles(inEveryRole(large)), []);
  });

  function roles(models: RoleModels): Promise<readonly string[]> {
    return workspace.useCases(models).smallRoles(new AbortController().signal);
  }

  async function saidOf(models: RoleModels): Promise<readonly string[]> {
    const { notes } = await workspace.preflight({ models });
    return notes.filter((note) => note.includes('billion parameters') || note.startsWith('A stronger model'));
  }
});

/** A model whose server says its size. */
function saying(size: string): LanguageModel {
  const model = new ScriptedModel({ provider: 'ollama', endpoint, model: 'my-coder' });
  const page = { contextTokens: 32_768, isSure: true, mostContextTokens: undefined, atOnce: undefined };
  const said = { ...page, size, cutsSilently: true, longerContext: () => '' };
  return {
    identity: model.identity,
    complete: (request, signal) => model.complete(request, signal),
    served: () => Promise.resolve(said),
  };
}
