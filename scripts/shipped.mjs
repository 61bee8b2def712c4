// The packages of others whose code is in dist/: their licence notices, which ship with it, and the bill of materials
// (CycloneDX), which lies beside the VSIX. What is in the bundles is asked of the bundler, not of package.json.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Name, version, licence and its text of every package of which the bundles hold at least one byte. */
export function shippedPackages(metafiles) {
  const folders = metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([file]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  return [...new Set(folders)].map(readPackage).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function readPackage(folder) {
  const { name, version, license, repository } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  if (typeof license !== 'string') throw new Error(`${name} ${version} ships in the bundle and names no licence.`);
  const text = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|notice|copying)(?:\.\w+)?$/i.test(file))
    .map((file) => readFileSync(path.join(folder, file), 'utf8').trim())
    .join('\n\n');
  return { name, version, license, text: text === '' ? knownText({ name, license }) : text, from: urlOf(repository) };
}

/** The one package that ships without the text of its licence. Another one fails the build until it is looked at. */
function knownText({ name, license }) {
  if (name === '@vscode/l10n' && license === 'MIT') return `Copyright (c) Microsoft Corporation\n\n${mit}`;
  throw new Error(
    `${name} ships in the bundle without the text of its licence (${license}): add it in scripts/shipped.mjs.`,
  );
}

const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

function urlOf(repository) {
  const url = typeof repository === 'string' ? repository : (repository?.url ?? '');
  return url.replace(/^git\+/, '').replace(/\.git$/, '');
}

/** One part for each package: a heading with name and version, then the licence as its authors wrote it. */
export function noticesOf(packages) {
  const parts = packages.map(
    ({ name, version, license, from, text }) =>
      `${'='.repeat(80)}\n${name} ${version} (${license})\n${from}\n\n${text}\n`,
  );
  return `Whetstone holds code of these packages. Each stands under its own licence.\n\n${parts.join('\n')}`;
}

/** What npm knows of the shipped packages, with the hashes of the lock file; the packages that only build are not in it. */
export function billOfMaterials(packages, root) {
  const bill = JSON.parse(npm(['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], root));
  const shipped = new Set(packages.map(({ name, version }) => `${name}@${version}`));
  const components = bill.components.filter(({ name, version }) => shipped.has(`${name}@${version}`));
  const refs = new Set([bill.metadata.component['bom-ref'], ...components.map((component) => component['bom-ref'])]);
  const dependencies = bill.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
  const own = {
    ...bill.metadata.component,
    name: 'whetstone',
    type: 'application',
    description: 'Trains agent skills.',
  };
  return { ...bill, metadata: { ...bill.metadata, component: own }, components, dependencies };
}

/** As the npm that runs this script, where one does; on Windows `npm` alone is no program. */
function npm(words, cwd) {
  const program = process.env.npm_execpath;
  const [command, given] = program?.endsWith('.js') ? [process.execPath, [program, ...words]] : ['npm', words];
  const { stdout, stderr, status } = spawnSync(command, given, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    shell: command === 'npm' && process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`npm ${words[0]} ended with ${status}: ${stderr}`);
  return stdout;
}
