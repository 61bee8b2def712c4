import * as vscode from 'vscode';
import type { Settings } from '../contributions.js';
import { neverAborted } from '../cancellation.js';
import { readSettings, writeSetting } from '../settings.js';
import { askForKey } from './apiKeys.js';
import type { ModelOffer } from '../../app/models/modelOffers.js';
import type { Connection } from '../../app/models/checkConnection.js';
import { curesOfKind } from '../cures.js';
import { withProgress } from '../shown/notification.js';
import { runRequestFor } from '../run/optimizeCommand.js';
import type { VirtualTexts } from '../virtualTexts.js';
import type { UseCasesSource } from '../workbench.js';
import { retold } from '../../wording/translate.js';
import type { Log } from '../shown/log.js';
import { UserError } from '../../errors.js';
import { showError, showInformation } from '../shown/messages.js';
import { askText, pickOne, type Choice } from '../shown/questions.js';

type RoleSetting = Exclude<Extract<keyof Settings, `whetstone.model.${string}`>, 'whetstone.model.prices'>;

export interface ModelParts {
  readonly source: ModelSource;
  readonly keys: KeyStore;
}

/**
 * Makes sure that a model is chosen; asks once where none is. The simulated one needs no key and costs nothing. Where
 * nothing may run, nobody is asked.
 */
export async function ensureModel(parts: ModelParts): Promise<void> {
  refuseUntrusted();
  if (readSettings()['whetstone.model.target'] !== '') return;
  await chooseFor('whetstone.model.target', vscode.l10n.t('Which model should do the skill’s tasks?'), parts);
  if (readSettings()['whetstone.model.target'] === '') throw new vscode.CancellationError();
}

/** Throws where the person has not said that they trust the folder. */
export function refuseUntrusted(): void {
  if (vscode.workspace.isTrusted) return;
  throw new UserError(
    'workspace-untrusted',
    vscode.l10n.t('This workspace is not trusted, so nothing runs here.'),
    vscode.l10n.t('Trust the workspace, then run again.'),
  );
}

/** The command “Choose Model”: what is there, for each of the three roles. */
export async function chooseModel(parts: ModelParts): Promise<void> {
  const settings = readSettings();
  const same = vscode.l10n.t('same as the target');
  const roles: readonly (Choice & { readonly setting: RoleSetting })[] = [
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
  const role = await pickOne(roles, {
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
    icon: 'edit',
    label: vscode.l10n.t('Other…'),
    description: vscode.l10n.t('an address and a model, such as https://host/v1#model'),
    found: undefined,
  };
  const icons = {
    editor: 'sparkle',
    running: 'vm-running',
    key: 'key',
    simulated: 'beaker',
    preset: 'cloud',
  } as const;
  const items = found.map((each) => ({
    icon: icons[each.kind],
    label: each.label,
    description: each.detail,
    found: each,
  }));
  const picked = await pickOne([...items, other], {
    title,
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  if (picked === undefined) return;
  const spec = picked.found === undefined ? await askAddress(keys) : await specOf(picked.found, { source, keys });
  if (spec === undefined) return;
  const before = readSettings()[setting];
  await writeSetting(setting, spec, vscode.ConfigurationTarget.Global);
  if (before !== '' && before !== spec && setting === 'whetstone.model.target') {
    void showInformation(
      vscode.l10n.t('The target is now {0}. What a skill learnt on {1} may not carry over.', spec, before),
    );
  }
}

type Found = Awaited<ReturnType<ModelSource['discover']>>[number];

/** The key comes before the model: with it the server says which models there are. */
async function specOf(found: Found, { source, keys }: ModelParts): Promise<string | undefined> {
  if (found.id === 'simulated') return 'simulated';
  if (found.baseUrl === undefined && found.kind !== 'editor') return askAddress(keys, found.id);
  const { baseUrl } = found;
  if (baseUrl !== undefined && found.needsKey && !(await keys.has(baseUrl))) {
    await askForKey(keys, baseUrl);
  }
  const listed = found.models.length > 0 ? found.models : await source.list(found.id, neverAborted());
  const model = await askModel(found.label, listed);
  return model === undefined || model.trim() === '' ? undefined : `${found.id}/${model.trim()}`;
}

async function askModel(label: string, listed: readonly string[]): Promise<string | undefined> {
  const title = vscode.l10n.t('Which model of {0}?', label);
  if (listed.length > 0) {
    const other = { icon: 'edit', label: vscode.l10n.t('Other…'), model: undefined };
    const items = [...listed.map((model) => ({ label: model, model })), other];
    const picked = await pickOne(items, { title, ignoreFocusOut: true });
    if (picked === undefined || picked.model !== undefined) return picked?.model;
  }
  return askText({ title, ignoreFocusOut: true });
}

const azureExample = 'https://resource.openai.azure.com?api-version=2024-10-21#deployment';

/** A server that is not on this machine wants a key, as a rule. */
async function askAddress(keys: KeyStore, provider?: string): Promise<string | undefined> {
  const spec = await askText({
    title: vscode.l10n.t('Address and model'),
    value: provider === 'azure' ? azureExample : 'http://localhost:8000/v1#model',
    ignoreFocusOut: true,
    validateInput: (text) =>
      /^https?:\/\/[^#\s]+#\S+$/.test(text) ? undefined : vscode.l10n.t('Write an address, a # and the model’s name.'),
  });
  const address = spec?.split('#')[0] ?? '';
  if (!address.startsWith('https://') || !URL.canParse(address)) return spec;
  if (!(await keys.has(address))) await askForKey(keys, address);
  return spec;
}

/** What the model commands ask of the second bundle. */
export interface ModelSource {
  discover(signal: AbortSignal): Promise<readonly ModelOffer[]>;
  /** The models that a provider's server names, asked with the key that is there; none where it does not say. */
  list(provider: string, signal: AbortSignal): Promise<readonly string[]>;
  /** The address whose server takes a key for a model; undefined where it takes none. */
  keyAddress(spec: string): Promise<string | undefined>;
  check(signal: AbortSignal): Promise<Connection>;
}

/** Keys live in VS Code's secret storage only, one for each scheme and host that it was entered for. */
export interface KeyStore {
  /** The key for an address. Throws where there is one that may not be sent there. */
  readonly of: (baseUrl: string) => Promise<string | undefined>;
  has(baseUrl: string): Promise<boolean>;
  store(baseUrl: string, key: string): Promise<void>;
  forget(baseUrl: string): Promise<void>;
}

/** The command “Check Connection”: one tiny call to each chosen model, each finding with its cure. */
export async function checkConnection(source: ModelSource, log: Pick<Log, 'info' | 'show'>): Promise<void> {
  const connection = await withProgress(vscode.l10n.t('Checking the connection'), (signal) => source.check(signal));
  for (const line of connection.text.trimEnd().split('\n')) log.info(line);
  const show = vscode.l10n.t('Show Findings');
  const { failure } = connection;
  const isCheck = vscode.l10n.t('Check Connection'); // which is what was just done
  const cures = failure?.kind === undefined ? [] : curesOfKind(failure.kind).filter(({ label }) => label !== isCheck);
  const picked =
    failure === undefined
      ? await showInformation(vscode.l10n.t('The model answers.'), show)
      : await showError(retold(`${failure.what} ${failure.cure}`.trim()), ...cures.map(({ label }) => label), show);
  if (picked === show) log.show();
  await cures.find(({ label }) => label === picked)?.run();
}

/** The command “Preview What Is Sent”: the requests of a run as a read-only document, secrets already replaced. */
export async function previewRequests(
  skillPath: string,
  { useCases, texts }: { readonly useCases: UseCasesSource; readonly texts: VirtualTexts },
): Promise<void> {
  const { text } = await (await useCases()).preview(runRequestFor(skillPath), neverAborted());
  const document = texts.add(`${vscode.l10n.t('What is sent')}.md`, text);
  await vscode.window.showTextDocument(document, { preview: true });
}
