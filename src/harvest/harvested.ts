import type { WhyLeftOut } from './leftOut.js';
import type { HarvestSource, Session } from './session.js';

/** A session that may be used: asked by a person, in a folder that is wanted, and without its secrets. */
export interface HarvestedSession extends Session {
  /** The real path of its folder. */
  readonly realFolder: string;
  /** The real paths of the others: it is wanted where all of them are. */
  readonly alsoIn?: readonly string[];
  /** Both without their secrets, the first of them first: what a person is shown. */
  readonly shownFolders: readonly string[];
  /** Stands for all that it holds: one that went on has another. By it is noted what it was used for. */
  readonly mark: string;
  /** Set where something was made of it for a skill, or a model was shown it. For another skill it is new all the same. */
  readonly used?: true | undefined;
}

/** Why a session, or a file of sessions, is not among those that were harvested. */
export type WhyNotHarvested =
  | WhyLeftOut
  /** Before the time that is asked for. */
  | 'too-old'
  /** Looked through before for every skill that may take it. */
  | 'seen'
  /** The same session lies in another file too. */
  | 'twice'
  /** As many as wanted were kept already. */
  | 'over-cap';

/** A file that was not read, and why. */
export interface UnreadFile {
  readonly source: HarvestSource;
  readonly path: string;
  /**
   * `no-sqlite`: this Node cannot read a database. `no-room`: there is none for a copy of it. `busy`: its program wrote to
   * it all the time. `broken`: nothing in it could be understood. `not-utf8`: UTF-16, or no text at all.
   */
  readonly why: 'too-long' | 'empty' | 'not-utf8' | 'no-sqlite' | 'no-room' | 'not-readable' | 'broken' | 'busy';
}

/** What a harvest gave. */
export interface Harvest {
  /** Newest first. */
  readonly sessions: readonly HarvestedSession[];
  readonly counts: Readonly<Partial<Record<HarvestSource, SourceCounts>>>;
  readonly unread: readonly UnreadFile[];
}

/** What was found of a source, so that a person can be told. */
export interface SourceCounts {
  readonly files: number;
  readonly sessions: number;
  readonly kept: number;
  readonly leftOut: Readonly<Partial<Record<WhyNotHarvested, number>>>;
  /** Lines or entries that were broken, too long, or of a kind that is not known. */
  readonly notUnderstood: number;
}
