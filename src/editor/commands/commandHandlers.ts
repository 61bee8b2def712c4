import type { AdoptionsUnderWay } from '../adoptionsUnderWay.js';
import { deleteSkillData } from '../firstMinutes/deleteData.js';
import { tryDemo } from '../firstMinutes/tryDemo.js';
import { setApiKey } from '../models/apiKeys.js';
import { checkConnection } from '../models/checkConnection.js';
import { chooseModel, ensureModel } from '../models/chooseModel.js';
import { previewRequests } from '../models/previewRequests.js';
import { baseUrlOf } from '../models/presetAddresses.js';
import { exportTrainingReport, showTrainingReport } from '../report/reportPanel.js';
import { showReport } from '../reviewHostOf.js';
import { resumeCertification, refillErrorBudget } from '../run/resumeCertification.js';
import { optimizeSkillInEditor, pauseRun, resumeRun } from '../run/optimizeCommand.js';
import { updateRecord } from '../run/updateRecord.js';
import { editPrompt } from '../prompts/editPrompt.js';
import { editTask } from '../tasks/editTask.js';
import { importTasks } from '../tasks/importTasks.js';
import { addTaskFromSelection, changeTask, confirmDrafts, draftTasks, keepChecks } from '../tasks/taskCommands.js';
import { tryTask } from '../tasks/tryTask.js';
import { acceptChecked } from '../tree/acceptChecked.js';
import { compareVersion, restoreVersion, showVersion } from '../tree/versionDocuments.js';
import { undoAdoption } from '../tree/undoAdoption.js';
import type { Given, WindowCommandId } from './commands.js';
import { chooseSkill } from '../skills/chooseSkill.js';
import type { DemoParts } from '../firstMinutes/tryDemo.js';
import type { ModelParts } from '../models/chooseModel.js';
import type { ReportParts } from '../report/reportPanel.js';
import type { RunParts } from '../run/withRunProgress.js';
import { showAnswers } from '../showAnswers.js';
import type { SkillCatalog } from '../skills/skillCatalog.js';
import type { Trees } from '../tree/registerTrees.js';
import type { VirtualTexts } from '../virtualTexts.js';
import type { Nights } from '../nightly/startNights.js';

/** What the commands work with. */
export interface CommandParts extends RunParts, ReportParts, DemoParts, Pick<Trees, 'tree' | 'view'> {
  readonly catalog: SkillCatalog;
  readonly nights: Promise<Nights>;
  readonly models: ModelParts;
  readonly texts: VirtualTexts;
  readonly adoptions: AdoptionsUnderWay;
}

/** A handler for each command but those of a review, which registers its own. */
export type Handlers = { readonly [Id in WindowCommandId]: (given: Given<Id>) => unknown };

/** What each command does. Loaded with the first command. */
export function commandHandlers(parts: CommandParts): Handlers {
  return { ...viewCommands(parts), ...runCommands(parts), ...resultCommands(parts), ...taskCommands(parts) };
}

function viewCommands(parts: CommandParts) {
  const { catalog, overviews, tree, view, nights, log, models } = parts;
  return {
    'whetstone.refresh': () => {
      catalog.refresh();
      overviews.refresh();
    },
    'whetstone.chooseModel': () => chooseModel(models),
    'whetstone.setApiKey': () => setApiKey(models.keys, baseUrlOf),
    'whetstone.previewRequests': async (given) => {
      const skillPath = await chooseSkill(catalog, given);
      await ensureModel(models);
      return previewRequests(skillPath, parts);
    },
    'whetstone.checkConnection': () => checkConnection(models.source, log),
    'whetstone.nightly': async () => (await nights).showMenu(),
    'whetstone.installOsSchedule': async () => (await nights).installOsSchedule(),
    'whetstone.showLog': () => log.show(),
    'whetstone.showSkill': async (given) => {
      const branch = await tree.branchOf(await chooseSkill(catalog, given));
      if (branch !== undefined) await view.reveal(branch, { expand: 2, focus: true });
    },
    'whetstone.showAnswers': ({ skillPath, taskId }) => showAnswers(overviews, skillPath, taskId),
    'whetstone.tryDemo': () => tryDemo(parts),
    'whetstone.showReport': async (given) => showReport(await chooseSkill(catalog, given), parts),
  } satisfies Partial<Handlers>;
}

function runCommands(parts: CommandParts) {
  const { catalog, models } = parts;
  return {
    'whetstone.optimize': async (given) => {
      const skillPath = await chooseSkill(catalog, given);
      await ensureModel(models);
      return optimizeSkillInEditor(skillPath, parts);
    },
    'whetstone.gatherEvidence': async (given) => resumeCertification(await chooseSkill(catalog, given), parts),
    'whetstone.refillErrorBudget': async (given) => refillErrorBudget(await chooseSkill(catalog, given), parts),
    'whetstone.undo': async (given) => undoAdoption(await chooseSkill(catalog, given), parts),
  } satisfies Partial<Handlers>;
}

function resultCommands(parts: CommandParts) {
  const { catalog, tree } = parts;
  return {
    'whetstone.acceptChecked': async (given) => acceptChecked(tree, await chooseSkill(catalog, given)),
    'whetstone.showVersion': ({ skillPath, version }) => showVersion(skillPath, version),
    'whetstone.compareVersion': ({ skillPath, version }) => compareVersion(skillPath, version),
    'whetstone.restoreVersion': (version) => restoreVersion(version, parts),
    'whetstone.deleteSkillData': async (given) => deleteSkillData(await chooseSkill(catalog, given), parts),
    'whetstone.showTrainingReport': async (given) =>
      showTrainingReport({ skillPath: await chooseSkill(catalog, given?.skillPath), runId: given?.runId }, parts),
    'whetstone.exportReport': async (given) =>
      exportTrainingReport({ ...given, skillPath: await chooseSkill(catalog, given?.skillPath) }, parts),
    'whetstone.updateRecord': async (given) => {
      const skillPath = await chooseSkill(catalog, given);
      await ensureModel(parts.models);
      return updateRecord(skillPath, parts);
    },
    'whetstone.pauseRun': (given) => pauseRun(given, parts),
    'whetstone.resumeRun': async (given) => resumeRun(await chooseSkill(catalog, given), parts),
  } satisfies Partial<Handlers>;
}

function taskCommands({ useCases, catalog, overviews, models, texts }: CommandParts) {
  const parts = { useCases, overviews, texts };
  return {
    'whetstone.draftTasks': async (given) => {
      const skillPath = await chooseSkill(catalog, given);
      await ensureModel(models);
      return draftTasks(skillPath, parts);
    },
    'whetstone.addTask': async (given) => addTaskFromSelection(await chooseSkill(catalog, given), parts),
    'whetstone.importTasks': async (given) => importTasks(await chooseSkill(catalog, given), parts),
    'whetstone.tryTask': async ({ skillPath, taskId }) => {
      await ensureModel(models);
      return tryTask(skillPath, taskId, parts);
    },
    'whetstone.editTask': ({ skillPath, taskId }) => editTask(skillPath, taskId),
    'whetstone.keepChecks': (task) => keepChecks(task, parts),
    'whetstone.editPrompt': async (given) => editPrompt(await chooseSkill(catalog, given), useCases),
    'whetstone.confirmTask': (task) => changeTask(task, 'confirm', parts),
    'whetstone.confirmDrafts': async (given) => confirmDrafts(await chooseSkill(catalog, given), parts),
    'whetstone.enableTask': (task) => changeTask(task, 'enable', parts),
    'whetstone.disableTask': (task) => changeTask(task, 'disable', parts),
  } satisfies Partial<Handlers>;
}
