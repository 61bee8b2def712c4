// Makes whetstone.vsix: the one file for the Visual Studio Marketplace and for Open VSX; beside it whetstone.cdx.json, the
// bill of materials of what it bundles.
//   node scripts/package.mjs [--out <file>]
import { createVSIX } from '@vscode/vsce';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { checkForOpenVsx } from './openVsx.mjs';
import { billOfMaterials } from './shipped.mjs';

const root = path.resolve(import.meta.dirname, '..');
const mostBytes = 2_500 * 1_000;
const outAt = process.argv.indexOf('--out');
const vsix = path.resolve(outAt < 0 ? path.join(root, 'whetstone.vsix') : process.argv[outAt + 1]);

// vsce runs the script vscode:prepublish first: the production build.
// Everything that runs is bundled into dist/: node_modules has no part in the file.
await createVSIX({ cwd: root, packagePath: vsix, dependencies: false });
const { size } = statSync(vsix);
process.stdout.write(`${path.basename(vsix)}: ${(size / 1024).toFixed(0)} KB\n`);
if (size > mostBytes) {
  process.stderr.write(
    `It may have at most ${(mostBytes / 1024).toFixed(0)} KB: see what grew, or why it is worth more.\n`,
  );
  process.exitCode = 1;
}
const packages = JSON.parse(readFileSync(path.join(root, 'dist/packages.json'), 'utf8'));
const bill = vsix.replace(/(?:\.vsix)?$/, '.cdx.json');
writeFileSync(bill, `${JSON.stringify(billOfMaterials(packages, root), undefined, 2)}\n`);
process.stdout.write(`${path.basename(bill)}: ${packages.length} packages are bundled\n`);
for (const line of await checkForOpenVsx(vsix)) process.stdout.write(`${line}\n`);
