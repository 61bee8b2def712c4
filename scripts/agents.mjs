// `npm run test:agents`: installs the agent programs in the versions that are known to work, with a Node new enough for each,
// into .agents-test/, and runs test/agents/ with them against a server of this machine. No key and no login is needed.
//   node scripts/agents.mjs                       all of them
//   node scripts/agents.mjs --grep 'Claude Code'  passes --grep on to mocha
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const folder = path.join(root, '.agents-test');
const dependencies = {
  node: '24.21.0',
  '@anthropic-ai/claude-code': '2.1.325',
  '@github/copilot': '1.0.102',
  '@google/gemini-cli': '0.61.0',
  '@openai/codex': '0.166.0',
  'opencode-ai': '1.18.33',
};

install();
const run = spawnSync(
  process.execPath,
  [path.join(root, 'scripts/unit.mjs'), '--floor=agents', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit', env: { ...process.env, WHETSTONE_AGENTS: folder } },
);
process.exitCode = run.status ?? 1;

/** Once: what is there already in these versions stays. */
function install() {
  mkdirSync(folder, { recursive: true });
  const wanted = `${JSON.stringify({ private: true, dependencies }, undefined, 2)}\n`;
  const manifest = path.join(folder, 'package.json');
  const done = path.join(folder, 'installed.json');
  if (existsSync(done) && readFileSync(done, 'utf8') === wanted) return;
  writeFileSync(manifest, wanted);
  must('npm', ['install', '--no-audit', '--no-fund', '--force', '--ignore-scripts', '--loglevel=error'], folder);
  // Each by name, whatever npm thinks of scripts of packages: they put the program of this system into its place.
  for (const [name, script] of [
    ['node', 'installArchSpecificPackage.js'],
    ['@anthropic-ai/claude-code', 'install.cjs'],
    ['opencode-ai', 'postinstall.mjs'],
  ])
    must(process.execPath, [script], path.join(folder, 'node_modules', name));
  writeFileSync(done, wanted);
}

function must(command, words, cwd) {
  const { status } = spawnSync(command, words, { cwd, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) {
    process.stderr.write(`${command} ${words.join(' ')} ended with ${status}.\n`);
    process.exit(1);
  }
}
