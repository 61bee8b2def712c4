// Installs the host from npm: a real VS Code server and the Node it runs on, in an ignored folder, once.
//   node scripts/host/install.mjs
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBrowser, ensureBuildTools, ensureRedis, ensureSandboxTools } from './debian.mjs';
import { withLock } from './lock.mjs';
import { cacheFolder, hostEntry, hostFolder, hostNode, hostNodeFolder, hostPackages } from './paths.mjs';

const marker = 'installed.json';
const unfinished = 'host-installing-';
const log = path.join(cacheFolder, 'install.log');

/** True when the folder holds exactly these versions. It is moved into place whole, so there is no half of it. */
export function isInstalled() {
  try {
    return readFileSync(path.join(hostFolder, marker), 'utf8') === describeVersions();
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
    throw new Error(`The test host from npm is for Linux on x64 and arm64, not ${process.platform} ${process.arch}.`);
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
  say(`once; about 3 minutes and 690 MB; details in ${path.relative(process.cwd(), log)}`);
  const folder = freshFolder();
  const nodePackage = `${node}@${nodeVersion}`;
  npm(folder, ['--ignore-scripts', nodePackage], {});
  say(`Node ${nodeVersion} is here (${seconds(started)}); now the server, whose native modules are compiled`);
  // Both packages are named: npm would prune the one that is not.
  npm(folder, [`${server}@${serverVersion}`, nodePackage], {
    // The package carries the headers too, so that native modules are built for this Node, not for the machine's.
    PATH: `${path.join(hostNodeFolder(folder), 'bin')}${path.delimiter}${process.env.PATH}`,
    npm_config_nodedir: hostNodeFolder(folder),
  });
  const version = tryIt(folder);
  writeFileSync(path.join(folder, marker), describeVersions());
  rmSync(hostFolder, { recursive: true, force: true });
  renameSync(folder, hostFolder);
  say(`VS Code ${version} is installed (${seconds(started)})`);
}

// A name of its own: should an installer have been killed, its npm may still be writing to the former one.
function freshFolder() {
  for (const name of readdirSync(cacheFolder).filter((entry) => entry.startsWith(unfinished))) {
    rmSync(path.join(cacheFolder, name), { recursive: true, force: true, maxRetries: 5 });
  }
  const folder = path.join(cacheFolder, `${unfinished}${process.pid}`);
  mkdirSync(folder);
  const description = { name: 'whetstone-test-host', version: '0.0.0', private: true };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(description));
  return folder;
}

function npm(folder, args, extraEnv) {
  const run = spawnSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--no-package-lock', ...args], {
    cwd: folder,
    env: { ...withoutOuterNpm(process.env), ...extraEnv },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  appendFileSync(log, `npm ${args.join(' ')}\n${run.stdout ?? ''}\n${run.stderr ?? ''}\n`);
  if (run.status === 0) return;
  const why = run.stderr || run.error?.message || `npm ended with ${run.signal ?? run.status}`;
  const lastLines = why.trim().split('\n').slice(-25).join('\n');
  throw new Error(`The test host could not be installed (whole log: ${log}):\n${lastLines}`);
}

// Under `npm test` the outer npm leaves its own project in the environment, and its own Node: the server's install
// script reads the Node version off the user agent.
function withoutOuterNpm(env) {
  const outer =
    /^(?:NODE|INIT_CWD|npm_(?:package_|lifecycle_|node_execpath|execpath|command|config_(?:user_agent|local_prefix|prefix|global_prefix)).*)$/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !outer.test(name)));
}

// A binary that does not run, or a native module that did not build, must fail here and not in the first test.
function tryIt(folder) {
  const scratch = path.join(folder, 'scratch');
  const env = { ...process.env, XDG_DATA_HOME: scratch, XDG_CONFIG_HOME: scratch, XDG_CACHE_HOME: scratch };
  const args = [hostEntry(folder), `--config=${scratch}/config.yaml`, `--user-data-dir=${scratch}`, '--version'];
  const run = spawnSync(hostNode(folder), args, { encoding: 'utf8', env });
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
  // What other floors need of the system, too: they run side by side later, and would stand in each other's way.
  ensureSandboxTools(sayPlainly);
  ensureRedis(sayPlainly);
  await installHost();
  sayPlainly('ready');
}
