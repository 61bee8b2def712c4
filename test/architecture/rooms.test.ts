import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { importsOf, readSource, sourceFiles, sources } from './sourceFiles.js';

const mostFilesInFolder = 25;
const mostFilesInCircle = 3;

/** Files of the editor that need no VS Code because they only declare the types, names, texts and rows of a view. */
const declarations: readonly string[] = [
  'editor/commands/commands.ts',
  'editor/contributions.ts',
  'editor/report/reportHtml.ts',
  'editor/report/reportWords.ts',
  'editor/tree/branch.ts',
  'editor/tree/treeNode.ts',
  'editor/tree/verdictWords.ts',
];

describe('the rooms of the house', () => {
  const files = sourceFiles();
  const imports = new Map(files.map((file) => [file, importedFiles(file, files)]));

  it(`hold at most ${mostFilesInFolder} files of their own each, whatever they are`, () => {
    const counts = new Map<string, number>();
    for (const each of readdirSync(sources, { recursive: true, withFileTypes: true })) {
      const folder = relative(sources, each.parentPath);
      if (each.isFile()) counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    assert.ok(counts.size > 30, `only ${counts.size} folders were found`);
    assert.deepEqual(
      [...counts].filter(([, count]) => count > mostFilesInFolder),
      [],
    );
  });

  it(`have no circle of more than ${mostFilesInCircle} files, imports of types counted`, () => {
    const arrows = [...imports.values()].reduce((sum, each) => sum + each.length, 0);
    assert.ok(arrows > 1000, `only ${arrows} imports were found`);
    assert.deepEqual(
      circlesIn(imports).filter((circle) => circle.length > mostFilesInCircle),
      [],
    );
  });

  it('find a circle where there is one', () => {
    const round = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['a', 'd']],
      ['d', []],
    ]);
    assert.deepEqual(
      circlesIn(round).map((circle) => [...circle].sort()),
      [['a', 'b', 'c']],
    );
  });

  it('keep what needs no VS Code out of the editor, but for the types, names and texts of its views', () => {
    const without = files.filter((file) => file.startsWith('editor/') && !/from ['"]vscode['"]/.test(readSource(file)));
    assert.deepEqual(
      without.filter((file) => !declarations.includes(file)),
      [],
    );
    assert.deepEqual(
      declarations.filter((file) => !without.includes(file)),
      [],
      'listed, and needs VS Code or is gone',
    );
  });

  it('import no bundle from the editor, and load none of them with the window', () => {
    assert.ok(files.filter(isBundle).length >= 3);
    const fromEditor = files.filter((file) => file.startsWith('editor/') && (imports.get(file) ?? []).some(isBundle));
    assert.deepEqual(fromEditor, []);
    const loaded = loadedWith('extension.ts', files);
    assert.ok(loaded.size > 20, `only ${loaded.size} files are loaded with the window`);
    assert.deepEqual([...loaded].filter(isBundle), []);
  });

  for (const name of ['rebase', 'worthText', 'canonicalJson', 'sha256']) {
    it(`define ${name} once`, () => {
      const definition = new RegExp(`(?:function|const|class)\\s+${name}\\b`);
      assert.equal(files.filter((file) => definition.test(readSource(file))).length, 1);
    });
  }
});

function isBundle(file: string): boolean {
  return file.startsWith('bundles/');
}

function importedFiles(file: string, files: readonly string[]): readonly string[] {
  return importsOf(readSource(file))
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier }) => resolved(file, specifier))
    .filter((target) => files.includes(target));
}

function resolved(file: string, specifier: string): string {
  return relative(sources, join(sources, dirname(file), specifier))
    .replaceAll('\\', '/')
    .replace(/\.js$/, '.ts');
}

/** What a bundle holds whose entry this is: values that are imported statically, and theirs. */
function loadedWith(entry: string, files: readonly string[]): ReadonlySet<string> {
  const loaded = new Set<string>();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (loaded.has(file)) continue;
    loaded.add(file);
    const text = readSource(file).replace(/\bimport\(\s*['"][^'"]+['"]\s*\)/g, '');
    const next = importsOf(text)
      .filter(({ specifier, typeOnly }) => specifier.startsWith('.') && !typeOnly)
      .map(({ specifier }) => resolved(file ?? '', specifier));
    waiting.push(...next.filter((target) => files.includes(target)));
  }
  return loaded;
}

/** The strongly connected parts of a graph with more than one member (Tarjan). */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const index = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (node: string): void => {
    index.set(node, index.size);
    lowest.set(node, index.get(node) ?? 0);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) lowest.set(node, Math.min(lowest.get(node) ?? 0, lowest.get(next) ?? 0));
    }
    if (lowest.get(node) !== index.get(node)) return;
    const circle = stack.splice(stack.indexOf(node));
    if (circle.length > 1) circles.push(circle);
  };
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return circles;
}
