import { createReadStream } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../../../isInside.js';
import { mayRun } from '../../../mayRun.js';
import type { ProgramRequest } from '../../../ports/programs.js';

/** Why the system would not start it, in the system's words; undefined where it would. */
export async function whyNotStarted(
  { command, environment }: ProgramRequest,
  cwd: string,
): Promise<string | undefined> {
  return (await placeOf(command, environment?.['PATH'], cwd)) === undefined ? `spawn ${command} ENOENT` : undefined;
}

/**
 * Every file that starting a command reads to run: itself, where links lead to, and the interpreter that a script names in
 * its first line.
 */
export async function startedFiles(
  { command, environment, folder }: ProgramRequest,
  depth = 2,
): Promise<readonly string[]> {
  const found = await placeOf(command, environment?.['PATH'], folder ?? '/');
  if (found === undefined) return [];
  const real = await realpath(found).catch(() => found);
  // The copy that it runs in leaves out links that lead out of the folder: where they lead to is not started.
  if (folder !== undefined && isInside(folder, found) && !isInside(await realpath(folder).catch(() => folder), real))
    return [];
  const interpreter = depth > 0 ? await interpreterOf(real) : undefined;
  const more = interpreter === undefined ? [] : await startedFiles(interpreting(interpreter, environment), depth - 1);
  return [...new Set([found, real, ...more])];
}

function interpreting(command: string, environment: ProgramRequest['environment']): ProgramRequest {
  const nothing = { arguments: [], folder: undefined, input: '', timeLimitMs: 0, outputLimitBytes: 0 };
  return { command, ...nothing, ...(environment === undefined ? {} : { environment }) };
}

async function placeOf(command: string, searched: string | undefined, cwd: string): Promise<string | undefined> {
  if (command.includes('/')) {
    const place = path.resolve(cwd, command);
    return (await mayRun(place)) ? place : undefined;
  }
  for (const folder of (searched ?? '').split(path.delimiter)) {
    const place = path.join(folder, command);
    if (path.isAbsolute(folder) && (await mayRun(place))) return place;
  }
  return undefined;
}

const lastByte = 200; // of a first line that names an interpreter

/** `#!/usr/bin/env -S node --flag` names node. Other options and variables of `env` are not followed. */
async function interpreterOf(file: string): Promise<string | undefined> {
  const [first = ''] = (await beginningOf(file)).split('\n');
  if (!first.startsWith('#!')) return undefined;
  const words = first.slice(2).trim().split(/\s+/u);
  if (path.basename(words[0] ?? '') !== 'env') return words[0];
  const name = words[1] === '-S' ? words[2] : words[1];
  return name !== undefined && /^[\w./+][\w./+-]*$/u.test(name) ? name : undefined;
}

/** What stands in the first bytes of a file; empty where it cannot be read. */
export async function beginningOf(file: string): Promise<string> {
  let text = '';
  try {
    for await (const part of createReadStream(file, { encoding: 'latin1', end: lastByte })) text += String(part);
  } catch {
    // What cannot be read names nothing.
  }
  return text;
}
