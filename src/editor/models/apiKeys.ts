import * as vscode from 'vscode';
import { UserError } from '../../errors.js';
import { maySendKey, refuseExposedKey, storedKeyFor } from '../../keyBinding.js';
import { readSettings } from '../settings.js';
import type { KeyStore, ModelParts } from './chooseModel.js';
import { showInformation } from '../shown/messages.js';
import { askText, pickOne } from '../shown/questions.js';

const prefix = 'whetstone.key.';

/**
 * Keys in VS Code's secret storage, bound to the scheme and host that they were entered for: another address asks again.
 * Earlier versions bound them to the host alone; such a key is read until another is stored.
 */
export function secretKeys(secrets: vscode.SecretStorage): KeyStore {
  const read = async (name: string): Promise<string | undefined> => secrets.get(prefix + name);
  const forget = async (baseUrl: string): Promise<void> => {
    await secrets.delete(prefix + new URL(baseUrl).host);
    await secrets.delete(prefix + new URL(baseUrl).origin);
  };
  return {
    of: (baseUrl) => storedKeyFor(baseUrl, read),
    has: async (baseUrl) => maySendKey(baseUrl) && (await storedKeyFor(baseUrl, read)) !== undefined,
    forget,
    store: async (baseUrl, key) => {
      await forget(baseUrl);
      await secrets.store(prefix + new URL(baseUrl).origin, key);
    },
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
      : (
          await pickOne(
            addresses.map((address) => ({ label: address, address })),
            { title: vscode.l10n.t('For which server?') },
          )
        )?.address;
  if (picked !== undefined) await askForKey(keys, picked);
}

/** Asks for a key and stores it for that server; an empty one forgets what was stored. */
export async function askForKey(keys: KeyStore, baseUrl: string): Promise<void> {
  const { host, origin } = new URL(baseUrl);
  const known = await keys.has(baseUrl);
  const refuse = (): void => refuseExposedKey(baseUrl, vscode.l10n.t('The key was not stored.'));
  if (!known) refuse(); // before they look for it; one that is there can still be forgotten
  const key = await askText({
    title: vscode.l10n.t('API key for {0}', host),
    prompt: known
      ? vscode.l10n.t('A key is stored. Enter a new one, or nothing to forget it.')
      : vscode.l10n.t('Kept in VS Code’s secret storage, for {0} only.', origin),
    password: true,
    ignoreFocusOut: true,
  });
  if (key === undefined) return;
  if (key.trim() === '') {
    await keys.forget(baseUrl);
    if (known) void showInformation(vscode.l10n.t('The key for {0} is forgotten.', host));
    return;
  }
  refuse();
  await keys.store(baseUrl, key.trim());
  void showInformation(vscode.l10n.t('The key for {0} is stored.', host));
}
