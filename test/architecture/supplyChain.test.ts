import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { repository } from './sourceFiles.js';
import { mustBeSetUp } from '../builders/leaveOut.js';

const Manifest = z.object({
  scripts: z.record(z.string(), z.string()),
  dependencies: z.record(z.string(), z.string()),
});
const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      dependencies: z.record(z.string(), z.string()).optional(),
      hasInstallScript: z.boolean().optional(),
    }),
  ),
});
const Packages = z.array(z.object({ name: z.string(), version: z.string(), license: z.string() }));
const Bill = z.object({
  bomFormat: z.literal('CycloneDX'),
  metadata: z.object({ component: z.object({ name: z.literal('whetstone') }) }),
  components: z.array(
    z.object({ name: z.string(), version: z.string(), hashes: z.array(z.object({ alg: z.string() })) }),
  ),
});

const read = (file: string): string => readFileSync(join(repository, file), 'utf8');
const manifest = Manifest.parse(JSON.parse(read('package.json')));
const lock = Lock.parse(JSON.parse(read('package-lock.json')));
const bundled = (): z.infer<typeof Packages> => Packages.parse(JSON.parse(read('dist/packages.json')));
const withVersions = (list: readonly { readonly name: string; readonly version: string }[]): readonly string[] =>
  list.map(({ name, version }) => `${name}@${version}`).sort();

describe('what ships of others', () => {
  before(function () {
    if (existsSync(join(repository, 'dist/packages.json')) && existsSync(join(repository, 'whetstone.cdx.json')))
      return;
    mustBeSetUp(this, 'nothing is packaged: run `npm run package`');
  });

  it('is what package.json calls its dependencies, and what those need', () => {
    assert.deepEqual(
      bundled()
        .map(({ name }) => name)
        .sort(),
      withWhatTheyNeed(Object.keys(manifest.dependencies)),
    );
  });

  it('has its licence and its notice in the file that ships', () => {
    const notices = read('dist/THIRD-PARTY-NOTICES.txt');
    for (const { name, version, license } of bundled()) {
      const at = notices.indexOf(`\n${name} ${version} (${license})\n`);
      assert.ok(at > 0, `${name} has no notice`);
      const part = notices.slice(at, notices.indexOf('='.repeat(80), at) >>> 0);
      assert.match(part, /copyright/i, name);
      assert.match(part, /permission|redistribution|apache license/i, name);
    }
    assert.match(read('.vscodeignore'), /^!dist\/THIRD-PARTY-NOTICES\.txt$/m);
  });

  it('stands under a licence that allows it', () => {
    const allowed = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD', '(BSD-3-Clause OR GPL-2.0)'];
    assert.deepEqual(
      bundled().filter(({ license }) => !allowed.includes(license)),
      [],
    );
  });

  it('is the bill of materials beside the VSIX, each with the hash of the lock file', () => {
    const { components } = Bill.parse(JSON.parse(read('whetstone.cdx.json')));
    assert.deepEqual(withVersions(components), withVersions(bundled()));
    assert.ok(components.every(({ hashes }) => hashes.some(({ alg }) => alg === 'SHA-512')));
  });
});

describe('installing', () => {
  it('runs no script of a package that ships, and none of ours', () => {
    const scripts = withWhatTheyNeed(Object.keys(manifest.dependencies)).filter(
      (name) => lock.packages[`node_modules/${name}`]?.hasInstallScript === true,
    );
    assert.deepEqual(scripts, []);
    assert.deepEqual(
      Object.keys(manifest.scripts).filter((name) => /^(?:pre|post)?install$|^prepare$/.test(name)),
      [],
    );
  });
});

/** The named packages and everything that they depend on, by the lock file. */
function withWhatTheyNeed(names: readonly string[]): readonly string[] {
  const known = new Set<string>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (known.has(name)) continue;
    known.add(name);
    waiting.push(...Object.keys(lock.packages[`node_modules/${name}`]?.dependencies ?? {}));
  }
  return [...known].sort();
}
