import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { harmlessEnvironment } from '../../harmlessEnvironment.js';
import { mayRun } from '../../mayRun.js';
import { foldersOfPath, lieOutside, searchedFolders } from '../../searchedFolders.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** How `az` is started. */
export interface AzureCommand {
  readonly environment: Environment;
  /** Folders of the workspace: nothing in them is run. Without them, the folder that we were started in. */
  readonly workspace?: readonly string[] | undefined;
}

const limits = { timeout: 30_000, maxBuffer: 1024 * 1024, windowsHide: true };

/** What `az` needs beside what every program does: where its login lies, and how it gets out. */
const needed = new Set([
  'AZURE_CONFIG_DIR',
  'AZURE_EXTENSION_DIR',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'REQUESTS_CA_BUNDLE',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
]);

/**
 * Runs the Azure CLI and gives what it writes. A clone may hold a program of that name: it is looked for in absolute
 * folders outside of the workspace alone, and started in a folder of the person's, without their keys.
 */
export async function runAzureCli(words: readonly string[], { environment, workspace }: AzureCommand): Promise<string> {
  const closed = workspace ?? [process.cwd()];
  const folders = await searchedFolders(foldersOfPath(environment), closed);
  const isWindows = process.platform === 'win32';
  const program = isWindows ? path.join(environment['SYSTEMROOT'] ?? 'C:\\Windows', 'System32', 'cmd.exe') : 'az';
  const started = isWindows ? program : await firstIn(folders, program, closed);
  const cwd = (await isFolder(os.homedir())) ? os.homedir() : os.tmpdir();
  const env = { ...environmentFor(environment, folders), NoDefaultCurrentDirectoryInExePath: '1' };
  const before = isWindows ? ['/d', '/c', 'az'] : [];
  return (await promisify(execFile)(started, [...before, ...words], { ...limits, env, cwd })).stdout;
}

function environmentFor(environment: Environment, folders: readonly string[]): Environment {
  const own = Object.entries(environment).filter(([name]) => needed.has(name.toUpperCase()));
  const kept = Object.entries({ ...harmlessEnvironment(environment), ...Object.fromEntries(own) });
  const others = kept.filter(([name]) => name.toUpperCase() !== 'PATH');
  return { ...Object.fromEntries(others), PATH: folders.join(path.delimiter) };
}

/** Found here and not by the system, for which an empty list of folders means the folder that it is in. */
async function firstIn(folders: readonly string[], name: string, closed: readonly string[]): Promise<string> {
  for (const folder of folders) {
    const place = path.join(folder, name);
    if ((await mayRun(place)) && (await lieOutside([place], closed))) return place;
  }
  throw Object.assign(new Error(`${name} is in no folder that is searched.`), { code: 'ENOENT' });
}

async function isFolder(place: string): Promise<boolean> {
  const found = await stat(place).catch(() => undefined);
  return found?.isDirectory() === true;
}
