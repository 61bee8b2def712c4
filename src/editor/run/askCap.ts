import * as vscode from 'vscode';
import { readSettings, writeSetting } from '../settings.js';
import { askText, pickOne } from '../shown/questions.js';

type CapSetting =
  | 'whetstone.caps.runUsd'
  | 'whetstone.caps.runTokens'
  | 'whetstone.caps.dayUsd'
  | 'whetstone.caps.monthUsd';

interface CapKind {
  readonly label: string;
  readonly setting: CapSetting | undefined;
  readonly now: number | undefined;
}

/** Lets the person set a cap, or take one away; it holds from then on, on this machine. */
export async function askCap(): Promise<void> {
  const kinds = capKinds();
  const picked = await pickOne(
    kinds.map((kind) => ({
      label: kind.label,
      description: kind.now === undefined ? vscode.l10n.t('no cap') : String(kind.now),
      capKind: kind,
    })),
    { title: vscode.l10n.t('Which cap?'), ignoreFocusOut: true },
  );
  if (picked === undefined) return;
  const { label, now, setting } = picked.capKind;
  const text = await askText({
    title: label,
    prompt: vscode.l10n.t('A run ends before it passes the cap. Leave it empty for no cap.'),
    value: now === undefined ? '' : String(now),
    ignoreFocusOut: true,
    validateInput: (given) =>
      given.trim() === '' || Number(given) > 0 ? undefined : vscode.l10n.t('Write a number above zero, or nothing.'),
  });
  if (text === undefined) return;
  const value = text.trim() === '' ? null : Number(text);
  await keepCap(setting, value);
}

function capKinds(): readonly CapKind[] {
  const settings = readSettings();
  const minutes: unknown = settings['whetstone.caps.more']['run.minutes'];
  const named = (setting: CapSetting, label: string): CapKind => ({
    label,
    setting,
    now: settings[setting] ?? undefined,
  });
  return [
    named('whetstone.caps.runUsd', vscode.l10n.t('USD for each run')),
    named('whetstone.caps.runTokens', vscode.l10n.t('Tokens for each run')),
    {
      label: vscode.l10n.t('Minutes for each run'),
      setting: undefined,
      now: typeof minutes === 'number' ? minutes : undefined,
    },
    named('whetstone.caps.dayUsd', vscode.l10n.t('USD a day')),
    named('whetstone.caps.monthUsd', vscode.l10n.t('USD a month')),
  ];
}

async function keepCap(setting: CapSetting | undefined, value: number | null): Promise<void> {
  const { Global } = vscode.ConfigurationTarget;
  if (setting !== undefined) return writeSetting(setting, value, Global);
  const { 'run.minutes': _, ...others } = readSettings()['whetstone.caps.more'];
  return writeSetting('whetstone.caps.more', value === null ? others : { ...others, 'run.minutes': value }, Global);
}
