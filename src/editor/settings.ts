import * as vscode from 'vscode';
import { settingDefaults, type Settings } from './contributions.js';
import type { SpendCap } from '../ports/spend.js';

/** Reads the settings as they are for a folder, each with its declared default. The only place that reads them. */
export function readSettings(scope?: vscode.Uri): Settings {
  const configuration = vscode.workspace.getConfiguration(undefined, scope ?? null);
  const entries = Object.entries(settingDefaults).map(([name, fallback]) => {
    const value = configuration.get<unknown>(name);
    return [name, sameKind(value, fallback) ? value : fallback] as const;
  });
  return { ...settingDefaults, ...Object.fromEntries(entries) };
}

/** The models as they are named for the three roles; optimizer and judge default to the target's. */
export function chosenSpecs(): {
  readonly target: string;
  readonly optimizer: string | undefined;
  readonly judge: string | undefined;
} {
  const settings = readSettings();
  return {
    target: settings['whetstone.model.target'],
    optimizer: settings['whetstone.model.optimizer'] || undefined,
    judge: settings['whetstone.model.judge'] || undefined,
  };
}

/** A setting as the person has it for all windows, and as the workspace has it; undefined where it is not set there. */
export interface SettingParts<Value> {
  readonly own: Value | undefined;
  readonly workspace: Value | undefined;
}

/** Tells apart who set it: what a workspace says came along with it. */
export function settingParts<Name extends keyof Settings>(
  name: Name,
  scope?: vscode.Uri,
): SettingParts<Settings[Name]> {
  const found = vscode.workspace.getConfiguration(undefined, scope ?? null).inspect<Settings[Name]>(name);
  const known = (value: Settings[Name] | undefined): Settings[Name] | undefined =>
    value !== undefined && sameKind(value, settingDefaults[name]) ? value : undefined;
  return {
    own: known(found?.globalValue),
    workspace: known(found?.workspaceFolderValue) ?? known(found?.workspaceValue),
  };
}

/** Writes one setting where the person would have written it. */
export async function writeSetting<Name extends keyof Settings>(
  name: Name,
  value: Settings[Name],
  target: vscode.ConfigurationTarget,
): Promise<void> {
  await vscode.workspace.getConfiguration().update(name, value, target);
}

/** A value of another kind than the default (somebody typed text where a number belongs) does not count. */
function sameKind(value: unknown, fallback: unknown): boolean {
  if (fallback === null) return value === null || typeof value === 'number';
  return typeof value === typeof fallback && value !== null && Array.isArray(value) === Array.isArray(fallback);
}

/** What the person allows to be spent, by period. */
export interface SetCaps {
  readonly run: SpendCap;
  readonly day: SpendCap;
  readonly month: SpendCap;
}

/** The caps as they are set; they are the machine's, whatever a workspace says. */
export function readCaps(): SetCaps {
  const settings = readSettings();
  const more = settings['whetstone.caps.more'];
  const limit = (name: string): number | undefined => {
    const value = more[name];
    return typeof value === 'number' && value > 0 ? value : undefined;
  };
  return {
    run: {
      tokens: settings['whetstone.caps.runTokens'] ?? undefined,
      usd: settings['whetstone.caps.runUsd'] ?? undefined,
      calls: limit('run.calls'),
      minutes: limit('run.minutes'),
    },
    day: {
      tokens: limit('day.tokens'),
      usd: settings['whetstone.caps.dayUsd'] ?? undefined,
      minutes: limit('day.minutes'),
    },
    month: {
      tokens: settings['whetstone.caps.monthTokens'] ?? undefined,
      usd: settings['whetstone.caps.monthUsd'] ?? undefined,
      minutes: limit('month.minutes'),
    },
  };
}

/** What the person says that models cost, by name; what is no price does not count. */
export function readPrices(): Readonly<Record<string, { readonly input: number; readonly output: number }>> {
  const stated = Object.entries(readSettings()['whetstone.model.prices']).flatMap(([model, price]) => {
    const [input, output] = price instanceof Object ? [field(price, 'input'), field(price, 'output')] : [];
    return input === undefined || output === undefined ? [] : [[model, { input, output }] as const];
  });
  return Object.fromEntries(stated);
}

function field(price: object, name: string): number | undefined {
  const value: unknown = Reflect.get(price, name);
  return typeof value === 'number' && value >= 0 ? value : undefined;
}
