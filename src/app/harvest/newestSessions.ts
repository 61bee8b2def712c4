import type { SourceCounts } from '../../harvest/harvested.js';
import type { HarvestSource, Session } from '../../harvest/session.js';

/** How much is kept at most. */
export interface SessionRoom {
  readonly sessions: number;
  /** Of all texts together; the oldest that is kept may go beyond it. */
  readonly characters: number;
}

type Counts = Readonly<Partial<Record<HarvestSource, SourceCounts>>>;

/**
 * The newest of the sessions that come along, as many as there is room for. They come by the times of their files, and a
 * database is one file for old and new ones: so one that was taken gives its place to a newer one.
 */
export class NewestSessions<Kept extends Pick<Session, 'source' | 'ended'>> {
  readonly #room: SessionRoom;
  readonly #lengthOf: (session: Kept) => number;
  readonly #kept: { readonly session: Kept; readonly length: number }[] = [];
  readonly #gone: HarvestSource[] = [];
  #length = 0;

  constructor(room: SessionRoom, lengthOf: (session: Kept) => number) {
    this.#room = room;
    this.#lengthOf = lengthOf;
  }

  /** Newest first. */
  get all(): readonly Kept[] {
    return this.#kept.map(({ session }) => session);
  }

  /** Whether one that ended then would be among them. */
  takes(ended: number | undefined): boolean {
    const { sessions, characters } = this.#room;
    if (sessions <= 0 || characters <= 0) return false;
    const isFull = this.#kept.length >= sessions || this.#length >= characters;
    return !isFull || endOf(this.#kept.at(-1)?.session) < (ended ?? 0);
  }

  /** One that they take. */
  add(session: Kept): void {
    const length = this.#lengthOf(session);
    const newer = this.#kept.findLastIndex((each) => endOf(each.session) >= endOf(session));
    this.#kept.splice(newer + 1, 0, { session, length });
    this.#length += length;
    while (this.#isOverfull()) this.#giveUpOldest();
  }

  #isOverfull(): boolean {
    const withoutOldest = this.#length - (this.#kept.at(-1)?.length ?? 0);
    return this.#kept.length > this.#room.sessions || (this.#kept.length > 1 && withoutOldest >= this.#room.characters);
  }

  #giveUpOldest(): void {
    const oldest = this.#kept.pop();
    if (oldest === undefined) return;
    this.#length -= oldest.length;
    this.#gone.push(oldest.session.source);
  }

  /** What was counted as kept when it came, and gave its place away since, is over the cap. */
  corrected(counts: Counts): Counts {
    const each = Object.entries(counts).map(([source, told]) => {
      const gone = this.#gone.filter((name) => name === source).length;
      if (gone === 0) return [source, told] as const;
      const leftOut = { ...told.leftOut, 'over-cap': (told.leftOut['over-cap'] ?? 0) + gone };
      return [source, { ...told, kept: told.kept - gone, leftOut }] as const;
    });
    return Object.fromEntries(each);
  }
}

function endOf(session: Pick<Session, 'ended'> | undefined): number {
  return session?.ended ?? 0;
}
