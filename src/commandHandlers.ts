import type { AdoptionsUnderWay } from './editor/adoptionsUnderWay.js';
import type { CommandId } from './editor/contributions.js';
import { chooseSkill, ifSkill, skillOf } from './editor/skills/chooseSkill.js';
import { fieldOf, optionalField } from './editor/givenField.js';
import type { DemoParts } from './editor/firstMinutes/tryDemo.js';
import type { ModelParts } from './editor/models/chooseModel.js';
import type { ReportParts } from './editor/report/reportPanel.js';
import type { RunParts } from './editor/run/withRunProgress.js';
import { showAnswers } from './editor/showAnswers.js';
import type { SkillCatalog } from './editor/skills/skillCatalog.js';
import type { Trees } from './editor/tree/registerTrees.js';
import type { VirtualTexts } from './editor/virtualTexts.js';
import type { Nights } from './nightly.js';

/** What the person's words do, loaded with the first of them. */
const rooms = () => import('./rooms.js');

/** What the commands work with. */
export interface CommandParts extends RunParts, ReportParts, DemoParts, Pick<Trees, 'tree' | 'view'> {
  readonly catalog: SkillCatalog;
  readonly nights: Promise<Nights>;
  readonly models: ModelParts;
  readonly texts: VirtualTexts;
  readonly adoptions: AdoptionsUnderWay;
}

type Handlers = Readonly<Partial<Record<CommandId, (given: unknown) => unknown>>>;

/** What each command does. What is more than a few lines is loaded with the first command that needs it. */
export function commandHandlers(parts: CommandParts): Handlers {
  return { ...viewCommands(parts), ...runCommands(parts), ...resultCommands(parts), ...taskCommands(parts) };
}

function viewCommands(parts: CommandParts): Handlers {
  const { catalog, overviews, tree, view, nights, log, models } = parts;
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
    'whetstone.previewRequests': async (given) => {
      const { ensureModel, previewRequests } = await rooms();
      const skillPath = await chooseSkill(catalog, given);
      await ensureModel(models);
      return previewRequests(skillPath, parts);
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
    'whetstone.tryDemo': async () => (await rooms()).tryDemo(parts),
    'whetstone.showReport': async (given) => (await rooms()).showReport(await chooseSkill(catalog, given), parts),
  };
}

function runCommands(parts: CommandParts): Handlers {
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
    'whetstone.undo': async (given) => (await rooms()).undoAdoption(await chooseSkill(catalog, given), parts),
  };
}

function resultCommands(parts: CommandParts): Handlers {
  const { catalog, tree } = parts;
  return {
    'whetstone.acceptChecked': async (given) => (await rooms()).acceptChecked(tree, await chooseSkill(catalog, given)),
    'whetstone.showVersion': async (given) => {
      const { skillPath, version } = versionOf(given);
      return (await rooms()).showVersion(skillPath, version);
    },
    'whetstone.compareVersion': async (given) => {
      const { skillPath, version } = versionOf(given);
      return (await rooms()).compareVersion(skillPath, version);
    },
    'whetstone.restoreVersion': async (given) => (await rooms()).restoreVersion(versionOf(given), parts),
    'whetstone.deleteSkillData': async (given) =>
      (await rooms()).deleteSkillData(await chooseSkill(catalog, given), parts),
    'whetstone.showTrainingReport': async (given) => {
      const runId = optionalField(given, 'runId');
      return (await rooms()).showTrainingReport({ skillPath: await chooseSkill(catalog, given), runId }, parts);
    },
    'whetstone.exportReport': async (given) =>
      (await rooms()).exportTrainingReport(given, await chooseSkill(catalog, given), parts),
    'whetstone.updateRecord': async (given) => {
      const { ensureModel, updateRecord } = await rooms();
      const skillPath = await chooseSkill(catalog, given);
      await ensureModel(parts.models);
      return updateRecord(skillPath, parts);
    },
    'whetstone.pauseRun': async (given) => (await rooms()).pauseRun(skillOf(given), parts),
    'whetstone.resumeRun': async (given) => (await rooms()).resumeRun(await chooseSkill(catalog, given), parts),
  };
}

function taskCommands({ workshop, catalog, overviews, models, texts }: CommandParts): Handlers {
  const parts = { workshop, overviews, texts };
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
      (await rooms()).addTaskFromSelection(await chooseSkill(catalog, ifSkill(given)), parts),
    'whetstone.importTasks': async (given) => (await rooms()).importTasks(await chooseSkill(catalog, given), parts),
    'whetstone.tryTask': async (given) => {
      const { ensureModel, tryTask } = await rooms();
      await ensureModel(models);
      return tryTask(fieldOf(given, 'skillPath'), fieldOf(given, 'taskId'), parts);
    },
    'whetstone.editTask': async (given) =>
      (await rooms()).editTask(fieldOf(given, 'skillPath'), optionalField(given, 'taskId')),
    'whetstone.keepChecks': async (given) =>
      (await rooms()).keepChecks({ skillPath: fieldOf(given, 'skillPath'), taskId: fieldOf(given, 'taskId') }, parts),
    'whetstone.editPrompt': async (given) => (await rooms()).editPrompt(await chooseSkill(catalog, given), workshop),
    'whetstone.confirmTask': (given) => change(given, 'confirm'),
    'whetstone.confirmDrafts': async (given) => (await rooms()).confirmDrafts(await chooseSkill(catalog, given), parts),
    'whetstone.enableTask': (given) => change(given, 'enable'),
    'whetstone.disableTask': (given) => change(given, 'disable'),
  };
}

function versionOf(given: unknown): { readonly skillPath: string; readonly version: string } {
  return { skillPath: fieldOf(given, 'skillPath'), version: fieldOf(given, 'version') };
}
