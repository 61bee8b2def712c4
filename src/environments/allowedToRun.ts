import type { ProgramConsent, ProgramContents, ProgramQuestion, ProgramReach, SeenProgram } from '../ports/programs.js';
import type { DeclaredStart } from './declaredStart.js';

/** What the person allows is what runs. */
export interface AllowedPrograms {
  readonly consent: ProgramConsent;
  /** Asked only before a start: a program that nothing needs is never read. */
  readonly contents: ProgramContents;
}

/** What of a start the person is asked about. */
export interface StartToAllow extends Pick<DeclaredStart, 'what' | 'bound' | 'folder' | 'formerly'> {
  readonly started: Pick<DeclaredStart['started'], 'reach'>;
}

/** Why a program or module may not run; undefined where the person allowed exactly what is there now. */
export async function whyNotAllowed(
  start: StartToAllow,
  { contents, consent }: AllowedPrograms,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { what, bound, folder } = start;
  const found = await contents.of(bound, signal);
  if (found.kind === 'unreadable') return `What the program “${what}” would run cannot be looked at: ${found.reason}`;
  const { text: content } = found;
  if (!(await consent.allows(questionAbout(start, found), signal)))
    return whyRefused({ what, folder, content }, consent);
  const now = await contents.of(bound, signal);
  if (now.kind !== 'found' || now.text !== content) return `The program “${what}” changed while it was asked about.`;
  return undefined;
}

/** What the person is asked about a start as it is now; undefined where it cannot be looked at, which the run tells. */
export async function askedAbout(
  start: StartToAllow,
  { contents }: Pick<AllowedPrograms, 'contents'>,
  signal: AbortSignal,
): Promise<ProgramQuestion | undefined> {
  const found = await contents.of(start.bound, signal);
  return found.kind === 'unreadable' ? undefined : questionAbout(start, found);
}

function questionAbout({ what, folder, formerly, started }: StartToAllow, found: FoundProgram): ProgramQuestion {
  const { text: content, shown, unbound } = found;
  const reach = shownReach(started.reach, found);
  return { what, content, formerly: formerly(found), folder, shown, unbound, reach };
}

type FoundProgram = Parameters<DeclaredStart['formerly']>[0];

/** What the person is shown: declared reads by where they lead to. */
function shownReach(
  reach: ProgramReach | undefined,
  { reads }: { readonly reads?: readonly string[] | undefined },
): ProgramReach | undefined {
  return reach?.reads === undefined || reads === undefined ? reach : { ...reach, reads };
}

/** Why the consent to this program is a no. */
function whyRefused(program: SeenProgram, consent: ProgramConsent): string {
  return consent.changed?.(program) === true
    ? `The program “${program.what}” changed since the run began: what it is now was not allowed to run.`
    : `The program “${program.what}” was not allowed to run.`;
}

/** Notes what each program is before the first of them runs, where a yes is to that; reads nothing elsewhere. */
export async function noteBeginning(
  starts: readonly Pick<DeclaredStart, 'what' | 'bound' | 'folder'>[],
  { contents, consent }: AllowedPrograms,
  signal: AbortSignal,
): Promise<void> {
  if (consent.began === undefined) return;
  for (const { what, bound, folder } of starts) {
    const found = await contents.of(bound, signal);
    if (found.kind === 'found') consent.began({ what, folder, content: found.text });
  }
}
