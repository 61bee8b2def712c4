import * as z from 'zod';
import { type HarvestSource, harvestSources } from '../../harvest/session.js';
import { readState, updateState, type SealedState } from '../files/sealedState.js';
import type { UserStore } from '../state/store.js';

/** What the person allowed of their past sessions, in their own state: no file of a workspace can say it. */
interface AllowedFile {
  /** When each source was allowed. */
  readonly sources: Readonly<Record<string, number>>;
  /** The folders whose sessions a skill of the person's home may take, by the real path of the skill. */
  readonly folders: Readonly<Record<string, readonly string[]>>;
}

const allowed: SealedState<AllowedFile> = {
  format: {
    format: 'whetstone-sessions',
    version: 1,
    schema: z.object({
      sources: z.record(z.string(), z.number()),
      folders: z.record(z.string(), z.array(z.string()).readonly()),
    }),
  },
  file: 'sessions.json',
};

/** The sources that may be read. A file that this user did not write here allows none. */
export async function allowedSources(store: UserStore): Promise<ReadonlySet<HarvestSource>> {
  const { sources } = await readAllowed(store);
  return new Set(harvestSources.filter((source) => sources[source] !== undefined));
}

/** Remembers a yes until it is taken back, or takes it back. */
export async function allowSource(
  store: UserStore,
  source: HarvestSource,
  { may }: { readonly may: boolean },
  signal: AbortSignal,
): Promise<void> {
  const now = store.clock.now();
  await change(
    store,
    (before) => ({ ...before, sources: withEntry(before.sources, source, may ? now : undefined) }),
    signal,
  );
}

/** The folders, as real paths, whose sessions a skill of the person's home may take. */
export async function allowedFolders(store: UserStore, skillPath: string): Promise<readonly string[]> {
  return (await readAllowed(store)).folders[skillPath] ?? [];
}

/** A yes to the sessions of one folder for one skill, or its end; both as real paths. */
export async function allowFolder(
  store: UserStore,
  { skillPath, folder }: { readonly skillPath: string; readonly folder: string },
  { may }: { readonly may: boolean },
  signal: AbortSignal,
): Promise<void> {
  const changed = (before: AllowedFile): AllowedFile => {
    const others = (before.folders[skillPath] ?? []).filter((each) => each !== folder);
    const folders = may ? [...others, folder].sort() : others;
    return { ...before, folders: withEntry(before.folders, skillPath, folders.length === 0 ? undefined : folders) };
  };
  await change(store, changed, signal);
}

/** Takes back what was allowed for a skill. */
export async function forgetFolders(store: UserStore, skillPath: string, signal: AbortSignal): Promise<void> {
  if ((await allowedFolders(store, skillPath)).length === 0) return;
  await change(store, (before) => ({ ...before, folders: withEntry(before.folders, skillPath, undefined) }), signal);
}

const nothing: AllowedFile = { sources: {}, folders: {} };

async function readAllowed(store: UserStore): Promise<AllowedFile> {
  const reading = await readState(store, allowed);
  return reading.kind === 'verified' ? reading.body : nothing;
}

async function change(
  store: UserStore,
  changed: (before: AllowedFile) => AllowedFile,
  signal: AbortSignal,
): Promise<void> {
  await updateState(store, allowed, (before) => changed(before ?? nothing), signal);
}

function withEntry<Value>(
  entries: Readonly<Record<string, Value>>,
  name: string,
  value: Value | undefined,
): Readonly<Record<string, Value>> {
  const others = Object.entries(entries).filter(([each]) => each !== name);
  return Object.fromEntries(value === undefined ? others : [...others, [name, value]]);
}
