// Loads and activates an extension once, in a process of its own, and prints what that took and which files it loaded.
const path = require('node:path');
const { performance } = require('node:perf_hooks');
const { nothing } = require('vscode'); // a window has its API long before
const { version } = require('./names.json');

const folder = process.argv[2];
const context = {
  subscriptions: [],
  extension: { packageJSON: { version } },
  asAbsolutePath: (name) => path.join(folder, '..', name),
  globalState: { get: () => undefined, update: () => Promise.resolve() },
  ...Object.fromEntries(
    ['secrets', 'extensionUri', 'globalStorageUri', 'languageModelAccessInformation'].map((name) => [name, nothing()]),
  ),
};
process.on('unhandledRejection', () => undefined); // what comes after activation finds no window

const began = performance.now();
require(path.join(folder, 'extension.js')).activate(context);
const ms = performance.now() - began;
const loaded = Object.keys(require.cache).filter((file) => path.dirname(file) === folder);
process.stdout.write(JSON.stringify({ ms, loaded: loaded.map((file) => path.basename(file)) }), () => process.exit(0));
