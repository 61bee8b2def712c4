import assert from 'node:assert/strict';
import { chooseModels, endpointFor } from '../../src/app/models/chooseModels.js';
import { keyOriginOf, maySendKey, storedKeyFor } from '../../src/keyBinding.js';

describe('whom a key is sent to', () => {
  const addresses: readonly [address: string, may: boolean][] = [
    ['https://api.example.com/v1', true],
    ['https://192.168.1.5:8000/v1', true],
    ['http://localhost:11434/v1', true],
    ['http://proxy.localhost/v1', true],
    ['http://127.0.0.1:8000/v1', true],
    ['http://127.8.9.10', true],
    ['http://[::1]:8000/v1', true],
    ['http://api.example.com/v1', false],
    ['http://192.168.1.5:8000/v1', false],
    ['http://10.0.0.1/v1', false],
    ['http://host.docker.internal/v1', false],
    ['http://localhost.example.com/v1', false],
    ['http://127.0.0.1.example.com/v1', false],
    ['http://127.example/v1', false],
    ['http://localhost@example.com/v1', false],
    ['http://[::2]/v1', false],
    ['ftp://localhost/v1', false],
    ['nonsense', false],
  ];
  for (const [address, may] of addresses) {
    it(`${address}: ${may ? 'yes' : 'no'}`, () => assert.equal(maySendKey(address), may));
  }

  it('is scheme, host and port', () => {
    assert.equal(keyOriginOf('https://me@Host.example:443/v1?x=1#m'), 'https://host.example');
    assert.notEqual(keyOriginOf('http://host.example:8000/v1'), keyOriginOf('https://host.example:8000/v1'));
    assert.equal(keyOriginOf('whetstone:x'), undefined);
  });
});

describe('a stored key', () => {
  it('is that of the scheme and host', async () => {
    const keys = read({ 'http://localhost:8000': 'open', 'https://localhost:8000': 'closed' });
    assert.equal(await storedKeyFor('http://localhost:8000/v1', keys), 'open');
    assert.equal(await storedKeyFor('https://localhost:8000/v1', keys), 'closed');
    assert.equal(await storedKeyFor('https://localhost/v1', keys), undefined);
    assert.equal(await storedKeyFor('nonsense', keys), undefined);
  });

  it('of an earlier version, bound to its host, is read over https and on this machine', async () => {
    const keys = read({ 'my.host': 'old', 'localhost:8000': 'near' });
    assert.equal(await storedKeyFor('https://my.host/v1', keys), 'old');
    assert.equal(await storedKeyFor('http://localhost:8000/v1', keys), 'near');
    await assert.rejects(storedKeyFor('http://my.host/v1', keys), { code: 'model-key-exposed', cure: /https:\/\// });
  });
});

describe('a key in the environment', () => {
  const environment = { WHETSTONE_API_KEY: 'k3y', AZURE_OPENAI_API_KEY: 'azur3' };
  const around = { environment, fetch };

  for (const spec of ['http://llm.example/v1#m', 'http://10.1.2.3:8000/v1#m', 'http://llm.example?api-version=1#m']) {
    it(`does not go to ${spec}, and the person is told what to do`, async () => {
      const refusal = { code: 'model-key-exposed', message: /plain http/, cure: /https:.*tunnel.*unset \w+_API_KEY\./ };
      await assert.rejects(endpointFor(spec, around), refusal);
      await assert.rejects(chooseModels({ target: spec, optimizer: undefined, judge: undefined }, around), refusal);
    });
  }

  for (const spec of ['https://llm.example/v1#m', 'http://localhost:8000/v1#m', 'http://127.0.0.1:8000/v1#m']) {
    it(`goes to ${spec}`, async () => assert.equal((await endpointFor(spec, around)).apiKey, 'k3y'));
  }

  it('is not needed where there is none: a server in the house is asked without', async () => {
    const { apiKey } = await endpointFor('http://10.1.2.3:8000/v1#m', { environment: {}, fetch });
    assert.equal(apiKey, undefined);
  });
});

function read(keys: Readonly<Record<string, string>>): (name: string) => Promise<string | undefined> {
  return (name) => Promise.resolve(keys[name]);
}
