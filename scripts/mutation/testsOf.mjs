// Which tests reach a source file, and how directly.
import path from 'node:path';
import { build } from 'esbuild';

/** All imports below these test files, found by one build that writes nothing. */
export async function importGraph(root, tests) {
  const { metafile } = await build({
    stdin: { contents: tests.map((file) => `import ${JSON.stringify(file)};`).join('\n'), resolveDir: root },
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    loader: { '.md': 'text', '.child.cjs': 'text' },
    logLevel: 'error',
    outdir: 'out',
  });
  const importers = new Map();
  for (const [file, { imports }] of Object.entries(metafile.inputs))
    for (const { path: imported, external } of imports)
      if (!external) importers.set(imported, [...(importers.get(imported) ?? []), file]);
  const sources = Object.keys(metafile.inputs).filter((file) => /^src\/.*\.ts$/.test(file));
  const isTest = new Set(tests.map((file) => path.relative(root, file).split(path.sep).join('/')));
  return { sources: sources.sort(), testsOf: (file) => testsOf(file, importers, isTest) };
}

/** Near ones first, those of the same name before others. */
function testsOf(file, importers, isTest) {
  const distance = new Map([[file, 0]]);
  const waiting = [file];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
    for (const importer of importers.get(next) ?? []) {
      if (distance.has(importer)) continue;
      distance.set(importer, (distance.get(next) ?? 0) + 1);
      waiting.push(importer);
    }
  const name = path.basename(file, '.ts');
  const room = path.dirname(file).replace(/^src\//, '');
  const rank = (test, steps) =>
    steps - (path.basename(test).startsWith(name) ? 10 : 0) - (test.includes(`/${room}/`) ? 1 : 0);
  return [...distance]
    .filter(([test]) => isTest.has(test))
    .map(([test, steps]) => ({ test, steps, rank: rank(test, steps) }))
    .sort((a, b) => a.rank - b.rank || (a.test < b.test ? -1 : 1));
}
