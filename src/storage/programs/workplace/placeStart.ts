import type { ProgramRequest, ProgramResult } from '../../../ports/programs.js';
import { runProcess } from '../runProcess.js';
import type { ProgramOutput, StartPlaces } from '../sandbox/messages.js';
import type { PlacingSandbox } from '../sandbox/sandbox.js';

/** A start in the folders of an attempt: all that is started there is started by this, in the sandbox or without it. */
export type StartAt = (start: PlaceStart, signal: AbortSignal) => Promise<ProgramResult>;

export interface PlaceStart extends Omit<ProgramRequest, 'folder' | 'only'> {
  readonly at: StartPlaces;
  /** Told what it writes, as it comes; without it the result has it. */
  readonly onSaid?: ((said: ProgramOutput) => void) | undefined;
  /** Told of each host that it was kept from, at once: it may be ended before it has ended. */
  readonly onRefused?: ((host: string) => void) | undefined;
  /** Told of each planted value that a request carried. */
  readonly onCarried?: ((canary: 'file' | 'variable') => void) | undefined;
}

export function containedStart(sandbox: PlacingSandbox): StartAt {
  return async ({ at, onSaid, onRefused = nobody, onCarried = nobody, ...start }, signal) => {
    const gathered = { output: [] as Uint8Array[], error: [] as Uint8Array[] };
    const hear = onSaid ?? (({ from, chunk }: ProgramOutput): void => void gathered[from].push(chunk));
    const placed = { at, onSaid: hear, onRefused, onCarried };
    const { result } = await sandbox.runAt({ ...start, folder: undefined }, placed, signal);
    if (result.kind !== 'exited' || onSaid !== undefined) return result;
    return { ...result, output: textOf(gathered.output), errorOutput: textOf(gathered.error) };
  };
}

function nobody(): void {
  // is told
}

function textOf(chunks: readonly Uint8Array[]): string {
  return Buffer.concat(chunks).toString('utf8');
}

/** Where the person declared the machine one that is thrown away: nothing holds it, and its keys are not masked. */
export function bareStart(mark: string): StartAt {
  return ({ at, onSaid, environment, reach, ...start }, signal) => {
    const env = { ...environment, ...reach?.secrets, HOME: at.home, TMPDIR: at.temporary };
    const onData = onSaid && ((chunk: Buffer, from: ProgramOutput['from']): void => onSaid({ chunk, from }));
    return runProcess({ ...start, cwd: at.work, env, mark, onData }, signal);
  };
}
