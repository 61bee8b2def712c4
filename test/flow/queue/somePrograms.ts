import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runPortable } from '../../../src/app/environments/workerPrograms.js';
import type { ProgramRequest } from '../../../src/ports/programs.js';
import type { PortableProgram, WorkerPrograms } from '../../../src/ports/workerPrograms.js';
import { nodePrograms } from '../../../src/storage/programs/nodePrograms.js';
import { portableProgram } from '../../../src/storage/programs/portableProgram.js';

const { signal } = new AbortController();

/** A folder of programs that is removed with it. */
export interface ProgramFolder {
  readonly path: string;
  write(name: string, text: string, mode?: number): void;
  /** A start of its `check.sh`, which reads `input`. */
  request(input?: string, more?: Partial<ProgramRequest>): ProgramRequest;
  dispose(): void;
}

export function aProgramFolder(files: Readonly<Record<string, string>>): ProgramFolder {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'whetstone-programs-')));
  const folder = path.join(root, 'checks');
  const write: ProgramFolder['write'] = (name, text, mode = 0o644) => {
    const place = path.join(folder, name);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, text);
    chmodSync(place, mode);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  return {
    path: folder,
    write,
    request: (input = '', more = {}) => ({
      command: '/bin/sh',
      arguments: ['check.sh'],
      folder,
      input,
      timeLimitMs: 20_000,
      outputLimitBytes: 100_000,
      travels: true,
      ...more,
    }),
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** What travels of a start. */
export async function portable(
  request: ProgramRequest,
): Promise<{ readonly hash: string; readonly program: PortableProgram }> {
  const found = await portableProgram(request, signal);
  if (found.kind === 'portable') return found;
  throw new Error(`It stays here: ${found.why}`);
}

/** Programs of a worker without a sandbox, whose start takes its time; counts those that ran. */
export function bareWorkerPrograms(
  allowed: readonly string[],
): WorkerPrograms & { readonly ran: readonly PortableProgram[] } {
  const ran: PortableProgram[] = [];
  return {
    ran,
    allowed: new Set(allowed),
    run: (program, task, abort) => {
      ran.push(program);
      return runPortable(nodePrograms, { program, task }, abort);
    },
    judge: () => Promise.reject(new Error('No agent works in these tests.')),
  };
}
