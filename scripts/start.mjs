// `npm start`: builds, then trains a demo skill on the simulated model, from start to verdict.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const run = (...words) => spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit' }).status ?? 1;
const built = run('esbuild.mjs');
process.exitCode = built === 0 ? run('dist/cli.js', 'demo', ...process.argv.slice(2)) : built;
