// The throw-away folders of one VS Code: profile, extensions, a copy of the workspace, and a home that is not the person's.
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { atEnd } from './cleanup.mjs';
import { cacheFolder, root } from './paths.mjs';
import { userSettings } from './settings.mjs';

// VS Code keeps sockets in these folders, whose paths may have about 100 characters; some temporary folders are too deep.
// In memory where there is such a folder: a profile is thousands of small files.
const temporary = process.platform === 'win32' ? tmpdir() : existsSync('/dev/shm') ? '/dev/shm' : '/tmp';
const fixtures = path.join(root, 'test/fixtures/workspaces');

// What belongs to the person in front of the window, and to nobody after them.
const ownFolders = ['user-data/User', 'user-data/Machine', 'home', 'xdg', 'state', 'tmp'];

/**
 * `workspace`: a folder or `.code-workspace` file under test/fixtures/workspaces, or an absolute path; it is copied, never
 * opened in place. Without one the window has no folder. WHETSTONE_KEEP=1 keeps the session's folder for looking into.
 */
export function openSession(options = {}) {
  const folder = mkdtempSync(path.join(realpathSync(temporary), 'whetstone-host-'));
  const dispose = () => {
    if (!process.env.WHETSTONE_KEEP) removeIfPossible(folder);
  };
  const forget = atEnd(dispose);
  const at = (name) => path.join(folder, name);
  for (const name of ['extensions', ...ownFolders]) mkdirSync(at(name), { recursive: true });
  writeSettings(folder, options);
  return {
    folder,
    userData: at('user-data'),
    extensions: at('extensions'),
    settingsSocket: at('settings.sock'),
    home: at('home'),
    state: at('state'),
    settings: userSettings(options),
    workspace: options.workspace == null ? undefined : copyWorkspace(options.workspace, at('workspace')),
    env: {
      ...withoutEditor(process.env),
      XDG_CONFIG_HOME: at('xdg'),
      XDG_DATA_HOME: at('xdg'),
      XDG_CACHE_HOME: at('xdg'),
      XDG_STATE_HOME: at('xdg'),
      TMPDIR: at('tmp'), // sockets and profiles that are never tidied up
      WHETSTONE_HOME: at('state'),
      NODE_COMPILE_CACHE: path.join(cacheFolder, 'compiled'), // what the server and its extension hosts load is compiled once
    },
    dispose() {
      forget();
      if (process.env.WHETSTONE_KEEP) process.stdout.write(`kept ${folder}\n`);
      dispose();
    },
  };
}

/**
 * The session as if it had just been opened with these options, for another script in the same browser: nothing is left
 * of the profile, home and state of the one before it, and the workspace is a new copy at a new place. Extensions and
 * the server's own files stay. No window may be open on it meanwhile.
 */
export function renewSession(session, options) {
  const at = (name) => path.join(session.folder, name);
  for (const name of ownFolders) rmSync(at(name), { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  for (const name of ownFolders) mkdirSync(at(name), { recursive: true });
  rmSync(session.settingsSocket, { force: true });
  writeSettings(session.folder, options);
  const target = mkdtempSync(at('workspace-'));
  return {
    ...session,
    settings: userSettings(options),
    workspace: options.workspace == null ? undefined : copyWorkspace(options.workspace, target),
  };
}

function writeSettings(folder, options) {
  writeFileSync(path.join(folder, 'user-data/User/settings.json'), JSON.stringify(userSettings(options), null, 2));
}

// Files that a dying process still holds (Windows) must not turn passed tests into a failure.
function removeIfPossible(folder) {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  } catch (error) {
    process.stderr.write(`${folder} is left behind: ${error.message}\n`);
  }
}

function copyWorkspace(workspace, target) {
  const source = path.resolve(fixtures, workspace);
  if (!existsSync(source)) throw new Error(`There is no workspace ${path.relative(root, source)}.`);
  const isFile = statSync(source).isFile();
  const from = isFile ? path.dirname(source) : source;
  // Named like the original: the name shows in the window title and in the explorer.
  const to = path.join(target, path.basename(from));
  cpSync(from, to, { recursive: true });
  return isFile ? path.join(to, path.basename(source)) : to;
}

// Started from VS Code's own terminal, these would make the new one believe that it is part of the old.
function withoutEditor(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(VSCODE_|ELECTRON_RUN_AS_NODE$)/.test(name)));
}
