// Groups the tests of the host by the window that they need; each group is one start of VS Code.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from './paths.mjs';

const defaultSuite = {
  name: 'single',
  workspace: 'single',
  extensions: ['environmentExtension', 'modelExtension', 'rowExtension'],
};
const knownKeys = ['workspace', 'settings', 'trust', 'extensions'];

/**
 * A folder with a suite.json (`workspace`, `settings`, `trust`, `extensions`, all optional) is a suite with every test
 * below it; tests without one share the default, a window on the workspace `single`. `words` choose test files by path;
 * `folder` is where the tests lie.
 */
export function findSuites({ words = [], full = false, folder = 'test/host' }) {
  const tests = path.join(root, folder);
  const chosen = testFiles(tests).filter((file) => isInTier(file, { full, words }) && isChosen(file, words));
  const byFolder = groupBy(chosen, (file) => suiteFolder(file, tests));
  return [...byFolder].map(([suite, files]) => ({ ...readSuite(suite, tests), files }));
}

export function testFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort((a, b) => (a < b ? -1 : 1));
}

/** What ends in `.full.test.ts` is of the full tier, or asked for by name. */
export function isInTier(file, { full, words = [] }) {
  return full || words.length > 0 || !file.endsWith('.full.test.ts');
}

export function isChosen(file, words) {
  const name = path.relative(root, file).split(path.sep).join('/');
  return words.length === 0 || words.some((word) => name.includes(word));
}

function suiteFolder(file, tests) {
  let folder = path.dirname(file);
  while (folder !== tests && !existsSync(path.join(folder, 'suite.json'))) folder = path.dirname(folder);
  return folder;
}

function readSuite(folder, tests) {
  if (folder === tests) return defaultSuite;
  const file = path.join(folder, 'suite.json');
  const suite = JSON.parse(readFileSync(file, 'utf8'));
  const unknown = Object.keys(suite).filter((key) => !knownKeys.includes(key));
  if (unknown.length > 0) throw new Error(`${file}: unknown ${unknown.join(', ')}; known are ${knownKeys.join(', ')}.`);
  return { name: path.relative(tests, folder), ...suite };
}

export function groupBy(values, keyOf) {
  const groups = new Map();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return groups;
}
