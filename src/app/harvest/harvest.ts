import { realpath } from 'node:fs/promises';
import { UserError } from '../../errors.js';
import type { Harvest, HarvestedSession } from '../../harvest/harvested.js';
import { placesOf } from '../../harvest/places.js';
import { type HarvestSource, harvestSources, type Session } from '../../harvest/session.js';
import { isInside } from '../../isInside.js';
import { allowedFolders, allowedSources, allowFolder, allowSource } from '../../storage/harvest/allowedSessions.js';
import { sqliteOfNode } from '../../storage/harvest/databaseRows.js';
import { seenSessions } from '../../storage/harvest/seenSessions.js';
import { findSessionFiles } from '../../storage/harvest/sessionFiles.js';
import type { UserStore } from '../../storage/state/store.js';
import { redactorFor } from '../models/runModels.js';
import { type StoreWorld, userStore, type World } from '../world.js';
import { keepUsage, keptUsage } from './keptUsage.js';
import { NewestSessions } from './newestSessions.js';
import { sessionRedactor } from './redactSession.js';
import { countUsage, offeredForTraining, type OfferedSkill, type UsageMap, type UsageRequest } from './usageMap.js';
import { type RealPlace, type SessionScope, visitSessions } from './visitSessions.js';

/** A program whose sessions can be read, as it is on this machine. */
export interface SessionSource {
  readonly source: HarvestSource;
  /** Where there are any. */
  readonly folders: readonly string[];
  readonly files: number;
  readonly bytes: number;
  /** When the last one was written to. */
  readonly newest: number | undefined;
  readonly allowed: boolean;
  /** False where they lie in a database, and the Node that runs here reads none. */
  readonly readable: boolean;
}

export interface HarvestRequest extends Omit<SessionScope, 'sources'> {
  /** By name; all that are allowed where none is said. One that is not allowed is refused. */
  readonly sources?: readonly string[] | undefined;
  /** Of these, whether one need not be looked at again. */
  readonly isDone?: ((session: Pick<HarvestedSession, 'mark' | 'realFolder' | 'alsoIn'>) => boolean) | undefined;
  readonly caps?: HarvestCaps | undefined;
}

export interface HarvestCaps {
  readonly sessions?: number | undefined;
  /** Of all texts that are kept together. */
  readonly characters?: number | undefined;
}

/** What a person does with the sessions that they had with agents. Nothing of it is done in a workspace that is not trusted. */
export interface HarvestUseCases {
  /** Where sessions lie, how many there are, and whether they may be read: what a person is shown first. Reads none. */
  sessionSources(signal: AbortSignal): Promise<readonly SessionSource[]>;
  /** The person's yes to reading the sessions of a program, or its end. Holds for this machine and for them alone. */
  allowSessions(source: string, may: boolean, signal: AbortSignal): Promise<void>;
  /** The sessions of some folders, used ones too, without their secrets, newest first. Asks no model and keeps nothing. */
  harvestSessions(request: HarvestRequest, signal: AbortSignal): Promise<Harvest>;
  /** The folders whose sessions a skill in the person's home may take. */
  sessionFoldersOf(skillPath: string): Promise<readonly string[]>;
  /** These folders and those that it may take sessions of already, each by its real path. */
  sessionFolderChoices(skillPath: string, folders: readonly string[]): Promise<readonly SessionFolder[]>;
  /** The person's yes to that for one folder, or its end. */
  allowSessionFolder(about: SkillAndFolder, may: boolean, signal: AbortSignal): Promise<void>;
  /** Which skills were used how often in the sessions of some folders, and what they cost. Keeps the counts, unless told otherwise. */
  skillUsage(request: UsageRequest, signal: AbortSignal): Promise<UsageMap>;
  /** What was counted last for these folders. */
  lastUsage(folders: readonly string[]): Promise<UsageMap | undefined>;
  /** Skills of some folders in the order in which they are offered for training, by what was counted last. */
  offerForTraining(skillPaths: readonly string[], folders: readonly string[]): Promise<readonly OfferedSkill[]>;
}

export interface SessionFolder {
  readonly folder: string;
  readonly allowed: boolean;
}

export interface SkillAndFolder {
  readonly skillPath: string;
  readonly folder: string;
}

/** The machine, whether its person trusts the workspace, and the keys in use. */
type HarvestWorld = StoreWorld & Pick<World, 'secrets'>;

/** Wired to the machine and the state of the person. */
export function createHarvestUseCases(world: HarvestWorld): HarvestUseCases {
  return {
    async sessionSources(signal) {
      refuseUntrusted(world);
      return sourcesOf(world, await userStore(world, 'look'), signal);
    },
    async allowSessions(source, may, signal) {
      refuseUntrusted(world);
      await allowSource(await userStore(world), sourceNamed(source), { may }, signal);
    },
    async harvestSessions(request, signal) {
      refuseUntrusted(world);
      return harvested(world, await userStore(world), request, signal);
    },
    async sessionFoldersOf(skillPath) {
      return allowedFolders(await userStore(world, 'look'), await real(skillPath));
    },
    async sessionFolderChoices(skillPath, folders) {
      const allowed = await allowedFolders(await userStore(world, 'look'), await real(skillPath));
      const all = new Set([...(await Promise.all(folders.map(real))), ...allowed]);
      return [...all].map((folder) => ({ folder, allowed: allowed.includes(folder) }));
    },
    async allowSessionFolder({ skillPath, folder }, may, signal) {
      refuseUntrusted(world);
      const about = { skillPath: await real(skillPath), folder: await real(folder) };
      await allowFolder(await userStore(world), about, { may }, signal);
    },
    async skillUsage(request, signal) {
      refuseUntrusted(world);
      const store = await userStore(world);
      const sources = await chosenSources(store, request.sources);
      const redactor = await redactorFor(world, store);
      const clean = (name: string): string => redactor.redact(name).text;
      const usage = await countUsage({ world, store, clean, sources }, request, signal);
      if (request.keeps !== false) await keepUsage(store, request.folders, usage, signal);
      return usage;
    },
    lastUsage: async (folders) => keptUsage(await userStore(world, 'look'), folders),
    async offerForTraining(skillPaths, folders) {
      return offeredForTraining(skillPaths, await keptUsage(await userStore(world, 'look'), folders));
    },
  };
}

function refuseUntrusted({ trusted }: Pick<HarvestWorld, 'trusted'>): void {
  if (trusted()) return;
  throw new UserError(
    'workspace-untrusted',
    'This workspace is not trusted, so nothing in your home folder is read for it.',
    'Trust the workspace, then try again.',
  );
}

/** A path that is gone keeps its name: a yes to it can still be taken back. */
async function real(file: string): Promise<string> {
  return realpath(file).catch(() => file);
}

async function sourcesOf(
  world: HarvestWorld,
  store: UserStore,
  signal: AbortSignal,
): Promise<readonly SessionSource[]> {
  const [allowed, all] = [await allowedSources(store), placesOf(world)];
  const found: SessionSource[] = [];
  for (const source of harvestSources) {
    const own = all.filter((place) => place.source === source);
    const files = await findSessionFiles(own, signal);
    const folders = [...new Set(own.map(({ folder }) => folder))];
    const places = await Promise.all(folders.map(real));
    found.push({
      source,
      folders: folders.filter((_, at) => files.some((file) => isInside(places[at] ?? '', file.path))),
      files: files.length,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      newest: files[0]?.modified,
      allowed: allowed.has(source),
      readable: files.every(({ form }) => form !== 'database') || sqliteOfNode() !== undefined,
    });
  }
  return found;
}

function sourceNamed(name: string): HarvestSource {
  const found = harvestSources.find((source) => source === name);
  if (found !== undefined) return found;
  throw new UserError(
    'usage',
    `There is no program “${name}” whose sessions can be read.`,
    `It is one of ${harvestSources.join(', ')}.`,
  );
}

async function chosenSources(
  store: UserStore,
  names: readonly string[] | undefined,
): Promise<readonly HarvestSource[]> {
  const allowed = await allowedSources(store);
  if (names === undefined) return [...allowed];
  const sources = names.map(sourceNamed);
  const refused = sources.find((source) => !allowed.has(source));
  if (refused === undefined) return sources;
  throw new UserError(
    'sessions-not-allowed',
    `The sessions of ${refused} are not read without your word.`,
    `Allow it (“Choose Which Agent Sessions May Be Read”, on the command line “whetstone harvest --allow ${refused}”), then try again.`,
  );
}

const usualCaps = { sessions: 200, characters: 8_000_000 };

async function harvested(
  world: HarvestWorld,
  store: UserStore,
  { sources: names, caps = {}, isDone = () => false, ...scope }: HarvestRequest,
  signal: AbortSignal,
): Promise<Harvest> {
  const sources = await chosenSources(store, names);
  const redact = sessionRedactor(await redactorFor(world, store));
  const used = await seenSessions(store);
  const { sessions = usualCaps.sessions, characters = usualCaps.characters } = caps;
  const newest = new NewestSessions<HarvestedSession>({ sessions, characters }, charactersOf);
  const take = (session: Session, place: RealPlace): 'seen' | 'over-cap' | undefined => {
    const mark = markOf(store, session);
    if (isDone({ mark, ...place })) return 'seen';
    if (!newest.takes(session.ended)) return 'over-cap';
    newest.add({ ...redact(session, place), ...place, mark, ...(used.has(mark) ? { used: true } : {}) });
    return undefined;
  };
  const isFull = (modified: number): boolean => !newest.takes(modified);
  const { counts, unread } = await visitSessions(world, { ...scope, sources }, { take, isFull }, signal);
  return { sessions: newest.all, counts: newest.corrected(counts), unread };
}

function charactersOf({ exchanges }: Pick<Session, 'exchanges'>): number {
  return exchanges.reduce((sum, { asked, answer }) => sum + asked.length + answer.length, 0);
}

/** Keyed, so that nobody without the key can test a guess of what was said. */
function markOf({ key }: UserStore, { source, id, exchanges }: Session): string {
  const said = exchanges.map(({ asked, answer }) => [asked, answer]);
  return key.mac(JSON.stringify(['session', source, id, said])).slice(0, 32);
}
