import * as vscode from 'vscode';
import { readSettings, writeSetting } from '../settings.js';
import { askText, pickOne } from '../shown/questions.js';

type CapSetting =
  | 'whetstone.caps.runUsd'
  | 'whetstone.caps.runTokens'
  | 'whetstone.caps.dayUsd'
  | 'whetstone.caps.monthUsd';

type MoreCap = 'run.minutes' | 'run.calls';

interface CapKind {
  readonly label: string;
  readonly setting: CapSetting | MoreCap;
  readonly now: number | undefined;
}

/**
 * Lets the person set a cap, or take one away; it holds from then on, on this machine. Where nothing costs money, minutes are
 * what is capped first.
 */
export async function askCap({ minutesFirst = false }: { readonly minutesFirst?: boolean } = {}): Promise<void> {
  const all = capKinds();
  const kinds = minutesFirst ? all.toSorted((a, b) => Number(isMinutes(b)) - Number(isMinutes(a))) : all;
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

function isMinutes({ setting }: CapKind): boolean {
  return setting === 'run.minutes';
}

function capKinds(): readonly CapKind[] {
  const settings = readSettings();
  const named = (setting: CapSetting, label: string): CapKind => ({
    label,
    setting,
    now: settings[setting] ?? undefined,
  });
  const further = (setting: MoreCap, label: string): CapKind => {
    const now: unknown = settings['whetstone.caps.more'][setting];
    return { label, setting, now: typeof now === 'number' ? now : undefined };
  };
  return [
    named('whetstone.caps.runUsd', vscode.l10n.t('USD for each run')),
    named('whetstone.caps.runTokens', vscode.l10n.t('Tokens for each run')),
    further('run.calls', vscode.l10n.t('Calls for each run')),
    further('run.minutes', vscode.l10n.t('Minutes for each run')),
    named('whetstone.caps.dayUsd', vscode.l10n.t('USD a day')),
    named('whetstone.caps.monthUsd', vscode.l10n.t('USD a month')),
  ];
}

async function keepCap(setting: CapSetting | MoreCap, value: number | null): Promise<void> {
  const { Global } = vscode.ConfigurationTarget;
  if (!isFurther(setting)) return writeSetting(setting, value, Global);
  const { [setting]: _, ...others } = readSettings()['whetstone.caps.more'];
  return writeSetting('whetstone.caps.more', value === null ? others : { ...others, [setting]: value }, Global);
}

function isFurther(setting: CapSetting | MoreCap): setting is MoreCap {
  return setting === 'run.minutes' || setting === 'run.calls';
}
