import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as fc from 'fast-check';
import * as z from 'zod';
import { UserError } from '../../../../src/errors.js';
import { readSealed, seal, type Sealing, unseal, writeSealed } from '../../../../src/storage/files/sealedFile.js';
import { keyFrom } from '../../../../src/storage/state/stateKey.js';
import { aMachine, scrapMachines } from '../../../builders/storage.js';

const key = keyFrom('11'.repeat(32));
const sealing: Sealing<{ readonly a: number; readonly b: string }> = {
  key,
  format: { format: 'whetstone-sample', version: 2, schema: z.object({ a: z.number(), b: z.string() }) },
  about: 'skill 1',
};
const body = { a: 1, b: 'two' };

describe('a sealed file', () => {
  after(scrapMachines);

  it('starts with its format and version, and verifies', () => {
    const text = seal(sealing, body);
    assert.deepEqual(Object.keys(JSON.parse(text)), ['format', 'version', 'a', 'b', 'mac']);
    assert.deepEqual(unseal(sealing, text), { kind: 'verified', body });
  });

  it('has the same bytes for the same content, whatever the order of its fields', () => {
    assert.equal(seal(sealing, { b: 'two', a: 1 }), seal(sealing, body));
  });

  const elsewhere: readonly { name: string; text: string; with?: Sealing<typeof body> }[] = [
    { name: 'was changed by a character', text: seal(sealing, body).replace('two', 'too') },
    { name: 'has no mac', text: JSON.stringify({ format: 'whetstone-sample', version: 2, ...body }) },
    { name: 'has a mac that is not hexadecimal', text: seal(sealing, body).replace(/"mac": "[^"]*"/, '"mac": "zz"') },
    { name: 'was sealed with another key', text: seal({ ...sealing, key: keyFrom('22'.repeat(32)) }, body) },
    { name: 'was sealed about something else', text: seal({ ...sealing, about: 'skill 2' }, body) },
    { name: 'has fields added', text: seal(sealing, body).replace('"a"', '"extra": 1, "a"') },
    {
      name: 'claims another version than it was sealed with',
      text: seal(sealing, body).replace('"version": 2', '"version": 1'),
    },
  ];
  for (const { name, text } of elsewhere) {
    it(`is made elsewhere when it ${name}`, () => assert.equal(unseal(sealing, text).kind, 'made-elsewhere'));
  }

  const broken: readonly { name: string; text: string }[] = [
    { name: 'no JSON', text: '{' },
    { name: 'nothing at all', text: '' },
    { name: 'a list', text: '[]' },
    { name: 'JSON without a format', text: '{"a":1}' },
    { name: 'another format', text: '{"format":"other","version":1}' },
    { name: 'a body of another form', text: '{"format":"whetstone-sample","version":2,"a":"x"}' },
  ];
  for (const { name, text } of broken) {
    it(`is broken when it holds ${name}, and nothing is thrown`, () => {
      assert.equal(unseal(sealing, text).kind, 'broken');
    });
  }

  it('never verifies and never throws on any other text', () => {
    fc.assert(fc.property(fc.string(), (text) => assert.notEqual(unseal(sealing, text).kind, 'verified')));
  });

  it('refuses what a newer version wrote, with what to do', async () => {
    const { folder } = await aMachine();
    const file = path.join(folder, 'newer.json');
    await writeFile(file, seal({ ...sealing, format: { ...sealing.format, version: 3 } }, body));
    await assert.rejects(
      readSealed(sealing, file),
      (error) => error instanceof UserError && error.code === 'store-newer' && error.cure.startsWith('Update'),
    );
  });

  for (const [name, extra] of [
    ['a figure that JSON cannot say', '"c": 1e999'],
    ['lists inside lists, deeper than any stack', `"c": ${'['.repeat(200_000)}${']'.repeat(200_000)}`],
  ] as const) {
    it(`is broken, and nothing else happens, where it holds ${name}`, () => {
      const text = seal(sealing, body).replace('"a": 1', `"a": 1, ${extra}`);
      assert.equal(unseal(sealing, text).kind, 'broken');
    });
  }

  it('is written for this user alone, and missing where there is none', async () => {
    const { folder } = await aMachine();
    const file = path.join(folder, 'sample.json');
    assert.deepEqual(await readSealed(sealing, file), { kind: 'missing' });
    await writeSealed(sealing, file, body);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.deepEqual(await readSealed(sealing, file), { kind: 'verified', body });
    assert.equal(await readFile(file, 'utf8'), seal(sealing, body));
  });
});
