import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { readSource, repository, sourceFiles } from './sourceFiles.js';

const Words = z.record(z.string(), z.string());

/** Everything a person reads in the editor exists in English and in Simplified Chinese, with the same places in it. */
describe('the words of the editor', () => {
  const spoken = [...new Set(sourceFiles().filter(isEditor).flatMap(spokenIn))].sort();
  const english = read('l10n/bundle.l10n.json');
  const chinese = read('l10n/bundle.l10n.zh-cn.json');

  it('sees them', () => assert.ok(spoken.length > 300, `only ${spoken.length} texts were found`));

  it('are all in the bundle, and nothing else is', () => {
    assert.deepEqual(Object.keys(english).sort(), spoken);
  });

  it('are all translated', () => {
    assert.deepEqual(Object.keys(chinese).sort(), spoken);
    const same = Object.entries(chinese).filter(([key, text]) => key === text && /[a-z]{4}/.test(key));
    assert.deepEqual(same, []);
  });

  it('keep their places in the translation', () => {
    const lost = Object.entries(chinese).filter(([key, text]) => placesIn(key).join() !== placesIn(text).join());
    assert.deepEqual(lost, []);
  });
});

describe('the words of package.json', () => {
  const manifest = readFileSync(join(repository, 'package.json'), 'utf8');
  const used = [...new Set([...manifest.matchAll(/"%([\w.]+)%"/g)].map((match) => match[1] ?? ''))].sort();
  const english = read('package.nls.json');
  const chinese = read('package.nls.zh-cn.json');

  it('are all in both files, and nothing else is', () => {
    assert.ok(used.length > 80);
    assert.deepEqual(Object.keys(english).sort(), used);
    assert.deepEqual(Object.keys(chinese).sort(), used);
  });

  it('are never written into package.json itself', () => {
    const { contributes } = Manifest.parse(JSON.parse(manifest));
    const literal = contributes.commands.filter(({ title }) => !title.startsWith('%')).map(({ command }) => command);
    assert.deepEqual(literal, []);
  });

  it('run the same commands in both languages', () => {
    const differing = Object.keys(english).filter(
      (key) => commandsIn(english[key] ?? '') !== commandsIn(chinese[key] ?? ''),
    );
    assert.deepEqual(differing, []);
  });
});

const Manifest = z.object({
  contributes: z.object({ commands: z.array(z.object({ command: z.string(), title: z.string() })) }),
});

function isEditor(file: string): boolean {
  const others = ['extension.ts', 'schedule/statusText.ts'];
  return file.startsWith('editor/') || others.includes(file);
}

/** The texts of `l10n.t('…')`, and of `t('…')` where the function is handed in. */
function spokenIn(file: string): readonly string[] {
  const calls = readSource(file).matchAll(/(?:l10n\.t|\bt)\(\s*'((?:[^'\\]|\\.)*)'/g);
  return [...calls].map((match) => (match[1] ?? '').replaceAll("\\'", "'").replaceAll('\\n', '\n'));
}

function commandsIn(text: string): string {
  return [...text.matchAll(/\(command:[\w.]+\)/g)].join();
}

function placesIn(text: string): readonly string[] {
  return [...text.matchAll(/\{\d\}/g)].map(String).sort();
}

function read(file: string): z.infer<typeof Words> {
  return Words.parse(JSON.parse(readFileSync(join(repository, file), 'utf8')));
}
