import { canonicalJson } from '../../hash.js';
import { nightConsentOf, type NightConsent } from '../../storage/state/nightConsents.js';
import type { UserStore } from '../../storage/state/store.js';
import { modelNames } from '../models/runModels.js';
import { openSkill, type SkillRequest } from '../openSkill.js';
import { workspaceConfigOf, type Layer } from '../runs/workspaceConfig.js';
import { userStore, type World } from '../world.js';
import { giveModelConsent, hasModelConsent, staysHere } from './nightLimits.js';
import { placeOf } from '../../storage/state/nightPlace.js';
import { nightSwitchOf } from '../../storage/state/nightSwitch.js';
import { nightScheduleOf } from './nightSchedule.js';
import type { NightRequest } from './nightSkills.js';

/** What the settings of a folder say about its nights; absent where they say nothing. */
export type FolderSettings = NonNullable<NightConsent['settings']>;

/** What a person agrees to, for the nights of some folders. */
export interface Agreement extends Omit<SkillRequest, 'skillPath'> {
  readonly folders: readonly string[];
  /** That their tasks are sent to the chosen models. */
  readonly models?: boolean;
  /** What the settings of the folder say. */
  readonly settings?: FolderSettings;
  /** The options that the workspace has for these skills: they bound what a night takes. */
  readonly optionsFor?: readonly string[];
}

/** Writes down what the person agreed to; what is not named stays as it was. */
export async function agree(world: World, agreement: Agreement, signal: AbortSignal): Promise<void> {
  const { folders, models, settings, optionsFor } = agreement;
  const store = await userStore(world);
  const consent = nightConsentOf(store, placeOf(folders));
  const said = settings ?? (await settingsBefore(world, store, folders, signal));
  const options = optionsFor === undefined ? undefined : await optionsOf(world, { ...agreement, skills: optionsFor });
  await consent.add(
    { ...(said === undefined ? {} : { settings: said }), ...(options === undefined ? {} : { options }) },
    signal,
  );
  if (models === true) await giveModelConsent(store, folders, modelNames(await world.models(signal)), signal);
}

/** What was agreed to of the folder's settings; nothing, unless an earlier version has a word for all of them. */
async function settingsBefore(
  world: World,
  store: UserStore,
  folders: readonly string[],
  signal: AbortSignal,
): Promise<FolderSettings | undefined> {
  const before = await nightConsentOf(store, placeOf(folders)).read();
  if (before?.settings !== undefined) return before.settings;
  return (await isOlderConsent(world, store, folders, signal)) ? undefined : {};
}

/** A setting of the folder that changed since the person agreed to it. */
export interface ChangedSetting {
  readonly name: keyof FolderSettings;
  /** Undefined where the folder said nothing. */
  readonly former: unknown;
  readonly now: unknown;
}

/** What of a folder's settings counts for its nights, what the person is asked about, and whether they have nights on. */
export interface SettingsInForce {
  readonly on: boolean;
  readonly settings: FolderSettings;
  readonly changed: readonly ChangedSetting[];
}

/** What the settings say about nights, as a window finds it. */
export interface FoundSettings {
  readonly folders: readonly string[];
  readonly inFolder: FolderSettings;
  /** What the deprecated setting says that once turned nights on. */
  readonly formerSwitch: FormerSwitch;
}

/** `whetstone.nightly.enabled` in the settings of the folder, and in the person's own. */
export interface FormerSwitch {
  readonly inFolder?: boolean | undefined;
  readonly own?: boolean | undefined;
}

/**
 * The folder's settings as the person agreed to them: one that changed since keeps its former value, and is asked about
 * while nights are on. A consent of an earlier version takes the values of today, once; without one, nothing of what the
 * folder says counts until it is asked about.
 */
export async function settingsInForce(
  world: World,
  { folders, inFolder, formerSwitch }: FoundSettings,
  signal: AbortSignal,
): Promise<SettingsInForce> {
  const store = await userStore(world);
  const consent = nightConsentOf(store, placeOf(folders));
  const older = (): Promise<boolean> => isOlderConsent(world, store, folders, signal);
  let former = (await consent.read())?.settings;
  if (former === undefined) {
    const settings = (await older()) ? { ...inFolder, enabled: formerSwitch.inFolder } : {};
    former = (await consent.addAbsent({ settings }, signal)).settings ?? {};
  }
  const { enabled, ...settings } = former;
  const kept = nightSwitchOf(store, placeOf(folders));
  const on = (await kept.read()) ?? (await takenOver(enabled, formerSwitch, { older, kept, signal }));
  return { on, settings, changed: on ? changedIn(settings, inFolder) : [] };
}

function changedIn(former: FolderSettings, inFolder: FolderSettings): readonly ChangedSetting[] {
  return names
    .filter((name) => canonicalJson(former[name] ?? null) !== canonicalJson(inFolder[name] ?? null))
    .map((name) => ({ name, former: former[name], now: inFolder[name] }));
}

const names = ['time', 'catchUp', 'exclude', 'skipOnBattery'] as const;

/** Earlier versions kept in the settings whether nights are on. For whoever agreed to nights here that counts, once. */
async function takenOver(
  agreed: boolean | undefined,
  found: FormerSwitch,
  {
    older,
    kept,
    signal,
  }: {
    readonly older: () => Promise<boolean>;
    readonly kept: ReturnType<typeof nightSwitchOf>;
    readonly signal: AbortSignal;
  },
): Promise<boolean> {
  if (agreed !== true && !(await older())) return false;
  return kept.turnFirst(wereOn(agreed, found), signal);
}

/** On where the folder said so and the person agreed, else where their own settings did; off where one of them said so. */
function wereOn(agreed: boolean | undefined, { inFolder, own }: FormerSwitch): boolean {
  if (agreed === false || inFolder === false) return false;
  return (agreed === true && inFolder === true) || own === true;
}

/** The person turns the nights of these folders on or off. */
export async function turnNights(
  world: World,
  { folders, on }: { readonly folders: readonly string[]; readonly on: boolean },
  signal: AbortSignal,
): Promise<void> {
  await nightSwitchOf(await userStore(world), placeOf(folders)).turn(on, signal);
}

/** What the person agreed to of the workspace's options; undefined where nights are not bound by it. */
export async function agreedOptions(
  store: UserStore,
  { consent, folders }: NightRequest,
): Promise<Readonly<Record<string, Layer>> | undefined> {
  if (consent !== 'stored' || folders === undefined) return undefined;
  return (await nightConsentOf(store, placeOf(folders)).read())?.options;
}

/** A consent of an earlier version takes the options of its next night, once. */
export async function takeOlderOptions(world: World, request: NightRequest, signal: AbortSignal): Promise<void> {
  const { consent, folders } = request;
  if (consent !== 'stored' || folders === undefined) return;
  const store = await userStore(world);
  const agreed = nightConsentOf(store, placeOf(folders));
  if ((await agreed.read())?.options !== undefined) return;
  const models = await world.models(signal).catch(() => undefined);
  if (models === undefined || !(await hasModelConsent(store, folders, modelNames(models)))) return;
  await agreed.addAbsent({ options: await optionsOf(world, request) }, signal);
}

/** What each `config.yaml` of these skills says, by the folder that holds it; one that cannot be read says nothing. */
async function optionsOf(
  world: World,
  request: Omit<SkillRequest, 'skillPath'> & { readonly skills: readonly string[] },
): Promise<Readonly<Record<string, Layer>>> {
  const found = await Promise.all(
    request.skills.map(async (skillPath) => {
      const skill = await openSkill(world, { ...request, skillPath }, 'look').catch(() => undefined);
      const config = skill === undefined ? undefined : await workspaceConfigOf(skill).catch(() => undefined);
      return skill === undefined || config === undefined ? [] : [[skill.places.sharedState, config] as const];
    }),
  );
  return Object.fromEntries(found.flat());
}

/**
 * Whether an earlier version has the person's word for nights here: for the models, or, where these send nothing and are
 * not asked about, by having kept the time. Where no model is at hand only the latter can be told.
 */
async function isOlderConsent(
  world: World,
  store: UserStore,
  folders: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  const models = await world.models(signal).catch(() => undefined);
  if (models !== undefined && !staysHere(modelNames(models)))
    return hasModelConsent(store, folders, modelNames(models));
  return (await nightScheduleOf(store, folders).state())?.enabledAt !== undefined;
}
