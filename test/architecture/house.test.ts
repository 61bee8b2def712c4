import assert from 'node:assert/strict';
import { readSource, sourceFiles } from './sourceFiles.js';

const mostLines = 300;
const mostEngineLines = 200;
const namesThatSayNothing = /(^|\/)(utils?|common|helpers?|types|misc|index)\.ts$/;

describe('the house', () => {
  const files = sourceFiles();

  it('has no file over its size', () => {
    const long = files
      .map((file) => ({ file, lines: readSource(file).split('\n').length }))
      .filter(({ file, lines }) => lines > (file.startsWith('engine/') ? mostEngineLines : mostLines));
    assert.deepEqual(long, []);
  });

  it('has no file whose name says nothing', () => {
    assert.deepEqual(
      files.filter((file) => namesThatSayNothing.test(file)),
      [],
    );
  });

  it('imports vscode in the editor and the composition root alone', () => {
    const importers = files.filter((file) => /from ['"]vscode['"]/.test(readSource(file)));
    assert.ok(importers.length > 0);
    assert.deepEqual(
      importers.filter((file) => !file.startsWith('editor/') && file !== 'extension.ts'),
      [],
    );
  });

  for (const name of ['canonicalJson', 'sha256']) {
    it(`defines ${name} once`, () => {
      const definition = new RegExp(`(?:function|const|as) ${name}\\b`);
      assert.deepEqual(
        files.filter((file) => definition.test(readSource(file))),
        ['hash.ts'],
      );
    });
  }

  it('makes hashes without a key in one place', () => {
    assert.deepEqual(
      files.filter((file) => readSource(file).includes('createHash(')),
      ['hash.ts'],
    );
  });
});
