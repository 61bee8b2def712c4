import type { ProgramResult } from '../../../ports/programs.js';
import type { Refused } from './messages.js';

/** What the sandbox refused, with the line to add to the declaration where it is needed. */
export function refusedSentence({ kind, what }: Refused): string {
  const name = JSON.stringify(what);
  return kind === 'host'
    ? `The sandbox kept the program from the host ${what}: if it needs it, add "hosts": [${name}] to its declaration in evals/whetstone.json.`
    : `The sandbox kept the program from reading ${what}: if it needs it, add "reads": [${name}] to its declaration in evals/whetstone.json.`;
}

/** A program that ended badly says at its end what it was kept from. */
export function withRefused(result: ProgramResult, refused: readonly Refused[]): ProgramResult {
  if (result.kind !== 'exited' || result.code === 0 || refused.length === 0) return result;
  return { ...result, errorOutput: `${result.errorOutput.trimEnd()}\n${refused.map(refusedSentence).join(' ')}` };
}
