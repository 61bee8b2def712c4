// Installs the host from npm: a real VS Code server and the Node it runs on, in an ignored folder, once.
//   node scripts/host/install.mjs
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBrowser, ensureBuildTools } from './debian.mjs';
import { withLock } from './lock.mjs';
import { cacheFolder, hostEntry, hostFolder, hostNode, hostNodeFolder, hostPackages } from './paths.mjs';

// Written last and named after nothing else: without it, or with other versions in it, the folder is not a host.
const marker = path.join(hostFolder, 'installed.json');

/** True when every file of exactly these versions was installed to the end. */
export function isInstalled() {
  try {
    return readFileSync(marker, 'utf8') === describeVersions();
  } catch {
    return false;
  }
}

/**
 * Makes the host ready; returns at once when it already is. An install that was interrupted is thrown away and begun
 * again (npm keeps the downloads). Throws with the cure in the message when something is missing.
 */
export async function installHost(say = sayPlainly) {
  if (hostPackages() === undefined) {
    throw new Error(
      `The test host from npm exists for Linux on x64 and arm64 only, not ${process.platform} ${process.arch}.`,
    );
  }
  ensureBrowser(say);
  if (isInstalled()) return;
  ensureBuildTools(say);
  mkdirSync(cacheFolder, { recursive: true });
  await withLock(path.join(cacheFolder, 'host.lock'), say, () => {
    if (!isInstalled()) installFresh(say);
  });
}

function installFresh(say) {
  const { node, nodeVersion, server, serverVersion } = hostPackages();
  const started = Date.now();
  say(`installing ${server} ${serverVersion} on Node ${nodeVersion} into ${path.relative(process.cwd(), hostFolder)}`);
  say('once; about 3 minutes and 690 MB');
  rmSync(hostFolder, { recursive: true, force: true });
  mkdirSync(hostFolder, { recursive: true });
  writeFileSync(
    path.join(hostFolder, 'package.json'),
    '{ "name": "whetstone-test-host", "private": true, "version": "0.0.0" }\n',
  );
  const nodePackage = `${node}@${nodeVersion}`;
  npm(['--ignore-scripts', nodePackage], {});
  say(`Node ${nodeVersion} is here (${seconds(started)}); now the server, whose native modules are compiled`);
  // Both packages are named: npm would prune the one that is not.
  npm([`${server}@${serverVersion}`, nodePackage], {
    // The package carries the headers too, so that native modules are built for this Node, not for the machine's.
    PATH: `${path.join(hostNodeFolder(), 'bin')}${path.delimiter}${process.env.PATH}`,
    npm_config_nodedir: hostNodeFolder(),
  });
  say(`VS Code ${tryIt()} is installed (${seconds(started)})`);
  writeFileSync(marker, describeVersions());
}

function npm(args, extraEnv) {
  const log = path.join(cacheFolder, 'install.log');
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^npm_(package|lifecycle|config_local_prefix|config_prefix)/.test(name),
  );
  const run = spawnSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--no-package-lock', ...args], {
    cwd: hostFolder,
    env: { ...Object.fromEntries(inherited), ...extraEnv },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  writeFileSync(log, `${run.stdout ?? ''}\n${run.stderr ?? ''}\n`, { flag: 'a' });
  if (run.status === 0) return;
  const lastLines = (run.stderr || run.error?.message || `npm ended with ${run.signal ?? run.status}`)
    .trim()
    .split('\n')
    .slice(-25);
  throw new Error(`The test host could not be installed (whole log: ${log}):\n${lastLines.join('\n')}`);
}

// A binary that does not run, or a native module that did not build, must fail here and not in the first test.
function tryIt() {
  const scratch = path.join(hostFolder, 'scratch');
  const env = { ...process.env, XDG_DATA_HOME: scratch, XDG_CONFIG_HOME: scratch, XDG_CACHE_HOME: scratch };
  const args = [hostEntry(), '--config', path.join(scratch, 'config.yaml'), '--user-data-dir', scratch, '--version'];
  const run = spawnSync(hostNode(), args, { encoding: 'utf8', env });
  rmSync(scratch, { recursive: true, force: true });
  const version = /with Code (\S+)/.exec(run.stdout ?? '')?.[1];
  if (run.status === 0 && version !== undefined) return version;
  throw new Error(`The test host does not start:\n${run.stdout}${run.stderr}${run.error?.message ?? ''}`);
}

function describeVersions() {
  return `${JSON.stringify(hostPackages(), null, 2)}\n`;
}

function seconds(since) {
  return `${Math.round((Date.now() - since) / 1000)} s`;
}

function sayPlainly(line) {
  process.stdout.write(`test host: ${line}\n`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const before = existsSync(marker) && isInstalled();
  await installHost();
  sayPlainly(before ? 'already installed' : 'ready');
}
