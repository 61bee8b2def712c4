// Starts the VS Code server of the npm host and builds the addresses under which a browser opens it.
import { spawnSync } from 'node:child_process';
import { openSync, closeSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { hostEntry, hostNode } from './paths.mjs';
import { startGroup } from './processGroup.mjs';

const starts = 4;
const startLimitMs = 150_000;
const idleLimitSeconds = 300; // should this process be killed outright, the server does not stay for ever

/**
 * Starts a server on a free port of the loopback interface. `driver` turns on VS Code's own automation hooks: it makes
 * the window run tests, but also hides toasts and answers dialogs by itself, so scripts that look at the window do
 * without. `stays`: also while nobody is connected. Throws with the end of the server's log when it does not come up.
 */
export async function startServer(session, wishes = {}) {
  for (let left = starts - 1; left > 0; left -= 1) {
    try {
      return await startOnce(session, wishes);
    } catch {
      // Its own two processes wait ten seconds for each other and then give up: on a busy machine that is too short.
    }
  }
  return startOnce(session, wishes);
}

async function startOnce(session, { driver = false, trust = 'off', stays = false }) {
  const log = path.join(session.folder, 'server.log');
  const port = await freePort();
  const output = openSync(log, 'w');
  const { child, stop } = startGroup(
    hostNode(),
    [
      ...commonArguments(session),
      `--bind-addr=127.0.0.1:${port}`,
      '--auth=none',
      '--disable-telemetry',
      '--disable-update-check',
      '--disable-getting-started-override',
      '--disable-proxy',
      '--vscode-option=disable-websocket-compression', // both ends lie on this machine
      ...(stays ? [] : [`--idle-timeout-seconds=${idleLimitSeconds}`]),
      ...(trust === 'off' ? ['--disable-workspace-trust'] : []),
      ...(driver ? ['--vscode-option=enable-smoke-test-driver'] : []),
    ],
    { stdio: ['ignore', output, output], env: { ...session.env, HOME: session.home } },
  );
  closeSync(output);
  try {
    await answers(port, child);
  } catch (error) {
    await stop();
    throw new Error(`The VS Code server did not start: ${error.message}\n${logTail(log)}`, { cause: error });
  }
  return { port, log, stop };
}

/** Installs a packaged extension into the session, the way `code --install-extension` does. */
export function installVsix(session, vsix) {
  const args = [...commonArguments(session), '--install-extension', vsix, '--force'];
  const env = { ...session.env, HOME: session.home };
  const run = spawnSync(hostNode(), args, { encoding: 'utf8', env });
  if (run.status !== 0) throw new Error(`Installing ${vsix} failed:\n${run.stdout}${run.stderr}`);
}

/** Links an unpacked extension into the session. Must precede the first start: the folder is scanned once. */
export function linkExtension(session, folder) {
  const { publisher, name, version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  symlinkSync(folder, path.join(session.extensions, `${publisher}.${name}-${version}`));
}

/** The window's address: with the session's folder or workspace, or empty; `payload` are VS Code's own start options. */
export function windowUrl(port, workspace, payload = []) {
  const query = new URLSearchParams();
  if (workspace === undefined) query.set('ew', 'true');
  else query.set(workspace.endsWith('.code-workspace') ? 'workspace' : 'folder', workspace);
  if (payload.length > 0) query.set('payload', JSON.stringify(payload));
  return `http://127.0.0.1:${port}/?${query}`;
}

/** A path of this machine as the window names it: everything lies on the server's side. */
export function remoteUri(port, file) {
  return `vscode-remote://127.0.0.1:${port}${file}`;
}

export function logTail(file, lines = 30) {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
  } catch {
    return '';
  }
}

function commonArguments(session) {
  const config = path.join(session.folder, 'config.yaml');
  writeFileSync(config, 'auth: none\ncert: false\n');
  return [hostEntry(), '--config', config, '--user-data-dir', session.userData, '--extensions-dir', session.extensions];
}

async function answers(port, child) {
  for (const started = Date.now(); Date.now() - started < startLimitMs; await pause(50)) {
    if (child.pid === undefined || child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    if (await isHealthy(port)) return;
  }
  throw new Error(`no answer within ${startLimitMs / 1000} s`);
}

function isHealthy(port) {
  return new Promise((resolve) => {
    const request = http.get({ host: '127.0.0.1', port, path: '/healthz' }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('error', () => resolve(false));
  });
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = net.createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
