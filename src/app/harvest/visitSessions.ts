import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Harvest, HarvestedSession, SourceCounts, UnreadFile, WhyNotHarvested } from '../../harvest/harvested.js';
import { sift } from '../../harvest/leftOut.js';
import { placesOf } from '../../harvest/places.js';
import { isShare, isWithin, liesIn } from '../../harvest/scope.js';
import type { Exchange, HarvestSource, Session } from '../../harvest/session.js';
import { unlessMissing } from '../../storage/files/fileErrors.js';
import { readSessionFile } from '../../storage/harvest/readSessions.js';
import { findSessionFiles, type SessionFile } from '../../storage/harvest/sessionFiles.js';
import type { World } from '../world.js';

/** Whose home the sessions lie in. */
export type HomeWorld = Pick<World, 'environment' | 'platform' | 'home'>;

/** Which sessions are looked at. */
export interface SessionScope {
  readonly sources: readonly HarvestSource[];
  /** Sessions of these folders and of those beneath them. */
  readonly folders: readonly string[];
  /** In milliseconds since 1970: sessions that ended before are left out. */
  readonly since?: number | undefined;
}

/** The folders of a session as real paths. */
export type RealPlace = Pick<HarvestedSession, 'realFolder' | 'alsoIn'>;

export interface SessionVisitor {
  /** Takes a session of a person and of a wanted folder, or says why not. */
  readonly take: (session: Session, place: RealPlace) => WhyNotHarvested | undefined;
  /** Whether no file needs to be read that was last written then, nor one that is older. */
  readonly isFull?: ((modified: number) => boolean) | undefined;
}

/**
 * Reads the sessions of the sources one after the other, newest file first, and hands those in scope to a visitor. One
 * session is held at a time. What is left out is counted, with the reason.
 */
export async function visitSessions(
  world: HomeWorld,
  scope: SessionScope,
  visitor: SessionVisitor,
  signal: AbortSignal,
): Promise<Pick<Harvest, 'counts' | 'unread'>> {
  const wanted = new Set(scope.sources);
  const files = await findSessionFiles(
    placesOf(world).filter(({ source }) => wanted.has(source)),
    signal,
  );
  const visit = new Visit(scope, await realFolders(scope.folders), visitor);
  for (const file of [...files.filter((each) => !isHashed(each)), ...files.filter(isHashed)]) {
    await visit.read(file, signal);
    await nextTurn();
  }
  return visit;
}

/** What tells no more of its folder than a hash comes last, when the folders of other sessions are known. */
function isHashed({ source, form }: SessionFile): boolean {
  return source === 'gemini-cli' && form === 'object';
}

/** Folders as real paths; one that is not there, or none at all, holds no session. */
export async function realFolders(folders: readonly string[]): Promise<readonly string[]> {
  const absolute = folders.filter((folder) => path.isAbsolute(folder));
  const found = await Promise.all(absolute.map((folder) => realpath(folder).catch(() => undefined)));
  return [...new Set(found.filter((folder) => folder !== undefined))];
}

class Visit implements Pick<Harvest, 'counts' | 'unread'> {
  readonly counts: Partial<Record<HarvestSource, MutableCounts>> = {};
  readonly unread: UnreadFile[] = [];
  readonly #scope: SessionScope;
  readonly #folders: readonly string[];
  readonly #visitor: SessionVisitor;
  readonly #real = new Map<string, Promise<string | undefined>>();
  readonly #ids = new Set<string>();
  /** The folders that are wanted, and those that sessions told. */
  readonly #known: Set<string>;

  constructor(scope: SessionScope, folders: readonly string[], visitor: SessionVisitor) {
    this.#scope = scope;
    this.#folders = folders;
    this.#visitor = visitor;
    this.#known = new Set([...scope.folders, ...folders]);
  }

  async read(file: SessionFile, signal: AbortSignal): Promise<void> {
    const { source, path: where, modified } = file;
    const counts = (this.counts[source] ??= { files: 0, sessions: 0, kept: 0, leftOut: {}, notUnderstood: 0 });
    counts.files += 1;
    if (modified < (this.#scope.since ?? 0)) return leave(counts, 'too-old');
    if (this.#visitor.isFull?.(modified) === true) return leave(counts, 'over-cap');
    const take = async (session: Session): Promise<void> => {
      counts.sessions += 1;
      counts.notUnderstood += session.counts.broken + session.counts.tooLong + session.counts.unknown;
      const why = await this.#take(session);
      if (why === undefined) counts.kept += 1;
      else leave(counts, why);
    };
    const reading = await readSessionFile(file, take, signal, { folders: [...this.#known] });
    if (reading !== 'read') this.unread.push({ source, path: where, why: reading });
  }

  async #take(session: Session): Promise<WhyNotHarvested | undefined> {
    const { source, id, folder, ended } = session;
    const realFolder = await this.#realOf(folder);
    if (folder !== undefined) this.#known.add(folder);
    const sifted = sift(session, { folders: this.#folders, realFolder });
    if (sifted.kind === 'left-out') return sifted.why;
    const place = await this.#placeOf(session, realFolder ?? '');
    const exchanges = await this.#within(place.realFolder, sifted.session.exchanges);
    if (exchanges.length === 0 || !isWithin(this.#folders, place)) return 'other-folder';
    if (ended !== undefined && ended < (this.#scope.since ?? 0)) return 'too-old';
    if (!this.#isFirst(source, id)) return 'twice';
    return this.#visitor.take({ ...sifted.session, exchanges }, place);
  }

  /** One without an id is like no other. */
  #isFirst(source: HarvestSource, id: string): boolean {
    return id === '' || this.#ids.size < this.#ids.add(`${source} ${id}`).size;
  }

  /** One that is gone lies nowhere. */
  async #placeOf({ alsoIn }: Session, realFolder: string): Promise<RealPlace> {
    if (alsoIn === undefined) return { realFolder };
    return { realFolder, alsoIn: await Promise.all(alsoIn.map(async (each) => (await this.#realOf(each)) ?? '')) };
  }

  /** Without what was said where a link leads out of the session's folder: by its name it lay beneath it. */
  async #within(realFolder: string, exchanges: readonly Exchange[]): Promise<readonly Exchange[]> {
    const isHere = await Promise.all(
      exchanges.map(async ({ stood = [] }) => {
        const found = await Promise.all(stood.map(async (folder) => this.#realOf(await thereOf(folder))));
        return found.every((folder) => liesIn(realFolder, folder));
      }),
    );
    return exchanges.flatMap(({ stood: _stood, feedback, ...exchange }, at) => {
      if (isHere[at] !== true) return [];
      const goesOn = isHere[at - 1] === false ? { goesOn: true as const } : {};
      const isHeard = feedback?.from !== 'next-message' || isHere[at + 1] !== false;
      return [{ ...exchange, feedback: isHeard ? feedback : undefined, ...goesOn }];
    });
  }

  /** A folder of another machine is not looked for: Windows would ask that machine. What the kernel names is whoever asks. */
  #realOf(folder: string | undefined): Promise<string | undefined> {
    if (folder === undefined || !path.isAbsolute(folder)) return Promise.resolve(undefined);
    if (/^\/(?:proc|dev\/fd)(?:\/|$)/u.test(path.posix.normalize(folder))) return Promise.resolve(undefined);
    if (isShare(folder) && !this.#folders.some(isShare)) return Promise.resolve(undefined);
    const known = this.#real.get(folder) ?? realpath(folder).catch(() => undefined);
    this.#real.set(folder, known);
    return known;
  }
}

/** The nearest folder above that is there, where this one is gone: it was made in that one. */
async function thereOf(folder: string): Promise<string> {
  const above = path.dirname(folder);
  return above === folder || (await unlessMissing(lstat(folder)).catch(() => true)) !== undefined
    ? folder
    : thereOf(above);
}

interface MutableCounts extends SourceCounts {
  files: number;
  sessions: number;
  kept: number;
  readonly leftOut: Partial<Record<WhyNotHarvested, number>>;
  notUnderstood: number;
}

function leave({ leftOut }: MutableCounts, why: WhyNotHarvested): void {
  leftOut[why] = (leftOut[why] ?? 0) + 1;
}
