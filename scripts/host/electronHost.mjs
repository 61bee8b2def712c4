// Runs a bundle of tests inside a desktop VS Code that @vscode/test-electron keeps or downloads.
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { withLock } from './lock.mjs';
import { impatience } from './patience.mjs';
import { cacheFolder, root } from './paths.mjs';
import { startGroup } from './processGroup.mjs';
import { logTail } from './server.mjs';

const releases = 'https://update.code.visualstudio.com/api/releases/stable';
const reachableWithinMs = 3000;

/** Why a desktop VS Code cannot be had here, or undefined when it can. Asks the network for at most three seconds. */
export async function whyNoElectron() {
  if (!hasDisplay()) return 'no display and no xvfb-run';
  if (isCached() || (await isReachable())) return undefined;
  return 'VS Code is not downloaded and its server cannot be reached';
}

/**
 * The executable, downloaded if need be: the newest, or with WHETSTONE_VSCODE=oldest the oldest that the manifest
 * supports. The download says by itself how far it is.
 */
export async function desktopExecutable() {
  const { downloadAndUnzipVSCode } = await import('@vscode/test-electron');
  mkdirSync(cacheFolder, { recursive: true });
  return withLock(path.join(cacheFolder, 'electron.lock'), say, () =>
    downloadAndUnzipVSCode({ version: wantedVersion(), cachePath: cacheFolder }),
  );
}

function wantedVersion() {
  const wanted = process.env.WHETSTONE_VSCODE ?? 'stable';
  if (wanted !== 'oldest') return wanted;
  const { engines } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  return engines.vscode.replace('^', '');
}

function say(line) {
  process.stdout.write(`test host: ${line}\n`);
}

/** Resolves when VS Code has ended, with what it said. */
export async function runInElectron(executable, { session, entry, extensions, trust, heard }) {
  const args = [
    ...(session.workspace === undefined ? [] : [session.workspace]),
    '--new-window',
    `--user-data-dir=${session.userData}`,
    `--extensions-dir=${session.extensions}`,
    ...extensions.map((folder) => `--extensionDevelopmentPath=${folder}`),
    `--extensionTestsPath=${entry}`,
    ...(trust === undefined || trust === 'off' ? ['--disable-workspace-trust'] : []),
    '--no-sandbox',
    '--disable-gpu-sandbox',
    '--disable-updates',
    '--disable-telemetry',
    '--skip-welcome',
    '--skip-release-notes',
    '--use-inmemory-secretstorage',
  ];
  const [command, ...rest] = needsVirtualDisplay() ? ['xvfb-run', '-a', executable, ...args] : [executable, ...args];
  const log = path.join(session.folder, 'electron.log');
  const output = openSync(log, 'w');
  const { gone, stop } = startGroup(command, rest, { stdio: ['ignore', output, output], env: environment(session) });
  closeSync(output);
  const over = new AbortController();
  try {
    const reason = await Promise.race([gone.then((code) => `It ended with ${code}.`), impatience(heard, over.signal)]);
    return `${reason}\n${logTail(log)}`;
  } finally {
    over.abort();
    await stop();
  }
}

// macOS keeps the key chain, and Windows its folders, under the home; there the person's own stays.
function environment(session) {
  return process.platform === 'linux' ? { ...session.env, HOME: session.home } : session.env;
}

function hasDisplay() {
  return !needsVirtualDisplay() || isOnPath('xvfb-run');
}

function needsVirtualDisplay() {
  return process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY;
}

/** Windows writes the names of its scripts with .cmd. */
export function isOnPath(name) {
  const file = process.platform === 'win32' ? `${name}.cmd` : name;
  return (process.env.PATH ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, file)));
}

// `is-complete` is what @vscode/test-electron itself leaves in a folder that it finished.
function isCached() {
  if (!existsSync(cacheFolder)) return false;
  return readdirSync(cacheFolder).some((name) => existsSync(path.join(cacheFolder, name, 'is-complete')));
}

async function isReachable() {
  try {
    const response = await fetch(releases, { signal: AbortSignal.timeout(reachableWithinMs) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
