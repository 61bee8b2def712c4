import * as vscode from 'vscode';
import { UserError } from '../../errors.js';
import { readSettings } from '../settings.js';
import type { KeyStore, ModelParts } from './chooseModel.js';

const prefix = 'whetstone.key.';

/** Keys in VS Code's secret storage, bound to the host they were entered for: another address asks again. */
export function secretKeys(secrets: vscode.SecretStorage): KeyStore {
  return {
    of: async (baseUrl) => (URL.canParse(baseUrl) ? secrets.get(prefix + new URL(baseUrl).host) : undefined),
    has: async (host) => (await secrets.get(prefix + host)) !== undefined,
    store: async (host, key) => secrets.store(prefix + host, key),
    forget: async (host) => secrets.delete(prefix + host),
  };
}

/** The command “Set API Key”. */
export async function setApiKey({ keys, source }: Pick<ModelParts, 'keys' | 'source'>): Promise<void> {
  const settings = readSettings();
  const specs = [
    settings['whetstone.model.target'],
    settings['whetstone.model.optimizer'],
    settings['whetstone.model.judge'],
  ];
  const known = await Promise.all(specs.map((spec) => source.keyAddress(spec)));
  const addresses = [...new Set(known.filter((address) => address !== undefined))];
  if (addresses.length === 0) {
    throw new UserError(
      'model-not-chosen',
      vscode.l10n.t('No chosen model takes a key.'),
      vscode.l10n.t('Run “Whetstone: Choose Model” first.'),
    );
  }
  const picked =
    addresses.length === 1
      ? addresses[0]
      : await vscode.window.showQuickPick(addresses, { title: vscode.l10n.t('For which server?') });
  if (picked !== undefined) await askForKey(keys, picked);
}

/** Asks for a key and stores it for that host; an empty one forgets what was stored. */
export async function askForKey(keys: KeyStore, baseUrl: string): Promise<void> {
  const { host } = new URL(baseUrl);
  const known = await keys.has(host);
  const key = await vscode.window.showInputBox({
    title: vscode.l10n.t('API key for {0}', host),
    prompt: known
      ? vscode.l10n.t('A key is stored. Enter a new one, or nothing to forget it.')
      : vscode.l10n.t('Kept in VS Code’s secret storage, for this host only.'),
    password: true,
    ignoreFocusOut: true,
  });
  if (key === undefined) return;
  if (key.trim() === '') await keys.forget(host);
  else await keys.store(host, key.trim());
}
