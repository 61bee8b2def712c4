// Which VS Code runs the tests: the desktop one wherever it can be had, else the server from npm.
import { desktopExecutable, runInElectron, whyNoElectron } from './electronHost.mjs';
import { installHost } from './install.mjs';
import { runInNpmHost } from './npmHost.mjs';
import { hostPackages } from './paths.mjs';

/** WHETSTONE_HOST=electron|npm forces one. Installs what the choice needs; throws when there is no VS Code to be had. */
export async function chooseHost(say, forced = process.env.WHETSTONE_HOST) {
  if (forced === 'electron') return electron();
  if (forced === 'npm') return npmHost(say);
  if (forced !== undefined && forced !== '')
    throw new Error(`WHETSTONE_HOST is “${forced}”; it may be electron or npm.`);
  const reason = await whyNoElectron();
  if (reason === undefined) return electron();
  if (hostPackages() === undefined) throw new Error(`There is no VS Code for the tests: ${reason}.`);
  say(`the host from npm, because: ${reason}`);
  return npmHost(say);
}

async function electron() {
  const executable = await desktopExecutable();
  return { name: 'desktop VS Code', run: (suite) => runInElectron(executable, suite) };
}

async function npmHost(say) {
  await installHost(say);
  return { name: 'VS Code server from npm', run: runInNpmHost };
}
