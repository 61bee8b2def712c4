import * as vscode from 'vscode';
import { messageOf } from '../../errors.js';
import type { SpendCap } from '../../ports/spend.js';
import { parseScheduleSettings, type ScheduleSettings } from '../../schedule/scheduleSettings.js';
import type { ScheduledRequest } from '../../app/nights/nights.js';
import { runRequestFor } from '../run/optimizeCommand.js';
import { readSettings } from '../settings.js';

/** The schedule as it is set, or why it cannot be read. */
export type ReadSchedule =
  | { readonly kind: 'read'; readonly schedule: ScheduleSettings }
  | { readonly kind: 'broken'; readonly why: string; readonly cure: string };

export function readSchedule(): ReadSchedule {
  const all = readSettings();
  const raw = {
    enabled: all['whetstone.nightly.enabled'],
    at: all['whetstone.nightly.time'],
    catchUp: all['whetstone.nightly.catchUp'],
    excluded: [...all['whetstone.nightly.exclude']],
    onBattery: all['whetstone.nightly.skipOnBattery'] ? 'skip' : 'run',
  };
  try {
    return { kind: 'read', schedule: parseScheduleSettings(raw, machineZone()) };
  } catch (error) {
    return { kind: 'broken', why: messageOf(error), cure: vscode.l10n.t('Correct the schedule in the settings.') };
  }
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
