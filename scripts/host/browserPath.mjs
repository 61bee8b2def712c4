// Finds a Chrome or Chromium that is already installed; none is ever downloaded.
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];

/** CHROME_PATH, then the PATH, then the usual places of the system. Undefined when there is none. */
export function findBrowser(env = process.env) {
  return [env.CHROME_PATH, ...onPath(env), ...usualPlaces(env)].find((file) => file && isExecutable(file));
}

function onPath(env) {
  const folders = (env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return folders.flatMap((folder) => names.map((name) => path.join(folder, name)));
}

function usualPlaces(env) {
  switch (process.platform) {
    case 'darwin':
      return [
        '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
        '/Applications/Chromium.app/Contents/MacOS/Chromium',
      ];
    case 'win32':
      return [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA]
        .filter((folder) => folder !== undefined)
        .map((folder) => path.join(folder, 'Google/Chrome/Application/chrome.exe'));
    default:
      return ['/snap/bin/chromium'];
  }
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
