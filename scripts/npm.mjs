// Makes the npm package: the command line and the library for Node, with its types, in a folder with a package.json of its
// own. vsce refuses `files` beside `.vscodeignore`, and the extension ships no library.
//   node scripts/npm.mjs [--out <folder>]     the folder, `out/npm` where it is left out; `npm pack` there makes the archive
//   node scripts/npm.mjs --no-types           without the types, for whoever only runs it: they take most of the time
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const outAt = process.argv.indexOf('--out');
const folder = path.resolve(outAt < 0 ? path.join(root, 'out/npm') : process.argv[outAt + 1]);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

run(path.join(root, 'esbuild.mjs'), '--production', '--npm', path.join(folder, 'dist'));
if (!process.argv.includes('--no-types')) writeTypes();
for (const file of ['LICENSE', 'CHANGELOG.md', 'SECURITY.md']) cpSync(path.join(root, file), path.join(folder, file));
writeFileSync(path.join(folder, 'README.md'), withWholeLinks(readFileSync(path.join(root, 'docs/library.md'), 'utf8')));
cpSync(path.join(root, 'media/demo'), path.join(folder, 'media/demo'), { recursive: true }); // for `whetstone demo`
writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest(), undefined, 2)}\n`);
process.stdout.write(`${path.relative(root, folder)}: whetstone ${manifest().version} for npm\n`);

/** The page lies elsewhere than in the repository, and what it links to is not in the package. */
function withWholeLinks(page) {
  const place = `${manifest().repository.url.replace(/\.git$/, '')}/blob/main/docs/`;
  return page.replaceAll(/\]\((?!https?:|#)([^)]+)\)/g, (_, link) => `](${new URL(link, place).href})`);
}

/** Only the types that a user's file can reach from the library, each as a declaration beside the next. */
function writeTypes() {
  const made = path.join(folder, 'made');
  const settings = path.join(folder, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    noCheck: true, // the step for types has checked them
    outDir: made,
    rootDir: from('src'),
    types: ['node'],
    typeRoots: [from('node_modules/@types')],
  };
  const files = [from('src/library.ts'), from('src/markdown.d.ts')];
  writeFileSync(settings, JSON.stringify({ extends: from('tsconfig.json'), compilerOptions, files, include: [] }));
  run(from('node_modules/typescript/bin/tsc'), '-p', settings, '--singleThreaded');
  const waiting = ['library.d.ts'];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const to = path.join(folder, 'types', file);
    if (existsSync(to)) continue;
    const text = readFileSync(path.join(made, file), 'utf8');
    mkdirSync(path.dirname(to), { recursive: true });
    writeFileSync(to, text);
    for (const [, specifier] of text.matchAll(/from ['"](\.[^'"]+)\.js['"]/g))
      waiting.push(path.join(path.dirname(file), `${specifier}.d.ts`));
  }
  rmSync(made, { recursive: true });
  rmSync(settings);
}

function manifest() {
  const own = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const { name, version, keywords, homepage, bugs, license, repository } = own;
  return {
    name,
    version,
    description: 'Trains agent skills (SKILL.md) and proves each edit on held-out tasks: command line and library.',
    keywords,
    homepage,
    bugs,
    license,
    repository,
    bin: { whetstone: './dist/cli.js' },
    exports: {
      '.': { types: './types/library.d.ts', default: './dist/library.js' },
      './package.json': './package.json',
    },
    types: './types/library.d.ts',
    files: ['dist', 'types', 'media/demo'],
    engines: { node: own.engines.node },
  };
}

function from(name) {
  return path.join(root, name);
}

function run(script, ...words) {
  const { status } = spawnSync(process.execPath, [script, ...words], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
