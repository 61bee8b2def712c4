import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { UserError } from '../../errors.js';
import { harmlessEnvironment } from '../../harmlessEnvironment.js';
import type { FoundProgram } from '../../ports/agentPrograms.js';
import { foldersOfPath, searchedFolders } from '../../searchedFolders.js';
import { findProgram } from '../../storage/programs/findProgram.js';
import type { BridgeEars, BridgeProcess } from './openBridge.js';

export interface CommandLinePlace {
  /** A path, or a name on the PATH. */
  readonly commandLine: string;
  /** The address with its password, and the file of the secret: said by the environment, which nobody else reads. */
  readonly address: string;
  readonly secretFile: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Nothing in these folders is run. */
  readonly workspace: readonly string[];
  /** The window's own: what is to be installed where nothing is. */
  readonly version: string;
}

/** Starts `whetstone queue --calls` of the installed npm package, outside of the workspace and without keys of models. */
export async function startCommandLine(place: CommandLinePlace, ears: BridgeEars): Promise<BridgeProcess> {
  const program = await foundProgram(place);
  const searched = await searchedFolders(foldersOfPath(place.environment), place.workspace);
  const child = spawn(program.command, [...program.before, 'queue', '--calls'], {
    cwd: homedir(),
    env: environmentOf(place, searched),
    stdio: 'pipe',
    windowsHide: true,
  });
  let lastWords = '';
  child.stderr.on('data', (words: Buffer) => (lastWords = (lastWords + words.toString('utf8')).slice(-mostWords)));
  createInterface({ input: child.stdout, crlfDelay: Infinity }).on('line', ears.line);
  child.stdin.on('error', () => undefined); // it has ended, which is told once
  let isOver = false;
  const over = (why: string): void => {
    if (!isOver) ears.over(why);
    isOver = true;
  };
  child.on('error', ({ message }) => over(`${program.path} cannot be started (${message}).`));
  child.on('close', (code) => over(saidAtLast(lastWords) ?? `${program.path} ended with code ${code ?? 'none'}.`));
  return {
    send: (line) => void (child.stdin.writable && child.stdin.write(line)),
    end: () => child.stdin.end(),
  };
}

const mostWords = 4_000;

async function foundProgram({ commandLine, environment, workspace, version }: CommandLinePlace): Promise<FoundProgram> {
  const install = `Install it: npm install -g whetstone@${version}. Or name its file as commandLine in the setting whetstone.queue.`;
  const found = await findProgram(commandLine, { environment, workspace });
  if (found.kind === 'found') return found.program;
  if (found.kind === 'in-workspace')
    throw new UserError(
      'usage',
      `The command line that is to reach the queue lies in the workspace (${found.path}), and no program of a workspace is run.`,
      install,
    );
  throw new UserError(
    'usage',
    `A queue is set, and the command line that reaches it (${commandLine}) is not installed.`,
    install,
  );
}

function environmentOf(
  { environment, address, secretFile }: CommandLinePlace,
  searched: readonly string[],
): Readonly<Record<string, string | undefined>> {
  const { PATH: _path, Path: _spelt, ...kept } = harmlessEnvironment(environment);
  const named = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'WHETSTONE_QUEUE_SECRET'];
  return {
    ...kept,
    ...Object.fromEntries(named.map((name) => [name, environment[name]])),
    PATH: searched.join(path.delimiter),
    NO_COLOR: '1',
    WHETSTONE_QUEUE: address,
    WHETSTONE_QUEUE_SECRET_FILE: secretFile === '' ? environment['WHETSTONE_QUEUE_SECRET_FILE'] : secretFile,
  };
}

/** The sentence that the command line ends with, without its own name before it. */
function saidAtLast(words: string): string | undefined {
  const lines = words.split('\n').filter((line) => line.trim() !== '');
  const said = lines.find((line) => line.startsWith('error: ') || line.startsWith('whetstone: ')) ?? lines.at(-1);
  return said?.replace(/^(?:whetstone|error): /u, '').trim();
}
