// What the operating system has to bring along: a browser, fonts, and the tools that compile the server's native modules.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findBrowser } from './browserPath.mjs';

const compilers = ['libkrb5-dev', 'g++', 'make', 'python3', 'pkg-config'];
// WenQuanYi Micro Hei: Chinese, Japanese and Korean text in screenshots for 2 MB instead of Noto's 57 MB.
const fonts = ['fonts-dejavu-core', 'fonts-liberation', 'fonts-wqy-microhei'];

/** Makes sure of a browser: root on Debian installs Chromium, everyone else is told what to install. */
export function ensureBrowser(say) {
  if (findBrowser() !== undefined) return;
  if (isDebian() && isRoot()) {
    aptInstall(['chromium', ...fonts], say);
    return;
  }
  const how = isDebian() ? 'Run: sudo apt-get install chromium' : 'Install one with your package manager';
  throw new Error(`The tests need Chrome or Chromium and found none. ${how}, or name one in CHROME_PATH.`);
}

const sandboxTools = ['bubblewrap', 'socat', 'ripgrep'];

/** Makes sure of what the sandbox is built on: root on Debian installs it; to everyone else the tests say what is missing. */
export function ensureSandboxTools(say) {
  if (!isDebian() || !isRoot()) return;
  const missing = sandboxTools.filter((name) => !isInstalled(name));
  if (missing.length > 0) aptInstall(missing, say);
}

/**
 * Makes sure of the server that queues lie on, in the same way. Tests start their own: the system's is not left running.
 * Elsewhere they take a redis-server that is installed, else the one that REDIS_URL names, and say what is missing.
 */
export function ensureRedis(say) {
  if (!isDebian() || !isRoot() || isInstalled('redis-server')) return;
  aptInstall(['redis-server'], say);
  spawnSync('service', ['redis-server', 'stop'], { stdio: 'ignore' });
}

/** Makes sure of the compilers, as far as package names are known (Debian); elsewhere the build says what it lacks. */
export function ensureBuildTools(say) {
  if (!isDebian()) return;
  const missing = [...compilers, ...(isRoot() ? fonts : [])].filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  if (!isRoot()) throw new Error(`The test host needs system packages. Run: sudo apt-get install ${missing.join(' ')}`);
  aptInstall(missing, say);
}

function aptInstall(names, say) {
  say(`installing system packages: ${names.join(' ')} (up to two minutes)`);
  apt(['update', '-qq']);
  apt(['install', '-y', '--no-install-recommends', ...names]);
}

/** Another process may be installing too, and holds the lock for a while. */
function apt(args, tries = 20) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const run = spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8', env });
  if (run.status !== 0 && tries > 1 && /could not get lock/i.test(run.stderr ?? '')) {
    spawnSync('sleep', ['6']);
    return apt(args, tries - 1);
  }
  if (run.status !== 0) throw new Error(`apt-get ${args.join(' ')} failed:\n${run.stderr ?? run.error?.message}`);
}

function isInstalled(name) {
  const query = spawnSync('dpkg-query', ['-W', '-f', '${db:Status-Status}', name], { encoding: 'utf8' });
  return query.status === 0 && query.stdout === 'installed';
}

function isDebian() {
  return existsSync('/etc/debian_version');
}

function isRoot() {
  return process.getuid?.() === 0;
}
