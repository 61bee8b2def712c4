import * as vscode from 'vscode';
import { messageOf } from '../../errors.js';
import type { SpendCap } from '../../ports/spend.js';
import { parseScheduleSettings, type ScheduleSettings } from '../../schedule/scheduleSettings.js';
import type { ScheduledRequest } from '../../app/nights/nights.js';
import { runRequestFor } from '../run/runRequestFor.js';
import { settingDefaults, type Settings } from '../contributions.js';
import { readSettings, settingParts } from '../settings.js';
import type { FolderSettings, FormerSwitch } from '../../app/nights/nightAgreement.js';

/** The schedule as it is set, or why it cannot be read. */
export type ReadSchedule =
  | { readonly kind: 'read'; readonly schedule: ScheduleSettings }
  | { readonly kind: 'broken'; readonly why: string; readonly cure: string };

/** The schedule by the person's own settings, and by those of the folder that count for its nights; `on` is the person's word alone. */
export function readSchedule(inForce: FolderSettings, on: boolean): ReadSchedule {
  const skips = inForce.skipOnBattery ?? own('whetstone.nightly.skipOnBattery');
  const raw = {
    enabled: on,
    at: timeOf(inForce),
    catchUp: inForce.catchUp ?? own('whetstone.nightly.catchUp'),
    excluded: [...(inForce.exclude ?? own('whetstone.nightly.exclude'))],
    onBattery: skips ? 'skip' : 'run',
  };
  try {
    return { kind: 'read', schedule: parseScheduleSettings(raw, machineZone()) };
  } catch (error) {
    return { kind: 'broken', why: messageOf(error), cure: vscode.l10n.t('Correct the schedule in the settings.') };
  }
}

/** When nights are due, as it was written. */
export function timeOf(inForce: FolderSettings): string {
  return inForce.time ?? own('whetstone.nightly.time');
}

/** What the settings of the workspace say about nights: they count only as the person agreed to them. */
export function folderSettings(): FolderSettings {
  const said = {
    time: settingParts('whetstone.nightly.time').workspace,
    catchUp: settingParts('whetstone.nightly.catchUp').workspace,
    exclude: settingParts('whetstone.nightly.exclude').workspace,
    skipOnBattery: settingParts('whetstone.nightly.skipOnBattery').workspace,
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

/** What the setting says that turned nights on in earlier versions. It is taken over once, and never written. */
export function formerSwitch(): FormerSwitch {
  const { own: ownValue, workspace } = settingParts('whetstone.nightly.enabled');
  return { inFolder: workspace, own: ownValue };
}

function own<Name extends keyof Settings>(name: Name): Settings[Name] {
  return settingParts(name).own ?? settingDefaults[name];
}

export function machineZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Names the workspace that a schedule belongs to: every window on the same folders shares it. */
export function openFolders(): readonly string[] {
  return (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
}

/** What the person set for nights, as a request. A window runs only with the consent that is on record. */
export function nightRequest(skills: readonly string[], schedule: ScheduleSettings): ScheduledRequest {
  const { skillPath: _path, purpose: _purpose, ...request } = runRequestFor(skills[0] ?? '');
  return {
    ...request,
    schedule,
    skills,
    folders: openFolders(),
    force: false,
    excluded: schedule.excluded,
    onBattery: schedule.onBattery,
    autoAdopt: readSettings()['whetstone.nightly.autoAdopt'],
    autoAdoptIn: 'setting',
    unsaved: vscode.workspace.textDocuments.filter((each) => each.isDirty).map((each) => each.uri.fsPath),
    cap: nightCap(),
    consent: 'stored',
    startedBy: 'window',
  };
}

/** What a night as a whole may use. */
export function nightCap(): SpendCap {
  const settings = readSettings();
  return {
    tokens: settings['whetstone.nightly.capTokens'] ?? undefined,
    usd: settings['whetstone.nightly.capUsd'] ?? undefined,
  };
}
