// Makes whetstone.vsix: the one file for the Visual Studio Marketplace and for Open VSX.
//   node scripts/package.mjs [--out <file>]
import { createVSIX } from '@vscode/vsce';
import { statSync } from 'node:fs';
import path from 'node:path';
import { checkForOpenVsx } from './openVsx.mjs';

const root = path.resolve(import.meta.dirname, '..');
const outAt = process.argv.indexOf('--out');
const vsix = path.resolve(outAt < 0 ? path.join(root, 'whetstone.vsix') : process.argv[outAt + 1]);

// vsce runs the script vscode:prepublish first: the production build.
// Everything that runs is bundled into dist/: node_modules has no part in the file.
await createVSIX({ cwd: root, packagePath: vsix, dependencies: false });
process.stdout.write(`${path.basename(vsix)}: ${(statSync(vsix).size / 1024).toFixed(0)} KB\n`);
for (const line of await checkForOpenVsx(vsix)) process.stdout.write(`${line}\n`);
