import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository, sources } from './sourceFiles.js';

/** What lies directly in a folder of the sources: folders, and sources but for declarations. */
function namesIn(folder: string): readonly string[] {
  return readdirSync(join(sources, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || (folder === '' && /(?<!\.d)\.ts$/.test(entry.name)))
    .map(({ name }) => name);
}

/** The drawing of the sources on a page: its fenced text that speaks of the engine's loop. */
function drawingOf(page: string): readonly string[] {
  const fences = [...readFileSync(join(repository, page), 'utf8').matchAll(/^```\w*\n([^]*?)^```$/gm)];
  const drawing = fences.map(([, text = '']) => text).find((text) => text.includes('engine/'));
  assert.ok(drawing !== undefined, `${page} has a drawing`);
  return drawing.split('\n');
}

function isNamed(name: string, text: string): boolean {
  const word = name.replaceAll('.', '\\.');
  return new RegExp(`(?<![\\w/.])${word}(?![\\w.])`).test(text);
}

/** Whoever reads a page first finds every folder on it. */
for (const page of ['docs/architecture.md', 'CONTRIBUTING.md']) {
  describe(`the drawing of the sources in ${page}`, () => {
    const lines = drawingOf(page);

    it('names all that lies in src/', () => {
      const names = namesIn('');
      assert.ok(names.length > 25, `only ${names.length} names were found`);
      const missing = names.filter((name) => !isNamed(name.includes('.') ? name : `${name}/`, lines.join('\n')));
      assert.deepEqual(missing, []);
    });

    for (const folder of ['app', 'engine'])
      it(`names all folders of ${folder}/ in its line`, () => {
        const line = lines.find((each) => isNamed(`${folder}/`, each)) ?? '';
        const names = namesIn(folder);
        assert.ok(names.length > 5, `only ${names.length} folders were found`);
        assert.deepEqual(
          names.filter((name) => !isNamed(name, line)),
          [],
        );
      });
  });
}
