import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { registerCommands } from './editor/commands/registerCommands.js';
import { AdoptionsUnderWay } from './review/adoptionsUnderWay.js';
import { continueDemo } from './editor/firstMinutes/continueDemo.js';
import { watchWelcomePage } from './editor/firstMinutes/watchWelcomePage.js';
import { LazyReview } from './editor/lazyReview.js';
import { secretKeys } from './editor/models/apiKeys.js';
import type { ModelParts } from './editor/models/chooseModel.js';
import { EnvironmentRegistry, type WhetstoneApi } from './editor/environmentRegistry.js';
import { QueueOfWindow, queueWishes } from './editor/queue/queueOfWindow.js';
import { ReviewItem } from './editor/reviewItem.js';
import { Overviews } from './editor/skills/overviews.js';
import { chosenSpecs, readCaps, readPrices } from './editor/settings.js';
import { SkillCatalog } from './editor/skills/skillCatalog.js';
import { SkillLens } from './editor/skills/skillLens.js';
import { TaskLens } from './editor/tasks/taskLens.js';
import { registerTrees, type Trees } from './editor/tree/registerTrees.js';
import { VersionDocuments } from './editor/tree/versionDocuments.js';
import { createLog, type Log } from './editor/shown/log.js';
import { RunControls } from './editor/run/runControls.js';
import { TestExplorerSwitch } from './editor/testExplorer/testExplorerSwitch.js';
import { VirtualTexts } from './editor/virtualTexts.js';
import type { UseCasesSource } from './editor/workbench.js';
import { messageOf } from './errors.js';
import type { NotesFiles } from './editor/notes/notesFiles.js';
import type { Nights, startNights } from './editor/nightly/nights.js';
import { speak } from './wording/translate.js';
import type { EditorChats } from './ports/editorChat.js';
import type { ModelSurroundings } from './app/models/chooseModels.js';
import type { UseCases } from './app/useCases.js';

/** Wires the editor. Reads no file and asks no network: what is shown is looked up when it is first shown. */
export function activate(context: vscode.ExtensionContext): WhetstoneApi {
  speak(vscode.l10n.bundle);
  const environments = new EnvironmentRegistry();
  const own = <T extends vscode.Disposable>(disposable: T): T => {
    context.subscriptions.push(disposable);
    return disposable;
  };
  const log = own(createLog('Whetstone'));
  const access = modelAccess(context);
  const texts = ownTexts(own);
  const queue = queueOfWindow(context);
  const useCases = useCasesSource(access, { log, environments, texts, queue, cli: cliOf(context) });
  const catalog = own(new SkillCatalog((file) => realpath(file).catch(() => file)));
  const overviews = own(new Overviews(useCases));
  const { tree, view, runsView, onDidCount } = own(
    registerTrees({ catalog, overviews, rowsBeneath: rowsWith(useCases) }),
  );
  const runs = { useCases, overviews, controls: new RunControls(), log };
  const shown = { ...runs, catalog, tree, view };
  const adoptions = new AdoptionsUnderWay();
  const nights = startedNights(context, access, { useCases, catalog, overviews, log, texts, queue, runsView });
  own(onDidCount((counts) => void nights.then((started) => started.noteSkills(counts))));
  own(new ReviewItem(onDidCount));
  own(
    new LazyReview(async () => {
      const { registerReview, reviewHostOf } = await import('./bundles/commands.js');
      return () => registerReview(reviewHostOf({ ...shown, storage: context.globalStorageUri, adoptions }));
    }),
  );
  const notes = registerDocuments(own, useCases, { overviews, catalog });

  const parts = {
    ...shown,
    nights,
    queue,
    notes,
    models: modelParts(access, useCases),
    texts,
    adoptions,
    extensionUri: context.extensionUri,
    memory: context.globalState,
  };
  own(registerCommands(async () => (await import('./bundles/commands.js')).commandsWith(parts)));
  const explorer = { useCases, catalog, overviews };
  own(new TestExplorerSwitch(async () => new (await import('./bundles/commands.js')).TestExplorer(explorer)));
  own(watchWelcomePage());
  void continueDemo(context.globalState);
  return { registerEnvironment: (environment) => environments.register(environment) };
}

function ownTexts(own: (disposable: vscode.Disposable) => unknown): VirtualTexts {
  const texts = new VirtualTexts();
  own(texts.register());
  return texts;
}

function cliOf(context: vscode.ExtensionContext): string {
  return context.asAbsolutePath('dist/cli.js');
}

function queueOfWindow({ extension }: vscode.ExtensionContext): QueueOfWindow {
  const here = { environment: process.env, platform: process.platform, home: homedir(), workspace };
  const ours = { ...here, wishes: queueWishes, version: String(extension.packageJSON.version) };
  return new QueueOfWindow(process.env, async (isSet) =>
    (await import('./bundles/core.js')).windowQueue({ ...ours, isSet }),
  );
}

/** The clock of the nights starts once the window is open, the view of the models is filled, and problems are looked for. */
async function startedNights(
  context: vscode.ExtensionContext,
  access: ModelAccess,
  parts: Pick<Parameters<typeof startNights>[0], 'catalog' | 'log' | 'texts'> & {
    readonly useCases: UseCasesSource;
    readonly overviews: Overviews;
    readonly queue: QueueOfWindow;
    readonly runsView: Trees['runsView'];
  },
): Promise<Nights> {
  const { hasNightSwitch, startNights: start, ...later } = await import('./bundles/nightly.js');
  context.subscriptions.push(
    new later.ModelsTree(),
    new later.TaskProblems(parts.overviews),
    new later.TaskFixes().register(),
    new later.ConfigFiles(() => import('./bundles/core.js'), parts.catalog),
    new later.QueueWatch({ queue: parts.queue, ...parts.runsView }),
    new later.SkillProblems(async (text, folder) => (await import('./bundles/core.js')).lintText(text, folder)),
  );
  const here = { environment: process.env, platform: process.platform, home: homedir() };
  const nights = start({
    ...parts,
    now: () => Date.now(),
    hasSwitch: (folders) => hasNightSwitch(here, folders),
    keys: access.keys,
    keyAddress,
    onDidChangeKeys: context.secrets.onDidChange,
    ensureModel: async () => {
      const { askAboutCosts, requestModelAccess, ensureModel } = await import('./bundles/commands.js');
      const models = modelParts(access, parts.useCases);
      await ensureModel(models);
      await askAboutCosts(await parts.useCases());
      await requestModelAccess(Object.values(chosenSpecs()), { ...models, chats: access.editorChats });
    },
    cli: cliOf(context),
    host: { path: process.execPath, electron: process.versions['electron'] !== undefined, replaceable: true },
  });
  context.subscriptions.push(nights);
  return nights;
}

/** Nobody has opened a skill when the window opens: what its rows show is loaded later. */
function rowsWith(useCases: UseCasesSource): Parameters<typeof registerTrees>[0]['rowsBeneath'] {
  return async (known, choices) => (await import('./bundles/nightly.js')).skillRows(known, { choices, useCases });
}

/** What is shown on and in documents: lenses, answers, earlier versions, and the notes of the optimizer, which come later. */
function registerDocuments(
  own: <T extends vscode.Disposable>(disposable: T) => T,
  useCases: UseCasesSource,
  { overviews, catalog }: { readonly overviews: Overviews; readonly catalog: SkillCatalog },
): Promise<NotesFiles> {
  const files = ['file', 'vscode-remote'].map((scheme) => ({ scheme, pattern: '**/SKILL.md' }));
  own(vscode.languages.registerCodeLensProvider(files, own(new SkillLens(overviews, catalog))));
  own(new TaskLens(overviews, useCases).register());
  own(new VersionDocuments(useCases).register());
  return import('./bundles/nightly.js').then((later) => own(new later.NotesFiles(useCases)));
}

/** What the window has that use cases ask of. */
interface WindowParts {
  readonly log: Log;
  readonly environments: EnvironmentRegistry;
  readonly texts: VirtualTexts;
  readonly cli: string;
  readonly queue: QueueOfWindow;
}

/** Loads the second bundle at first use and hands it what only the editor knows. */
function useCasesSource(access: ModelAccess, { log, environments, texts, cli, queue }: WindowParts): UseCasesSource {
  let opened: Promise<UseCases> | undefined;
  const open = async (): Promise<UseCases> => {
    const core = await import('./bundles/core.js');
    const { chooseModels, examineChosen, knownSecrets, namesByHand, nodeClock, createUseCases } = core;
    const queues = new core.ServerQueues();
    const window = await queue.open();
    const useCases = createUseCases({
      environment: process.env,
      platform: process.platform,
      home: homedir(),
      clock: nodeClock,
      trusted: () => vscode.workspace.isTrusted,
      models: async (signal) => {
        const surroundings = { ...modelSurroundings(access), queues };
        return core.madeElsewhere(await chooseModels(chosenSpecs(), surroundings, signal), window.inForce());
      },
      attempts: window.attempts,
      target: () => chosenSpecs().target,
      byHand: () => namesByHand(chosenSpecs()),
      examine: (around, signal) => {
        const here = { clock: nodeClock, remoteName: vscode.env.remoteName, proxyAware: true };
        return examineChosen(chosenSpecs(), { ...modelSurroundings(access), ...here }, around, signal);
      },
      secrets: () => knownSecrets(chosenSpecs(), modelSurroundings(access)),
      consent: { allows: async (asked) => (await import('./bundles/commands.js')).askToRunProgram(asked) },
      sandbox: sandboxBeside(cli),
      interactive: true,
      allowsPrompt: async (prompt) => (await import('./bundles/commands.js')).askToUsePrompt(prompt, texts),
      allowsPreferences: async (said) => (await import('./bundles/commands.js')).askToSayPreferences(said, texts),
      allowsSending: async (asked) => (await import('./bundles/commands.js')).askToSendSessions(asked),
      environments: () => environments.all(),
      caps: readCaps,
      prices: readPrices,
      tell: (note) => log.info(note),
    });
    // Nights that the operating system starts run a copy of the command line: after an update it is brought up to date.
    if (vscode.workspace.isTrusted) {
      void useCases.refreshOsCopy(cli).catch((error: unknown) => log.warn(messageOf(error)));
    }
    return useCases;
  };
  return () => (opened ??= open());
}

/** The helper process lies beside the command line; of the programs that it needs VS Code has one. */
function sandboxBeside(cli: string): { readonly helper: string; readonly ripgrep: readonly string[] } {
  const folders = ['node_modules', 'node_modules.asar.unpacked'];
  const ripgrep = folders.map((folder) => path.join(vscode.env.appRoot, folder, '@vscode', 'ripgrep', 'bin', 'rg'));
  return { helper: path.join(path.dirname(cli), 'sandbox.js'), ripgrep };
}

/** How models are reached from this window: with the person's keys, or through the window itself. */
interface ModelAccess {
  readonly keys: ReturnType<typeof secretKeys>;
  readonly editorChats: EditorChats;
  readonly agents: NonNullable<ModelSurroundings['agents']>;
}

function modelAccess(context: vscode.ExtensionContext): ModelAccess {
  const { secrets, languageModelAccessInformation: access } = context;
  return {
    keys: secretKeys(secrets),
    editorChats: async () => (await import('./bundles/commands.js')).editorChats(access),
    agents: agentsOfWindow(cliOf(context)),
  };
}

/** The agent programs of this machine; opened when a model is first looked for. */
function agentsOfWindow(cli: string): ModelAccess['agents'] {
  let opened: ReturnType<typeof openAgents> | undefined;
  return async () => (await (opened ??= openAgents(cli)))();
}

async function openAgents(cli: string): Promise<ModelAccess['agents']> {
  const { agentAccess, nodeClock } = await import('./bundles/core.js');
  const here = { environment: process.env, platform: process.platform, home: homedir(), clock: nodeClock };
  return agentAccess({
    world: { ...here, trusted: () => vscode.workspace.isTrusted, sandbox: sandboxBeside(cli) },
    ask: async (label) => (await import('./bundles/commands.js')).askToUseLogin(label),
    workspace,
  });
}

async function keyAddress(spec: string): Promise<string | undefined> {
  return (await import('./bundles/core.js')).keyAddressOf(spec, process.env);
}

async function azureAccount(scope: string): Promise<string | undefined> {
  return (await import('./bundles/commands.js')).azureAccount(scope);
}

function workspace(): readonly string[] {
  return vscode.workspace.workspaceFolders?.map(({ uri }) => uri.fsPath) ?? [];
}

function modelSurroundings({ keys, editorChats, agents }: ModelAccess): ModelSurroundings {
  return {
    environment: process.env,
    fetch: globalThis.fetch,
    storedKey: keys.of,
    editorChats,
    agents,
    azureAccount,
    workspace,
  };
}

function modelParts(access: ModelAccess, useCases: UseCasesSource): ModelParts {
  return {
    keys: access.keys,
    source: {
      discover: async (signal) => (await import('./bundles/core.js')).discover(modelSurroundings(access), signal),
      list: async (provider, signal) =>
        (await import('./bundles/core.js')).listOf(provider, modelSurroundings(access), signal),
      keyAddress,
      requestLogin: async (spec, signal) =>
        (await import('./bundles/core.js')).requestLogin(spec, access.agents, signal),
      check: async (signal) => (await useCases()).checkConnection(signal),
      localModels: async (signal) => (await useCases()).localModels(signal),
      smallRoles: async (signal) => (await useCases()).smallRoles(signal),
      preflight: async (request, signal) => (await useCases()).preflight(request, signal),
      stateCost: async (about, cost, signal) => (await useCases()).stateCost(about, cost, signal),
    },
  };
}
