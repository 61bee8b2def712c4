import * as vscode from 'vscode';
import type { ChangedSetting, FolderSettings, SettingsInForce } from '../../app/nights/nightAgreement.js';
import type { NightPlan } from '../../app/nights/nightPlan.js';
import type { NightUseCases } from '../../app/nights/nights.js';
import { grouped } from '../../wording/amounts.js';
import { neverAborted } from '../cancellation.js';
import { showInformation } from '../shown/messages.js';
import { requestFor } from '../workbench.js';
import { folderSettings, formerSwitch, openFolders, readSchedule, type ReadSchedule } from './nightlySettings.js';

type Consents = Pick<NightUseCases, 'agreeToNights' | 'settingsInForce'>;

interface ConsentParts {
  readonly useCases: () => Promise<Consents>;
  /** Whether anybody ever turned nights on or off here: without that nothing is loaded. */
  readonly hasSwitch: (folders: readonly string[]) => Promise<boolean>;
}

/** What the workspace says about nights, held to what the person agreed to; what changed since is asked about. */
export class NightlyConsent {
  readonly #useCases: () => Promise<Consents>;
  readonly #hasSwitch: ConsentParts['hasSwitch'];
  readonly #agreed: () => Promise<void>;
  #inForce: SettingsInForce = none;
  /** What this window asked about already. */
  readonly #askedAbout = new Set<string>();

  /** `agreed` is called when the person said yes to something. */
  constructor({ useCases, hasSwitch }: ConsentParts, agreed: () => Promise<void>) {
    this.#useCases = useCases;
    this.#hasSwitch = hasSwitch;
    this.#agreed = agreed;
  }

  /** Whether the person has nights on here. */
  get on(): boolean {
    return this.#inForce.on;
  }

  /** What of the folder's settings counts. */
  get settings(): FolderSettings {
    return this.#inForce.settings;
  }

  /** What changed since the person agreed. */
  get changed(): readonly ChangedSetting[] {
    return this.#inForce.changed;
  }

  /** The schedule that nights go by. */
  schedule(): ReadSchedule {
    return readSchedule(this.settings, this.on);
  }

  /** Reads what others may have changed. Loads and writes nothing where nobody ever had nights on, or nothing may be written. */
  async read(): Promise<void> {
    const found = { folders: openFolders(), inFolder: folderSettings(), formerSwitch: formerSwitch() };
    const { inFolder, own } = found.formerSwitch;
    const mayBeOn = inFolder === true || own === true || (await this.#hasSwitch(found.folders));
    const asks = vscode.workspace.isTrusted && mayBeOn;
    this.#inForce = asks ? await (await this.#useCases()).settingsInForce(found, neverAborted()) : none;
    if (this.changed.length > 0) void this.askAboutSettings('once');
  }

  /** Puts the question about changed settings; `once` where this window has not put it yet. */
  async askAboutSettings(when: 'once' | 'again'): Promise<void> {
    if (!this.#isNew(this.changed) && when === 'once') return;
    if (await askAboutSettings(this.changed, this.#useCases)) await this.#agreed();
  }

  /** The same for options that would raise what a night may take. */
  async askAboutOptions(raised: NightPlan['raised'], skills: readonly string[]): Promise<void> {
    if (raised.length === 0 || !this.#isNew(raised)) return;
    if (await askAboutOptions(raised, skills, this.#useCases)) await this.#agreed();
  }

  #isNew(asked: unknown): boolean {
    const before = this.#askedAbout.size;
    return this.#askedAbout.add(JSON.stringify(asked)).size > before;
  }
}

const none: SettingsInForce = { on: false, settings: {}, changed: [] };

/** Asks about settings of the workspace that changed since the person agreed to them. True where they agree now. */
async function askAboutSettings(
  changed: readonly ChangedSetting[],
  useCases: () => Promise<Consents>,
): Promise<boolean> {
  const use = vscode.l10n.t('Use the New Settings');
  const now = folderSettings();
  const picked = await showInformation(
    vscode.l10n.t(
      'Whetstone: the settings of this workspace for nights have changed ({0}). Until you agree, nights keep to the former.',
      changed.map(changeWords).join('; '),
    ),
    use,
    vscode.l10n.t('Keep the Former'),
  );
  if (picked !== use) return false;
  await (await useCases()).agreeToNights({ ...place(), settings: now }, neverAborted());
  return true;
}

/** Asks about options of the workspace that would raise what a night may take. True where the person agrees. */
async function askAboutOptions(
  raised: NightPlan['raised'],
  skills: readonly string[],
  useCases: () => Promise<Consents>,
): Promise<boolean> {
  const [first] = raised;
  if (first === undefined) return false;
  const allow = vscode.l10n.t('Allow the New Options');
  const picked = await showInformation(
    vscode.l10n.t(
      'Whetstone: the options in .whetstone/config.yaml would raise what a night may take for {0} from {1} to {2} calls. Until you agree, nights keep to those from before.',
      raised.map(({ name }) => name).join(', '),
      grouped(first.former.calls),
      grouped(first.now.calls),
    ),
    allow,
    vscode.l10n.t('Keep the Former'),
  );
  if (picked !== allow) return false;
  await (await useCases()).agreeToNights({ ...place(), optionsFor: skills }, neverAborted());
  return true;
}

function place(): { readonly folders: readonly string[]; readonly workspaceFolders: readonly string[] } {
  return { folders: openFolders(), workspaceFolders: requestFor('').workspaceFolders };
}

function changeWords({ name, former, now }: ChangedSetting): string {
  return `${name}: ${valueWords(former)} → ${valueWords(now)}`;
}

function valueWords(value: unknown): string {
  return value === undefined ? vscode.l10n.t('not set') : JSON.stringify(value);
}
