// `npm start`: builds, then trains a demo skill on the simulated model, from start to verdict.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const run = (...words) => spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit' }).status ?? 1;
const built = run('esbuild.mjs');
const words = process.argv.slice(2);
process.exitCode = built === 0 ? run('dist/cli.js', 'demo', ...words) : built;
if (process.exitCode === 0 && !words.includes('--json'))
  process.stdout.write('In this folder the command is: npx whetstone\n');
