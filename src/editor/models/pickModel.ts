import * as vscode from 'vscode';
import type { ModelOffer } from '../../app/models/modelOffer.js';
import type { ModelList } from '../../app/models/modelOffers.js';
import { retold } from '../../wording/translate.js';
import { neverAborted } from '../cancellation.js';
import { showInformation } from '../shown/messages.js';
import { askText, pickOne, type Choice } from '../shown/questions.js';
import { agentStanding } from './agentStanding.js';
import { askForKey } from './apiKeys.js';
import type { KeyStore, ModelParts } from './chooseModel.js';
import { roleWords, type ModelRole } from './roles.js';

/** What a row of the menu leads to. */
type Way =
  | { readonly kind: 'offer'; readonly offer: ModelOffer }
  | { readonly kind: 'same' }
  | { readonly kind: 'other' }
  | { readonly kind: 'copilot' };

type WayRow = Choice & { readonly way?: Way };

/**
 * Lets the person choose a model for a role. The menu is there at once and says that it is busy while servers are looked
 * for. Gives the model as text, empty for the target's; undefined where none was chosen.
 */
export async function pickModel(role: ModelRole, parts: ModelParts): Promise<string | undefined> {
  const { question, detail } = roleWords(role);
  const rows = parts.source.discover(neverAborted()).then((offers) => rowsFor(role, offers));
  const picked = await pickOne(rows, {
    title: question,
    placeHolder: detail,
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  switch (picked?.way?.kind) {
    case 'same':
      return '';
    case 'offer':
      return specOf(picked.way.offer, parts);
    case 'other':
      return askAddress(parts);
    case 'copilot':
      await vscode.commands.executeCommand('workbench.extensions.search', `@id:${copilot}`);
      return undefined;
    case undefined:
      return undefined;
  }
}

/** In groups: what answers on this machine, programs by their subscription, what VS Code brings along, the network. */
function rowsFor(role: ModelRole, offers: readonly ModelOffer[]): readonly WayRow[] {
  const own = offers.filter(({ kind }) => kind === 'editor');
  const programs = offers.filter(({ kind }) => kind === 'agent');
  const others = offers.filter(({ kind }) => kind !== 'editor' && kind !== 'agent');
  return [
    ...(role === 'target' ? [] : [sameRow()]),
    groupRow(vscode.l10n.t('On this machine')),
    ...others.filter(({ local }) => local).map(offerRow),
    ...(programs.length === 0 ? [] : [groupRow(vscode.l10n.t('Agent programs')), ...programs.map(offerRow)]),
    groupRow(vscode.l10n.t('VS Code’s own')),
    ...own.map(offerRow),
    ...(own.some(({ id }) => id === 'vscode/copilot') ? [] : [copilotRow()]),
    groupRow(vscode.l10n.t('Cloud')),
    ...others.filter(({ local }) => !local).map(offerRow),
    {
      icon: 'edit',
      label: vscode.l10n.t('Other…'),
      description: vscode.l10n.t('any server, by its address'),
      way: { kind: 'other' },
    },
  ];
}

function offerRow(offer: ModelOffer): WayRow {
  return {
    icon: iconOf(offer),
    label: offer.label,
    description: offer.standing === undefined ? retold(offer.detail) : agentStanding(offer.standing),
    way: { kind: 'offer', offer },
  };
}

function groupRow(label: string): WayRow {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function sameRow(): WayRow {
  const target = roleWords('target').chosen;
  return { icon: 'link', label: vscode.l10n.t('Same as Target'), description: target, way: { kind: 'same' } };
}

const copilot = 'GitHub.copilot-chat';

/** Where VS Code has no model of Copilot: the extension is missing, or nobody is signed in. */
function copilotRow(): WayRow {
  const isThere = vscode.extensions.getExtension(copilot) !== undefined;
  const description = isThere ? vscode.l10n.t('not signed in') : vscode.l10n.t('not installed');
  return { icon: 'copilot', label: 'GitHub Copilot', description, way: { kind: 'copilot' } };
}

function iconOf({ kind, local, trouble }: ModelOffer): string {
  if (kind === 'agent') return trouble === undefined ? 'terminal' : 'circle-slash';
  const icons = { editor: 'sparkle', running: 'vm-running', key: 'key', simulated: 'beaker', handoff: 'mail' } as const;
  return kind === 'preset' ? (local ? 'vm' : 'cloud') : icons[kind];
}

/** There is nothing to choose from. */
const withoutModels: ReadonlySet<ModelOffer['kind']> = new Set(['simulated', 'handoff']);

/** The key comes before the model: with it the server says which models there are. */
async function specOf(offer: ModelOffer, parts: ModelParts): Promise<string | undefined> {
  if (withoutModels.has(offer.kind)) return offer.id;
  if (offer.kind === 'agent') return agentSpec(offer, parts);
  const { baseUrl } = offer;
  if (baseUrl === undefined && offer.kind !== 'editor') return askAddress(parts, offer.id);
  if (baseUrl !== undefined && offer.needsKey && !(await parts.keys.has(baseUrl))) {
    await askForKey(parts.keys, baseUrl);
  }
  const model = await askModel(offer.label, listFor(offer, parts));
  return model === undefined || model.trim() === '' ? undefined : `${offer.id}/${model.trim()}`;
}

/** A program that cannot be used says what to do; one with a login is chosen only where that may be used. */
async function agentSpec(offer: ModelOffer, { source }: ModelParts): Promise<string | undefined> {
  if (offer.trouble !== undefined) {
    await showTrouble(offer.trouble);
    return undefined;
  }
  if (!(await source.requestLogin(offer.id, neverAborted()))) return undefined;
  const title = vscode.l10n.t('Which model of {0}?', offer.label);
  const own = {
    label: vscode.l10n.t('Its own choice'),
    detail: vscode.l10n.t('the model that the program takes in a fresh home; your settings of it do not count'),
  };
  const other = {
    icon: 'edit',
    label: vscode.l10n.t('Other…'),
    detail: vscode.l10n.t('a model by the name that the program knows it by'),
  };
  const named = offer.models.map((label) => ({ label }));
  const picked = await pickOne<Choice>([own, ...named, other], { title, ignoreFocusOut: true });
  if (picked === undefined) return undefined;
  if (picked === own) return offer.id;
  if (picked !== other) return `${offer.id}/${picked.label}`;
  const model = await askText({ title, prompt: vscode.l10n.t('Write the model’s name.'), ignoreFocusOut: true });
  if (model === undefined || model.trim() === '') return undefined;
  const spec = `${offer.id}/${model.trim()}`;
  return (await source.requestLogin(spec, neverAborted())) ? spec : undefined; // throws what can be no model
}

/** With the line to be typed into a terminal, where the cure is one. */
async function showTrouble({ what, cure }: NonNullable<ModelOffer['trouble']>): Promise<void> {
  const line = /: (npm install .+)$/u.exec(cure)?.[1];
  const copy = vscode.l10n.t('Copy the Line');
  const said = retold(`${what} ${cure}`);
  const terminal = vscode.l10n.t('Open Terminal');
  const buttons = [
    ...(line === undefined ? [] : [copy]),
    ...(line !== undefined || /“.+”/u.test(cure) ? [terminal] : []),
  ];
  // A message in the corner of a small window cuts the end off, which is the cure.
  const picked = await showInformation(said, { modal: true }, ...buttons);
  if (picked === terminal) await vscode.commands.executeCommand('workbench.action.terminal.new');
  if (picked === copy && line !== undefined) await vscode.env.clipboard.writeText(line);
}

async function listFor(offer: ModelOffer, { source }: ModelParts): Promise<ModelList> {
  if (offer.models.length > 0) return { models: offer.models, trouble: undefined };
  return source.list(offer.id, neverAborted());
}

/** A menu of what the server names; where it names nothing, a box that says why and takes a name. */
async function askModel(label: string, list: Promise<ModelList>): Promise<string | undefined> {
  const title = vscode.l10n.t('Which model of {0}?', label);
  const other = { icon: 'edit', label: vscode.l10n.t('Other…'), model: undefined };
  const rows = list.then(({ models, trouble }) => [
    ...(trouble === undefined ? [] : [groupRow(retold(trouble))]),
    ...models.map((model) => ({ label: model, model })),
    other,
  ]);
  const picked = await pickOne<Choice & { readonly model?: string | undefined }>(rows, { title, ignoreFocusOut: true });
  if (picked === undefined || picked.model !== undefined) return picked?.model;
  const { trouble } = await list;
  const prompt =
    trouble === undefined
      ? vscode.l10n.t('Write the model’s name.')
      : vscode.l10n.t('{0} Write the model’s name.', retold(trouble));
  return askText({ title, prompt, ignoreFocusOut: true });
}

const azureExample = 'https://resource.openai.azure.com?api-version=2024-10-21#deployment';

/** An address alone is asked for its models. A server that is not on this machine wants a key, as a rule. */
async function askAddress({ source, keys }: ModelParts, provider?: string): Promise<string | undefined> {
  const given = await askText({
    title: vscode.l10n.t('Address of the server'),
    prompt: vscode.l10n.t('Its models are listed next; or write the model behind a #.'),
    value: provider === 'azure' ? azureExample : 'http://localhost:8000/v1',
    ignoreFocusOut: true,
    validateInput: (text) =>
      /^https?:\/\/[^#\s]+(?:#\S+)?$/.test(text.trim())
        ? undefined
        : vscode.l10n.t('Write an address that starts with https:// or http://.'),
  });
  if (given === undefined) return undefined;
  const [address = '', named = ''] = given.trim().split('#');
  await askForMissingKey(keys, address);
  if (named !== '') return given.trim();
  const model = await askModel(address, source.list(address, neverAborted()));
  return model === undefined || model.trim() === '' ? undefined : `${address}#${model.trim()}`;
}

async function askForMissingKey(keys: KeyStore, address: string): Promise<void> {
  if (!address.startsWith('https://') || !URL.canParse(address)) return;
  if (!(await keys.has(address))) await askForKey(keys, address);
}
