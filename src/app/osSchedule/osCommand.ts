import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../errors.js';
import { lieOutside, searchedFolders } from '../../searchedFolders.js';

export interface CommandResult {
  /** Undefined where the program could not be started. */
  readonly code: number | undefined;
  readonly output: string;
}

export interface Command {
  readonly program: string;
  readonly arguments: readonly string[];
  /** The whole environment: nothing of ours is added. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
}

/** Runs a program of the machine without a shell and gives its exit code with all that it said. */
export function runCommand(command: Command, signal: AbortSignal): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(command.program, [...command.arguments], {
      env: { ...command.environment },
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      signal,
    });
    let output = '';
    const hear = (data: Buffer): void => {
      output += data.toString('utf8');
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.stdin.on('error', () => undefined); // it need not read its input
    child.stdin.end(command.input ?? '');
    child.once('error', (error) => {
      if (signal.aborted) reject(signal.reason);
      else resolve({ code: undefined, output: messageOf(error) });
    });
    child.once('close', (code) => resolve({ code: code ?? undefined, output }));
  });
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The absolute path of a program of the person, looked for along `PATH` as their shell would, and never in a clone. */
export async function findProgram(
  name: string,
  environment: Environment,
  platform: NodeJS.Platform,
): Promise<string | undefined> {
  const here = [process.cwd()];
  const folders = await searchedFolders(foldersFor(environment, platform), here);
  for (const file of filesNamed(name, folders, platform))
    if ((await isExecutable(file)) && (await lieOutside([file], here))) return file;
  return undefined;
}

/** Whether the system would find what a skill declares, which may well be a program of its own clone. */
export async function isOnPath(name: string, environment: Environment, platform: NodeJS.Platform): Promise<boolean> {
  const folders = foldersFor(environment, platform).filter((folder) => path.isAbsolute(folder));
  for (const file of filesNamed(name, folders, platform)) if (await isExecutable(file)) return true;
  return false;
}

function foldersFor(environment: Environment, platform: NodeJS.Platform): readonly string[] {
  const named = (environment['PATH'] ?? environment['Path'] ?? '').split(platform === 'win32' ? ';' : ':');
  return platform === 'win32' ? named : [...named, '/usr/bin', '/bin'];
}

function filesNamed(name: string, folders: readonly string[], platform: NodeJS.Platform): readonly string[] {
  const names = platform === 'win32' ? [`${name}.exe`, `${name}.cmd`] : [name];
  return folders.flatMap((folder) => names.map((each) => path.join(folder, each)));
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
