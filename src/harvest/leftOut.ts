import { liesIn } from './scope.js';
import type { Exchange, Session } from './session.js';

/** Whose sessions are wanted. */
export interface HarvestScope {
  /** Real paths: sessions of these folders and of those beneath them. */
  readonly folders: readonly string[];
  /** The real path of a session's folder, which whoever reads files has asked for; undefined where it is not there. */
  readonly realFolder: string | undefined;
}

export type WhyLeftOut = 'own-call' | 'sub-agent' | 'no-folder' | 'other-folder' | 'headless' | 'nothing-asked';

/** A session with the requests of persons alone, or why nothing of it is taken. */
export type SiftedSession =
  | { readonly kind: 'kept'; readonly session: Session }
  | { readonly kind: 'left-out'; readonly why: WhyLeftOut };

export function sift(session: Session, scope: HarvestScope): SiftedSession {
  const exchanges = session.exchanges.filter(({ by }) => by !== 'program');
  const why = whyLeftOut(session, exchanges, scope);
  return why === undefined ? { kind: 'kept', session: { ...session, exchanges } } : { kind: 'left-out', why };
}

function whyLeftOut(
  { kind, folder, exchanges }: Session,
  ofPersons: readonly Exchange[],
  { folders, realFolder }: HarvestScope,
): WhyLeftOut | undefined {
  if (kind !== 'main') return kind;
  if (folder === undefined || folder === '') return 'no-folder';
  if (!folders.some((wanted) => liesIn(wanted, realFolder))) return 'other-folder';
  if (exchanges.length === 0) return 'nothing-asked';
  return ofPersons.length === 0 ? 'headless' : undefined;
}
