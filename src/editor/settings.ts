import * as vscode from 'vscode';
import { settingDefaults, type Settings } from './contributions.js';

/** Reads the settings as they are for a folder, each with its declared default. The only place that reads them. */
export function readSettings(scope?: vscode.Uri): Settings {
  const configuration = vscode.workspace.getConfiguration(undefined, scope ?? null);
  const entries = Object.entries(settingDefaults).map(([name, fallback]) => {
    const value = configuration.get<unknown>(name);
    return [name, sameKind(value, fallback) ? value : fallback] as const;
  });
  return { ...settingDefaults, ...Object.fromEntries(entries) };
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
