import assert from 'node:assert/strict';
import { requestModelAccess } from '../../../src/editor/models/editorChats.js';
import { FakeEditorChat } from '../../fakes/FakeEditorChat.js';
import { answering } from '../answering.js';

/** Nobody is there to be asked at night. */
describe('leave to use a model of VS Code', () => {
  const rows: readonly { name: string; spec: string | undefined; allowed: boolean | undefined; checks: number }[] = [
    { name: 'is nobody’s business where another model is chosen', spec: 'simulated', allowed: undefined, checks: 0 },
    { name: 'is there where it was given', spec: 'vscode/fake/one', allowed: true, checks: 0 },
    { name: 'is asked for where it was not', spec: 'vscode/fake/one', allowed: undefined, checks: 1 },
    { name: 'is asked for again where it was refused', spec: 'vscode/fake/one', allowed: false, checks: 1 },
  ];
  for (const { name, spec, allowed, checks } of rows)
    it(name, async () => {
      const { checked, warnings } = await asking(spec, allowed);
      assert.equal(checked, checks);
      assert.deepEqual(warnings, []);
    });

  it('that is not given is told, and keeps nobody waiting', async () => {
    const failure = { check: 'tiny call', state: 'failed', what: 'You said no.', cure: 'Say yes.' } as const;
    assert.deepEqual((await asking('vscode/fake/one', false, failure)).warnings, ['You said no. Say yes.']);
  });
});

async function asking(
  spec: string | undefined,
  allowed: boolean | undefined,
  failure?: Awaited<ReturnType<Parameters<typeof requestModelAccess>[1]['source']['check']>>['failure'],
) {
  const chat = new FakeEditorChat();
  chat.allowed = allowed;
  let checked = 0;
  const check = () => Promise.resolve({ healthy: true, text: '', failure }).finally(() => (checked += 1));
  const { warnings } = await answering({}, () =>
    requestModelAccess([spec, undefined], { chats: () => Promise.resolve([chat]), source: { check } }),
  );
  return { checked, warnings };
}
