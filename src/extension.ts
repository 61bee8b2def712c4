import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { askToRunProgram } from './editor/askToRunProgram.js';
import { neverAborted } from './editor/cancellation.js';
import { commandIds, type CommandId } from './editor/contributions.js';
import { chooseSkill, skillOf } from './editor/chooseSkill.js';
import { LazyReview } from './editor/lazyReview.js';
import { secretKeys } from './editor/models/apiKeys.js';
import type { ModelParts } from './editor/models/chooseModel.js';
import { EnvironmentRegistry, type WhetstoneApi } from './editor/environmentRegistry.js';
import { Overviews } from './editor/overviews.js';
import { registerCommand } from './editor/registerCommand.js';
import { readSettings } from './editor/settings.js';
import { AnswerDocuments, showAnswers } from './editor/showAnswers.js';
import { SkillCatalog } from './editor/skillCatalog.js';
import { SkillLens } from './editor/skillLens.js';
import { TaskProblems } from './editor/tasks/taskProblems.js';
import type { Branch } from './editor/tree/branch.js';
import { registerTrees } from './editor/tree/registerTrees.js';
import type { SkillsTree } from './editor/tree/skillsTree.js';
import { VersionDocuments } from './editor/tree/versionDocuments.js';
import { RunControls } from './editor/run/runControls.js';
import type { RunParts } from './editor/run/withRunProgress.js';
import { requestFor, type WorkshopSource } from './editor/workbench.js';
import type { Nights } from './nightly.js';
import type { ModelSurroundings } from './workshop/chooseModels.js';
import type { Workshop } from './workshop/workshop.js';

/** Wires the editor. Reads no file and asks no network: what is shown is looked up when it is first shown. */
export function activate(context: vscode.ExtensionContext): WhetstoneApi {
  const environments = new EnvironmentRegistry();
  const own = <T extends vscode.Disposable>(disposable: T): T => {
    context.subscriptions.push(disposable);
    return disposable;
  };
  const log = own(vscode.window.createOutputChannel('Whetstone', { log: true }));
  const keys = secretKeys(context.secrets);
  const workshop = workshopSource(keys, { log, environments });
  const catalog = own(new SkillCatalog((path) => realpath(path).catch(() => path)));
  const overviews = own(new Overviews(workshop));
  const { tree, view, onDidCountPending } = own(registerTrees(catalog, overviews));
  const runs = { workshop, overviews, controls: new RunControls(), log };
  const nights = import('./nightly.js').then(({ startNights }) =>
    own(
      startNights({
        workshop,
        catalog,
        overviews,
        log,
        now: () => Date.now(),
        cli: context.asAbsolutePath('dist/cli.js'),
        host: { path: process.execPath, electron: process.versions['electron'] !== undefined, replaceable: true },
        keyOf: keys.of,
      }),
    ),
  );
  own(new AnswerDocuments(workshop).register());
  own(new TaskProblems(overviews));
  own(new VersionDocuments(workshop).register());
  own(onDidCountPending((count) => void nights.then((started) => started.countPending(count))));
  own(
    new LazyReview(async () => {
      const { registerReview, reviewHostOf } = await rooms();
      return () => registerReview(reviewHostOf({ ...runs, storage: context.globalStorageUri, catalog }));
    }),
  );
  registerLens(own, overviews);

  registerAll(own, {
    ...runs,
    catalog,
    tree,
    view,
    nights,
    models: modelParts(keys),
    extensionUri: context.extensionUri,
  });
  return { registerEnvironment: (environment) => environments.register(environment) };
}

/** What the person's words do, loaded with the first of them. */
const rooms = () => import('./rooms.js');

interface Parts extends RunParts {
  readonly catalog: SkillCatalog;
  readonly tree: SkillsTree;
  readonly view: vscode.TreeView<Branch>;
  readonly nights: Promise<Nights>;
  readonly models: ModelParts;
  readonly extensionUri: vscode.Uri;
}

function registerLens(own: <T extends vscode.Disposable>(disposable: T) => T, overviews: Overviews): void {
  const lens = own(new SkillLens(overviews));
  const files = ['file', 'vscode-remote'].map((scheme) => ({ scheme, pattern: '**/SKILL.md' }));
  own(vscode.languages.registerCodeLensProvider(files, lens));
}

type Handlers = Readonly<Partial<Record<CommandId, (given: unknown) => unknown>>>;

function registerAll(own: (disposable: vscode.Disposable) => unknown, parts: Parts): void {
  const commands: Handlers = {
    ...viewCommands(parts),
    ...runCommands(parts),
    ...resultCommands(parts),
    ...taskCommands(parts),
  };
  for (const id of commandIds) {
    const run = commands[id];
    if (run !== undefined) own(registerCommand(id, (given) => run(given)));
  }
}

function viewCommands(parts: Parts): Handlers {
  const { workshop, catalog, overviews, tree, view, nights, log, models, extensionUri } = parts;
  return {
    'whetstone.refresh': () => {
      catalog.refresh();
      overviews.refresh();
    },
    'whetstone.chooseModel': async () => (await rooms()).chooseModel(models),
    'whetstone.setApiKey': async () => {
      const { baseUrlOf, setApiKey } = await rooms();
      return setApiKey(models.keys, baseUrlOf);
    },
    'whetstone.checkConnection': async () => (await rooms()).checkConnection(models.source, log),
    'whetstone.nightly': async () => (await nights).showMenu(),
    'whetstone.installOsSchedule': async () => (await nights).installOsSchedule(),
    'whetstone.showLog': () => log.show(),
    'whetstone.showSkill': async (given) => {
      const branch = await tree.branchOf(await chooseSkill(catalog, given));
      if (branch !== undefined) await view.reveal(branch, { expand: 2, focus: true });
    },
    'whetstone.showAnswers': (given) => showAnswers(overviews, fieldOf(given, 'skillPath'), fieldOf(given, 'taskId')),
    'whetstone.tryDemo': async () => (await rooms()).tryDemo(extensionUri),
    'whetstone.showReport': async (given) => (await rooms()).showReport(await chooseSkill(catalog, given), workshop),
  };
}

function runCommands(parts: Parts): Handlers {
  const { catalog, models } = parts;
  return {
    'whetstone.optimize': async (given) => {
      const { ensureModel, optimizeSkillInEditor } = await rooms();
      const skillPath = await chooseSkill(catalog, given);
      await ensureModel(models);
      return optimizeSkillInEditor(skillPath, parts);
    },
    'whetstone.gatherEvidence': async (given) =>
      (await rooms()).gatherEvidence(await chooseSkill(catalog, given), parts),
    'whetstone.refillErrorBudget': async (given) =>
      (await rooms()).refillErrorBudget(await chooseSkill(catalog, given), parts),
    'whetstone.undo': async (given) => undoAdoption(await chooseSkill(catalog, given), parts),
  };
}

function resultCommands(parts: Parts): Handlers {
  const { catalog, tree } = parts;
  return {
    'whetstone.acceptChecked': async (given) => (await rooms()).acceptChecked(tree, await chooseSkill(catalog, given)),
    'whetstone.showVersion': async (given) => {
      const { skillPath, version } = versionOf(given);
      return (await rooms()).showVersion(skillPath, version);
    },
    'whetstone.restoreVersion': async (given) => (await rooms()).restoreVersion(versionOf(given), parts),
    'whetstone.deleteSkillData': async (given) =>
      (await rooms()).deleteSkillData(await chooseSkill(catalog, given), parts),
    'whetstone.pauseRun': async (given) => (await rooms()).pauseRun(skillOf(given), parts),
    'whetstone.resumeRun': async (given) => (await rooms()).resumeRun(await chooseSkill(catalog, given), parts),
  };
}

function taskCommands({ workshop, catalog, overviews, models }: Parts): Handlers {
  const parts = { workshop, overviews };
  const change = async (given: unknown, kind: 'confirm' | 'enable' | 'disable'): Promise<void> =>
    (await rooms()).changeTask(
      { skillPath: fieldOf(given, 'skillPath'), taskId: fieldOf(given, 'taskId') },
      kind,
      parts,
    );
  return {
    'whetstone.draftTasks': async (given) => {
      const { draftTasks, ensureModel } = await rooms();
      const skillPath = await chooseSkill(catalog, given);
      await ensureModel(models);
      return draftTasks(skillPath, parts);
    },
    'whetstone.addTask': async (given) =>
      (await rooms()).addTaskFromSelection(await chooseSkill(catalog, given), parts),
    'whetstone.importTasks': async (given) => (await rooms()).importTasks(await chooseSkill(catalog, given), parts),
    'whetstone.tryTask': async (given) => {
      const { ensureModel, tryTask } = await rooms();
      await ensureModel(models);
      return tryTask(fieldOf(given, 'skillPath'), fieldOf(given, 'taskId'), parts);
    },
    'whetstone.confirmTask': (given) => change(given, 'confirm'),
    'whetstone.enableTask': (given) => change(given, 'enable'),
    'whetstone.disableTask': (given) => change(given, 'disable'),
  };
}

async function undoAdoption(
  skillPath: string,
  { workshop, overviews }: { readonly workshop: WorkshopSource; readonly overviews: Overviews },
): Promise<void> {
  await (await workshop()).undo(requestFor(skillPath), neverAborted());
  overviews.refresh(skillPath);
  void vscode.window.showInformationMessage(
    vscode.l10n.t('The last adoption is undone: the skill is as it was before.'),
  );
}

/** Loads the second bundle at first use and hands it what only the editor knows. */
function workshopSource(
  keys: Keys,
  { log, environments }: { readonly log: vscode.LogOutputChannel; readonly environments: EnvironmentRegistry },
): WorkshopSource {
  let opened: Promise<Workshop> | undefined;
  const open = async (): Promise<Workshop> => {
    const { chooseModels, nodeClock, openWorkshop } = await import('./workshop.js');
    return openWorkshop({
      environment: process.env,
      platform: process.platform,
      home: homedir(),
      clock: nodeClock,
      models: () => chooseModels(chosenSpecs(), modelSurroundings(keys)),
      consent: { allows: askToRunProgram },
      interactive: true,
      environments: () => environments.all(),
      caps: () => {
        const settings = readSettings();
        return {
          day: { usd: settings['whetstone.caps.dayUsd'] ?? undefined },
          month: {
            usd: settings['whetstone.caps.monthUsd'] ?? undefined,
            tokens: settings['whetstone.caps.monthTokens'] ?? undefined,
          },
        };
      },
      tell: (note) => log.info(note),
    });
  };
  return () => (opened ??= open());
}

type Keys = ReturnType<typeof secretKeys>;

function chosenSpecs(): {
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

function modelSurroundings(keys: Keys): ModelSurroundings {
  return { environment: process.env, fetch: globalThis.fetch, storedKey: keys.of };
}

function modelParts(keys: Keys): ModelParts {
  return {
    keys,
    source: {
      discover: async (signal) => (await import('./workshop.js')).discover(modelSurroundings(keys), signal),
      check: async (signal) => {
        const { checkConnection: check, nodeClock } = await import('./workshop.js');
        const around = {
          ...modelSurroundings(keys),
          clock: nodeClock,
          remoteName: vscode.env.remoteName,
          proxyAware: true,
        };
        return check(chosenSpecs(), around, signal);
      },
    },
  };
}

function versionOf(given: unknown): { readonly skillPath: string; readonly version: string } {
  return { skillPath: fieldOf(given, 'skillPath'), version: fieldOf(given, 'version') };
}

function fieldOf(given: unknown, name: string): string {
  const value: unknown = typeof given === 'object' && given !== null ? Reflect.get(given, name) : undefined;
  if (typeof value !== 'string') throw new vscode.CancellationError();
  return value;
}
