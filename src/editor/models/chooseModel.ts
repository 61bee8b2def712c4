import * as vscode from 'vscode';
import type { Settings } from '../contributions.js';
import { neverAborted } from '../cancellation.js';
import { readSettings, writeSetting } from '../settings.js';
import type { KeyStore, ModelSource } from './modelSource.js';
import { askForKey } from './apiKeys.js';

type RoleSetting = Extract<keyof Settings, `whetstone.model.${string}`>;

export interface ModelParts {
  readonly source: ModelSource;
  readonly keys: KeyStore;
}

/** Makes sure that a model is chosen; asks once where none is. The simulated one needs no key and costs nothing. */
export async function ensureModel(parts: ModelParts): Promise<void> {
  if (readSettings()['whetstone.model.target'] !== '') return;
  await chooseFor('whetstone.model.target', vscode.l10n.t('Which model should do the skill’s tasks?'), parts);
  if (readSettings()['whetstone.model.target'] === '') throw new vscode.CancellationError();
}

/** The command “Choose Model”: what is there, for each of the three roles. */
export async function chooseModel(parts: ModelParts): Promise<void> {
  const settings = readSettings();
  const same = vscode.l10n.t('same as the target');
  const roles: readonly (vscode.QuickPickItem & { readonly setting: RoleSetting })[] = [
    {
      label: vscode.l10n.t('Target'),
      description: shown(settings['whetstone.model.target'], vscode.l10n.t('not chosen')),
      detail: vscode.l10n.t('Does the skill’s tasks: the model you use the skill with.'),
      setting: 'whetstone.model.target',
    },
    {
      label: vscode.l10n.t('Optimizer'),
      description: shown(settings['whetstone.model.optimizer'], same),
      detail: vscode.l10n.t('Reflects on failures and proposes edits: better a strong one.'),
      setting: 'whetstone.model.optimizer',
    },
    {
      label: vscode.l10n.t('Judge'),
      description: shown(settings['whetstone.model.judge'], same),
      detail: vscode.l10n.t('Grades what no rule can check.'),
      setting: 'whetstone.model.judge',
    },
  ];
  const role = await vscode.window.showQuickPick(roles, {
    title: vscode.l10n.t('Whetstone: Choose Model'),
    placeHolder: vscode.l10n.t('For which role?'),
  });
  if (role !== undefined) await chooseFor(role.setting, role.label, parts);
}

function shown(value: string, empty: string): string {
  return value === '' ? empty : value;
}

async function chooseFor(setting: RoleSetting, title: string, { source, keys }: ModelParts): Promise<void> {
  const found = await source.discover(neverAborted());
  const other = {
    label: `$(edit) ${vscode.l10n.t('Other…')}`,
    description: vscode.l10n.t('an address and a model, such as https://host/v1#model'),
    found: undefined,
  };
  const icons = { running: '$(vm-running)', key: '$(key)', simulated: '$(beaker)', preset: '$(cloud)' } as const;
  const items = found.map((each) => ({
    label: `${icons[each.kind]} ${each.label}`,
    description: each.detail,
    found: each,
  }));
  const picked = await vscode.window.showQuickPick([...items, other], {
    title,
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  if (picked === undefined) return;
  const spec = picked.found === undefined ? await askSpec() : await specOf(picked.found);
  if (spec === undefined) return;
  const before = readSettings()[setting];
  await writeSetting(setting, spec, vscode.ConfigurationTarget.Global);
  const { found: chosen } = picked;
  if (chosen?.needsKey === true && chosen.baseUrl !== undefined) await askForKey(keys, chosen.baseUrl);
  if (before !== '' && before !== spec && setting === 'whetstone.model.target') {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('The target is now {0}. What a skill learnt on {1} may not carry over.', spec, before),
    );
  }
}

async function specOf(found: {
  readonly id: string;
  readonly models: readonly string[];
  readonly label: string;
  readonly baseUrl: string | undefined;
}): Promise<string | undefined> {
  if (found.id === 'simulated') return 'simulated';
  if (found.baseUrl === undefined) return askSpec();
  const model =
    found.models.length > 0
      ? await vscode.window.showQuickPick([...found.models], {
          title: vscode.l10n.t('Which model of {0}?', found.label),
          ignoreFocusOut: true,
        })
      : await vscode.window.showInputBox({
          title: vscode.l10n.t('Which model of {0}?', found.label),
          ignoreFocusOut: true,
        });
  return model === undefined || model.trim() === '' ? undefined : `${found.id}/${model.trim()}`;
}

function askSpec(): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Address and model'),
    value: 'http://localhost:8000/v1#model',
    ignoreFocusOut: true,
    validateInput: (text) =>
      /^https?:\/\/[^#\s]+#\S+$/.test(text) ? undefined : vscode.l10n.t('Write an address, a # and the model’s name.'),
  });
}
