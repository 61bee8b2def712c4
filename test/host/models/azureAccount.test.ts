import assert from 'node:assert/strict';
import type { AuthenticationSession } from 'vscode';
import { azureAccount, type FindSession } from '../../../src/editor/models/azureAccount.js';

describe('the Microsoft account of a window', () => {
  it('is asked for once by whoever looks at the window, and not again', async () => {
    const { asked, find } = aSignIn();
    assert.equal(await azureAccount('scope', find, true), 'token of scope');
    assert.equal(await azureAccount('scope', find, true), 'token of scope');
    assert.deepEqual(asked, ['scope']);
  });

  it('is asked of nobody where the window is not looked at, as at night', async () => {
    const { asked, find } = aSignIn();
    assert.equal(await azureAccount('scope', find, false), undefined);
    assert.deepEqual(asked, []);
  });

  it('is VS Code’s own, which knows of nobody here and asks nobody at night', async () => {
    assert.equal(await azureAccount('https://cognitiveservices.azure.com/.default', undefined, false), undefined);
  });
});

/** A stand-in for Microsoft's sign-in: whoever was asked is known from then on. */
function aSignIn(): { readonly asked: string[]; readonly find: FindSession } {
  const asked: string[] = [];
  let known: AuthenticationSession | undefined;
  const find: FindSession = (scope, mayAsk) => {
    if (mayAsk) {
      asked.push(scope);
      known = { id: '1', accessToken: `token of ${scope}`, account: { id: 'ada', label: 'Ada' }, scopes: [scope] };
    }
    return Promise.resolve(known);
  };
  return { asked, find };
}
