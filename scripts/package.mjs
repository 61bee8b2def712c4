// Makes whetstone.vsix: the one file for the Visual Studio Marketplace and for Open VSX; beside it whetstone.cdx.json, the
// bill of materials of what it bundles.
//   node scripts/package.mjs [--out <file>]
import { createVSIX } from '@vscode/vsce';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkForOpenVsx } from './openVsx.mjs';
import { billOfMaterials } from './shipped.mjs';

const root = path.resolve(import.meta.dirname, '..');
const mostBytes = 2_500 * 1_000;
const outAt = process.argv.indexOf('--out');
const vsix = path.resolve(outAt < 0 ? path.join(root, 'whetstone.vsix') : process.argv[outAt + 1]);

const built = spawnSync(process.execPath, ['esbuild.mjs', '--production'], { cwd: root, stdio: 'inherit' });
if (built.status !== 0) process.exit(1);
const folder = mkdtempSync(path.join(tmpdir(), 'whetstone-vsix-'));
try {
  copyShipped(folder);
  // Everything that runs is bundled into dist/: node_modules has no part in the file.
  await createVSIX({ cwd: folder, packagePath: vsix, dependencies: false });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
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

/**
 * What `.vscodeignore` ships something of, and the manifest without its build, which is over. vsce holds every file that
 * lies in its folder, those of the test host too, against every pattern: in the repository that takes longer than all else.
 */
function copyShipped(to) {
  const list = '.vscodeignore';
  const lines = readFileSync(path.join(root, list), 'utf8').split('\n');
  const shipped = lines.filter((line) => line.startsWith('!')).map((line) => matcher(line.slice(1).split('/', 1)[0]));
  for (const name of readdirSync(root))
    if (name === list || shipped.some((matches) => matches.test(name)))
      cpSync(path.join(root, name), path.join(to, name), { recursive: true });
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  delete manifest.scripts['vscode:prepublish'];
  writeFileSync(path.join(to, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

/** Of a name with stars. */
function matcher(name) {
  return new RegExp(`^${name.replaceAll('.', String.raw`\.`).replaceAll('*', '.*')}$`);
}
