// Opens the demo workspace, or a given folder, with this extension in a real VS Code.
//   node scripts/vscode.mjs [folder]
// The demo is opened as a fresh copy, so that training it leaves the repository as it is; a given folder is opened itself.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { desktopExecutable, isOnPath, whyNoElectron } from './host/electronHost.mjs';
import { installHost } from './host/install.mjs';
import { cacheFolder, root } from './host/paths.mjs';
import { linkExtension, startServer, windowUrl } from './host/server.mjs';
import { openSession } from './host/session.mjs';

const [given] = process.argv.slice(2);
const folder = given === undefined ? freshDemo() : path.resolve(given);
if (!existsSync(folder)) fail(`There is no folder ${folder}.`);
build();
const developing = ['--new-window', `--extensionDevelopmentPath=${root}`, folder];
const whyNoDownload = isOnPath('code') ? '' : await whyNoElectron();
if (isOnPath('code')) {
  say(`opening ${folder} with the code on the PATH`);
  await start('code', developing);
} else if (whyNoDownload === undefined) {
  const profile = ['user-data', 'extensions'].map((name) => `--${name}-dir=${path.join(cacheFolder, name)}`);
  const executable = await desktopExecutable();
  say(`opening ${folder} with ${executable}`);
  await start(executable, [...profile, '--no-sandbox', ...developing]);
} else {
  say(`there is no code on the PATH, and ${whyNoDownload}: serving VS Code to your browser instead`);
  await serve();
}

async function serve() {
  await installHost(say);
  const session = openSession({ trust: 'off' });
  linkExtension(session, root);
  const { port } = await startServer(session, { stays: true });
  say(`open ${windowUrl(port, folder)}`);
  say('Ctrl+C ends it');
}

function freshDemo() {
  const copy = path.join(cacheFolder, 'demo');
  rmSync(copy, { recursive: true, force: true });
  cpSync(path.join(root, 'media/demo'), copy, { recursive: true });
  return copy;
}

function build() {
  const built = spawnSync(process.execPath, ['esbuild.mjs'], { cwd: root, stdio: 'inherit' });
  if (built.status !== 0) fail('The extension does not build.');
}

function start(command, args) {
  // `code` is a script on Windows, which only a shell starts; it takes the arguments as one line.
  const shell = process.platform === 'win32';
  const quoted = shell ? args.map((argument) => `"${argument}"`) : args;
  const child = spawn(shell ? `"${command}"` : command, quoted, { stdio: 'inherit', shell });
  return new Promise((resolve) => {
    child.once('error', (error) => fail(`${command} did not start: ${error.message}`));
    child.once('exit', (code) => {
      process.exitCode = code ?? 1;
      resolve();
    });
  });
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

function fail(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}
