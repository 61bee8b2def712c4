import assert from 'node:assert/strict';
import { importsOf, readSource, roomOf, sourceFiles, targetOf } from './sourceFiles.js';

/**
 * Who may import whom, beside its own room. A room that is not listed fails. `type:` marks a door for types only;
 * a trailing `*` is a prefix.
 */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'errors.ts': [],
  'hash.ts': ['node:crypto'],
  'parseJson.ts': [],
  'endlessText.ts': [],
  'jsonFile.ts': [],
  'shellCommands.ts': [],
  'usdFigure.ts': [],
  'whileQuiet.ts': [],
  'harmlessEnvironment.ts': [],
  'isInside.ts': ['node:path'],
  'mayRun.ts': ['node:fs', 'node:fs/promises'],
  'searchedFolders.ts': ['isInside.ts', 'node:fs/promises', 'node:os', 'node:path'],
  'mapTexts.ts': [],
  'keyBinding.ts': ['errors.ts'],
  skill: ['errors.ts', 'diff', 'yaml', 'hash.ts', 'node:vm'],
  tasks: ['errors.ts', 'jsonFile.ts', 'zod', 'hash.ts'],
  ports: ['type:errors.ts', 'type:skill', 'type:tasks', 'type:gate'],
  gate: ['errors.ts'],
  // Every sentence about points, worth, verdicts, prices and times: facts in, words out.
  wording: ['usdFigure.ts', 'gate', 'skill', 'type:ports', 'type:harvest', '@vscode/l10n'],
  prompts: ['errors.ts', 'skill', 'type:ports', 'zod', '*.md', 'hash.ts'],
  checks: [
    'errors.ts',
    'shellCommands.ts',
    'tasks',
    'type:ports',
    'prompts',
    'zod',
    'hash.ts',
    'node:vm',
    'node:async_hooks',
  ],
  environments: ['errors.ts', 'endlessText.ts', 'tasks', 'type:ports', 'prompts', 'zod', 'hash.ts', 'parseJson.ts'],
  engine: ['errors.ts', 'skill', 'tasks', 'checks', 'type:ports', 'prompts', 'gate', 'wording', 'zod', 'hash.ts'],
  redaction: ['mapTexts.ts', '@secretlint/*', 'node:crypto'],
  schedule: ['errors.ts', 'wording', 'croner'],
  // Past sessions with agents: lines, texts and rows in, sessions out.
  harvest: ['parseJson.ts', 'hash.ts', 'tasks', 'node:path'],
  models: [
    'errors.ts',
    'endlessText.ts',
    'hash.ts',
    'harmlessEnvironment.ts',
    'mayRun.ts',
    'searchedFolders.ts',
    'parseJson.ts',
    'shellCommands.ts',
    'mapTexts.ts',
    'type:ports',
    'redaction',
    'zod',
    'openai',
    'p-queue',
    'node:*',
  ],
  // The form of OpenAI-compatible servers, for those that we serve ourselves.
  wire: ['errors.ts', 'hash.ts', 'parseJson.ts', 'type:ports', 'zod', 'node:*'],
  simulated: ['errors.ts', 'hash.ts', 'parseJson.ts', 'type:ports', 'wire', 'zod', 'node:*'],
  storage: [
    'errors.ts',
    'harmlessEnvironment.ts',
    'isInside.ts',
    'mayRun.ts',
    'searchedFolders.ts',
    'hash.ts',
    'parseJson.ts',
    'mapTexts.ts',
    'usdFigure.ts',
    'type:ports',
    'skill',
    'tasks',
    'harvest',
    'type:gate',
    'zod',
    // In the helper process of the sandbox alone, which is a bundle of its own.
    '@anthropic-ai/sandbox-runtime',
    'node:*',
  ],
  // Physical calls on other machines: in the npm package alone, but for a window's way to the command line.
  queue: [
    'errors.ts',
    'harmlessEnvironment.ts',
    'hash.ts',
    'parseJson.ts',
    'searchedFolders.ts',
    'type:ports',
    'models',
    'storage',
    'zod',
    'bullmq',
    'ioredis',
    'type:ioredis',
    'type:bullmq',
    'node:*',
  ],
  // A proposal against the file of today: pure, so that every face gives the same answer.
  review: ['errors.ts', 'hash.ts', 'skill', 'type:ports', 'type:gate', 'zod'],
  // The use cases that both faces share, wired once: loaded at first use, so that activation stays small.
  app: [
    'errors.ts',
    'isInside.ts',
    'searchedFolders.ts',
    'hash.ts',
    'jsonFile.ts',
    'parseJson.ts',
    'keyBinding.ts',
    'usdFigure.ts',
    'engine',
    'environments',
    'checks',
    'gate',
    'wording',
    'models',
    'simulated',
    'wire',
    'storage',
    'review',
    'redaction',
    'schedule',
    'harvest',
    'type:ports',
    'prompts',
    'skill',
    'tasks',
    'zod',
    'yaml',
    'node:*',
  ],
  // What is loaded later than the window: at first use, at the first command, once the window is open.
  bundles: ['app', 'checks', 'models', 'queue', 'storage', 'simulated', 'editor'],
  editor: [
    'errors.ts',
    'hash.ts',
    'keyBinding.ts',
    'usdFigure.ts',
    'whileQuiet.ts',
    'engine',
    'type:gate',
    'wording',
    'schedule',
    'type:ports',
    'skill',
    'tasks',
    'review',
    'type:app',
    'type:webview',
    'vscode',
  ],
  webview: ['usdFigure.ts', 'type:app'],
  cli: [
    'errors.ts',
    'isInside.ts',
    'whileQuiet.ts',
    'engine',
    'gate',
    'type:gate',
    'wording',
    'schedule',
    'type:ports',
    'tasks',
    'type:app',
    'diff',
    'commander',
    'node:*',
  ],
  // The library for programs: the same use cases, with values in the place of words.
  library: ['errors.ts', 'engine', 'wording', 'type:ports', 'type:app', 'node:*'],
  'library.ts': ['library', 'bundles', 'errors.ts', 'type:ports'],
  'extension.ts': ['editor', 'review', 'errors.ts', 'type:ports', 'wording', 'bundles', 'type:app', 'vscode', 'node:*'],
  'cli.ts': ['cli', 'bundles', 'errors.ts', 'type:ports', 'type:app', 'node:*', 'type:commander'],
};

describe('the import allow-list', () => {
  const files = sourceFiles();

  it('sees the sources', () => {
    assert.ok(files.length > 20, `only ${files.length} sources were found`);
    assert.ok(files.includes('extension.ts') && files.includes('errors.ts'));
  });

  it('sees static, dynamic, re-exported, type-only and required imports', () => {
    const text = `import a from 'a';\nimport type { B } from './b.js';\nexport { c } from "c";\nimport 'd';\nawait import('e'); require('f');`;
    assert.deepEqual(importsOf(text), [
      { specifier: 'a', typeOnly: false },
      { specifier: './b.js', typeOnly: true },
      { specifier: 'c', typeOnly: false },
      { specifier: 'd', typeOnly: false },
      { specifier: 'e', typeOnly: false },
      { specifier: 'f', typeOnly: false },
    ]);
  });

  it('would refuse vscode in the engine, storage in the editor and a value through a door for types', () => {
    assert.equal(mayImport('engine/step.ts', 'vscode', false), false);
    assert.equal(mayImport('editor/tree/a.ts', '../../storage/files/lock.js', false), false);
    assert.equal(mayImport('storage/a.ts', '../gate/verdict/verdict.js', false), false);
    assert.equal(mayImport('storage/a.ts', '../gate/verdict/verdict.js', true), true);
  });

  it('lists no door that nobody uses', () => {
    const unused = Object.entries(allowed).flatMap(([room, doors]) => {
      const imports = files
        .filter((file) => roomOf(file) === room)
        .flatMap((file) =>
          importsOf(readSource(file)).map((each) => ({ ...each, target: targetOf(file, each.specifier) })),
        );
      const isUsed = (door: string): boolean =>
        imports.some(({ target, typeOnly }) => opens(door, target, typeOnly) && typeOnly === door.startsWith('type:'));
      return doors.filter((door) => !isUsed(door)).map((door) => `${room}: ${door}`);
    });
    assert.deepEqual(unused, []);
  });

  for (const [folder, inside] of byTopFolder(files)) {
    it(`holds for ${folder}`, () => {
      assert.deepEqual(
        inside.filter((file) => allowed[roomOf(file)] === undefined),
        [],
        'of no room that is listed',
      );
      assert.deepEqual(inside.flatMap(refusedImports), []);
    });
  }
});

/** The files that lie directly in `src/` stand together. */
function byTopFolder(files: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const folders = new Map<string, readonly string[]>();
  for (const file of files) {
    const folder = file.includes('/') ? `src/${roomOf(file)}/` : 'what lies directly in src/';
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  return folders;
}

/** Each as `engine/step.ts imports vscode`. */
function refusedImports(file: string): readonly string[] {
  return importsOf(readSource(file))
    .filter((each) => !mayImport(file, each.specifier, each.typeOnly))
    .map((each) => `${file} imports ${each.specifier}`);
}

function mayImport(file: string, specifier: string, typeOnly: boolean): boolean {
  const room = roomOf(file);
  const target = targetOf(file, specifier);
  if (target === room) return true;
  return (allowed[room] ?? []).some((door) => opens(door, target, typeOnly));
}

function opens(door: string, target: string, typeOnly: boolean): boolean {
  if (door.startsWith('type:')) return typeOnly && opens(door.slice('type:'.length), target, false);
  return door.endsWith('*') && door !== '*.md' ? target.startsWith(door.slice(0, -1)) : door === target;
}
