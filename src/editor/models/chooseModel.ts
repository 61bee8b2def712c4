import * as vscode from 'vscode';
import type { RoleChoice } from '../commands/commands.js';
import { neverAborted } from '../cancellation.js';
import { readSettings, writeSetting } from '../settings.js';
import { askCost, costWords } from './askCost.js';
import { pickModel } from './pickModel.js';
import type { LocalModel } from '../../app/models/serverCosts.js';
import type { UseCases } from '../../app/useCases.js';
import type { ModelOffer } from '../../app/models/modelOffer.js';
import type { ModelList } from '../../app/models/modelOffers.js';
import type { Connection } from '../../app/models/checkConnection.js';
import { activeSkill } from '../commands/chooseSkill.js';
import { curesOfKind } from '../cures.js';
import { runRequestFor } from '../run/runRequestFor.js';
import { withProgress } from '../shown/notification.js';
import { withOwnWay } from '../../wording/preflight/strongerModel.js';
import { retold } from '../../wording/translate.js';
import type { Log } from '../shown/log.js';
import { UserError } from '../../errors.js';
import { showError, showInformation } from '../shown/messages.js';
import { pickOne, type Choice } from '../shown/questions.js';
import { modelRoles, roleWords, type ModelRole } from './roles.js';

export interface ModelParts {
  readonly source: ModelSource;
  readonly keys: KeyStore;
}

/**
 * Makes sure that a model is chosen, and that it may be asked with the person's login where it needs that; asks once
 * where not. The simulated one needs no key and costs nothing. Where nothing may run, nobody is asked.
 */
export async function ensureModel(parts: ModelParts): Promise<void> {
  refuseUntrusted();
  if (readSettings()['whetstone.model.target'] === '') await chooseFor('target', parts);
  const settings = readSettings();
  if (settings['whetstone.model.target'] === '') throw new vscode.CancellationError();
  for (const role of modelRoles) {
    if (!(await parts.source.requestLogin(settings[`whetstone.model.${role}`], neverAborted()))) {
      throw new vscode.CancellationError();
    }
  }
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

/** The command “Choose Model”: what is there, for the role that was pointed at or one of the three. */
export async function chooseModel(given: RoleChoice, parts: ModelParts): Promise<void> {
  if (given !== undefined) return chooseFor(given, parts);
  const picked = await pickOne<RoleRow | CostRow>([...roleRows(), ...(await costRows(parts.source))], {
    title: vscode.l10n.t('Whetstone: Choose Model'),
    placeHolder: vscode.l10n.t('For which role?'),
  });
  if (picked?.role !== undefined) await chooseFor(picked.role, parts);
  if (picked?.local !== undefined) await changeCost(picked.local, parts.source);
}

interface RoleRow extends Choice {
  readonly role: ModelRole;
  readonly local?: undefined;
}

interface CostRow extends Choice {
  readonly local?: LocalModel;
  readonly role?: undefined;
}

function roleRows(): readonly RoleRow[] {
  return modelRoles.map((role) => {
    const { label, detail, chosen } = roleWords(role);
    return { label, description: chosen, detail, role };
  });
}

/** What servers on this machine cost, as the person said: here they can say something else. */
async function costRows(source: ModelSource): Promise<readonly CostRow[]> {
  // Where no model is chosen, or a key is missing, there is nothing to say about costs yet.
  const models = await source.localModels(neverAborted()).catch(() => []);
  if (models.length === 0) return [];
  return [
    { label: vscode.l10n.t('Servers on this machine'), kind: vscode.QuickPickItemKind.Separator },
    ...models.map((local) => ({
      icon: 'credit-card',
      label: vscode.l10n.t('Cost of {0}', local.model),
      description: costWords(local.cost),
      detail: local.endpoint,
      local,
    })),
  ];
}

async function changeCost(local: LocalModel, source: ModelSource): Promise<void> {
  const cost = await askCost(local);
  if (cost !== undefined) await source.stateCost(local, cost, neverAborted());
}

async function chooseFor(role: ModelRole, parts: ModelParts): Promise<void> {
  if (await chooseOnce(role, parts)) void offerStronger(parts);
}

/** Says plainly where a model is too small for what it is to do, and leads to another one for that. */
async function offerStronger(parts: ModelParts): Promise<void> {
  const [role] = await parts.source.smallRoles(neverAborted());
  if (role === undefined) return;
  const choose =
    role === 'optimizer' ? vscode.l10n.t('Choose Another Optimizer') : vscode.l10n.t('Choose Another Judge');
  const weak =
    role === 'optimizer'
      ? vscode.l10n.t(
          'The model that proposes the edits is small: it can run a skill, and is weak at proposing edits and at grading. Keep it as the target, and let a stronger model do these.',
        )
      : vscode.l10n.t(
          'The model that grades the answers is small, and weak at that. Keep it as the target, and let a stronger model grade.',
        );
  const message = [weak, await splitCost(parts.source)].join(' ');
  if ((await showInformation(message, choose)) === choose) await chooseOnce(role, parts);
}

/** What a stronger model would cost in a run of the skill in front of the person; where that can be read, if there is none. */
async function splitCost({ preflight }: ModelSource): Promise<string> {
  const skillPath = activeSkill();
  // A skill without tasks, or a server that is not there, is told where it is trained.
  const told =
    skillPath === undefined
      ? undefined
      : await preflight(runRequestFor(skillPath), neverAborted()).catch(() => undefined);
  const cost = told?.weakRoles?.[1];
  return cost === undefined
    ? vscode.l10n.t('The preflight of a run says what that costs.')
    : retold(withOwnWay(cost, 'editor'));
}

/** Whether one was chosen. */
async function chooseOnce(role: ModelRole, parts: ModelParts): Promise<boolean> {
  const spec = await pickModel(role, parts);
  if (spec === undefined) return false;
  const setting = `whetstone.model.${role}` as const;
  const before = readSettings()[setting];
  await writeSetting(setting, spec, vscode.ConfigurationTarget.Global);
  if (before !== '' && before !== spec && role === 'target') {
    void showInformation(
      vscode.l10n.t('The target is now {0}. What a skill learnt on {1} may not carry over.', spec, before),
    );
  }
  return true;
}

/** What the model commands ask of the second bundle. */
export interface ModelSource {
  discover(signal: AbortSignal): Promise<readonly ModelOffer[]>;
  /** The models that the server of a provider, or at an address, names; or why it names none. */
  list(place: string, signal: AbortSignal): Promise<ModelList>;
  /** The address whose server takes a key for a model; undefined where it takes none. */
  keyAddress(spec: string): Promise<string | undefined>;
  /** Asks whether the login to an agent program may be used, where a model needs it; a yes is remembered. */
  requestLogin(spec: string, signal: AbortSignal): Promise<boolean>;
  check(signal: AbortSignal): Promise<Connection>;
  readonly localModels: UseCases['localModels'];
  readonly smallRoles: UseCases['smallRoles'];
  readonly preflight: UseCases['preflight'];
  readonly stateCost: UseCases['stateCost'];
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
