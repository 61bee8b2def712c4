import assert from 'node:assert/strict';
import { chooseModels, knownSecrets } from '../../../../src/app/models/chooseModels.js';
import { discoverEditorModels } from '../../../../src/app/models/modelOffers.js';
import { priceLines } from '../../../../src/app/models/modelNotes.js';
import { FakeEditorChat } from '../../../fakes/FakeEditorChat.js';

const spec = { target: 'vscode/fake/one', optimizer: undefined, judge: undefined };
const nowhere = { environment: {}, fetch: () => Promise.reject(new Error('no network')) };
const inWindow = { ...nowhere, editorChats: () => Promise.resolve([new FakeEditorChat()]) };

describe('a model of the editor, named as text', () => {
  it('plays every role', async () => {
    const { target, optimizer, judge } = await chooseModels(spec, inWindow);
    assert.equal(target.identity.model, 'fake/one');
    assert.ok(optimizer === target && judge === target);
  });

  it('is refused where no window is open, with what to do', async () => {
    await assert.rejects(chooseModels(spec, nowhere), {
      code: 'model-not-chosen',
      message: /“vscode\/fake\/one” is a model of VS Code: only an open window can ask it\./,
      cure: /choose a model that has an address of its own/,
    });
  });

  it('is refused where the window does not have it, with those that it has', async () => {
    const other = { ...spec, target: 'vscode/fake/two' };
    await assert.rejects(chooseModels(other, inWindow), { cure: 'Choose one of: vscode/fake/one.' });
    const empty = { ...nowhere, editorChats: () => Promise.resolve([]) };
    await assert.rejects(chooseModels(other, empty), { cure: /Sign in to the extension that brings it/ });
  });

  it('has no key', async () => {
    assert.deepEqual(await knownSecrets(spec, inWindow), []);
  });

  it('is billed by somebody else, which is said before a run', async () => {
    const models = await chooseModels(spec, inWindow);
    assert.match(priceLines(models, {}).join(), /^vscode\/fake\/one is billed by whoever brings it to VS Code/);
    assert.match(priceLines(models, { 'fake/one': { input: 1, output: 2 } }).join(), /1 USD in, 2 USD out/);
  });
});

describe('the models that a window offers', () => {
  it('are listed by who brings them', async () => {
    const [found, ...more] = await discoverEditorModels(inWindow.editorChats);
    assert.deepEqual([found?.id, found?.label, found?.models, more], ['vscode/fake', 'VS Code: fake', ['one'], []]);
  });

  it('are none where there is no window, or VS Code fails', async () => {
    assert.deepEqual(await discoverEditorModels(undefined), []);
    assert.deepEqual(await discoverEditorModels(() => Promise.reject(new Error('no'))), []);
  });
});
