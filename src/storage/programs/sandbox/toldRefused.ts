import type { ProgramResult } from '../../../ports/programs.js';
import type { SandboxRefusal } from './messages.js';

/** What the sandbox refused, with the line to add to the declaration where that may be advised. */
export function refusedSentence({ kind, what, advice, leads }: SandboxRefusal): string {
  if (advice === 'none') return kind === 'host' ? closedHost(what, leads) : closedRead(what);
  const name = JSON.stringify(what);
  return kind === 'host'
    ? `The sandbox kept the program from the host ${what}: if it needs it, add "hosts": [${name}] to its declaration in evals/whetstone.json.`
    : `The sandbox kept the program from reading ${what}: if it needs it, add "reads": [${name}] to its declaration in evals/whetstone.json.`;
}

function closedRead(what: string): string {
  return `The program tried to read ${what}. The sandbox kept it closed, and it stays closed: keys and logins, tasks with their answers, and Whetstone’s own files are not for programs of a skill.`;
}

function closedHost(what: string, leads: boolean | undefined): string {
  return leads !== true
    ? `The program tried to reach ${what}. The sandbox kept it closed: it is an address, or a name of this machine, of its network or of a cloud. Find out why the program does that before you open anything.`
    : `The program tried to reach ${what}, whose name leads to this machine, to a neighbour without a router between, or to where a cloud hands out keys: that stays closed, whatever the name is.`;
}

/** A program that ended badly comes with what it was kept from. */
export function withRefused(result: ProgramResult, refused: readonly SandboxRefusal[]): ProgramResult {
  if (refused.length === 0 || result.kind === 'not-started' || (result.kind === 'exited' && result.code === 0))
    return result;
  return { ...result, told: [...(result.told ?? []), ...refused.map(refusedSentence)] };
}
