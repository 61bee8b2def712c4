import type { ProgramConsent, ProgramContents } from '../ports/programs.js';
import type { DeclaredStart } from './declaredStart.js';

/** What the person allows is what runs. */
export interface AllowedPrograms {
  readonly consent: ProgramConsent;
  /** Asked only before a start: a program that nothing needs is never read. */
  readonly contents: ProgramContents;
}

/** Why a program or module may not run; undefined where the person allowed exactly what is there now. */
export async function whyNotAllowed(
  { what, bound, folder, formerly }: DeclaredStart,
  { contents, consent }: AllowedPrograms,
  signal: AbortSignal,
): Promise<string | undefined> {
  const found = await contents.of(bound, signal);
  if (found.kind === 'unreadable') return `What the program “${what}” would run cannot be looked at: ${found.reason}`;
  const { text: content, shown, unbound } = found;
  if (!(await consent.allows({ what, content, formerly: formerly(found), folder, shown, unbound }, signal)))
    return `The program “${what}” was not allowed to run.`;
  const now = await contents.of(bound, signal);
  if (now.kind !== 'found' || now.text !== content) return `The program “${what}” changed while it was asked about.`;
  return undefined;
}
