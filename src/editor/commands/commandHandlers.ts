import type { AdoptionsUnderWay } from '../../review/adoptionsUnderWay.js';
import { deleteSkillData } from '../firstMinutes/deleteData.js';
import { tryDemo, type DemoParts } from '../firstMinutes/tryDemo.js';
import { sessionCommands } from '../harvest/sessionCommands.js';
import { setApiKey } from '../models/apiKeys.js';
import { askAboutCosts } from '../models/askCost.js';
import { forgetLogins } from '../models/askLogin.js';
import { checkConnection, chooseModel, ensureModel, refuseUntrusted, type ModelParts } from '../models/chooseModel.js';
import { previewRequests } from '../models/previewRequests.js';
import { showQueue, type ShowQueueParts } from '../queue/showQueue.js';
import { exportTrainingReport, showTrainingReport, type ReportParts } from '../report/reportPanel.js';
import { certifyCandidate, reviewCandidate } from '../run/candidates.js';
import { resumeCertification, refillErrorBudget } from '../run/resumeCertification.js';
import { optimizeSkillInEditor, resumeRun } from '../run/optimizeCommand.js';
import { pauseRun } from '../run/pauseRun.js';
import { editsInScripts, sandboxForPrograms } from '../run/sandboxCommand.js';
import { giveUpWaiting } from '../run/waitingRun.js';
import { updateRecord } from '../run/updateRecord.js';
import { editPrompt } from '../prompts/prompts.js';
import { forgetRejected } from '../notes/forgetRejected.js';
import { resetNotes, showNotes, type NotesParts } from '../notes/notesCommands.js';
import { allowSecrets } from '../tasks/agentSecrets.js';
import { describeChecks } from '../tasks/describeChecks.js';
import { editTask } from '../tasks/editTask.js';
import { importTasks } from '../tasks/importTasks.js';
import { pageCommands } from '../tasks/judgePages.js';
import { reviewDrafts } from '../tasks/reviewDrafts.js';
import { requestFor } from '../workbench.js';
import { deleteTask, moveTask } from '../tasks/moveTask.js';
import { newSkill } from '../tasks/newSkill.js';
import { addTask, selectedText } from '../tasks/addTask.js';
import { changeTask, confirmDrafts, draftTasks, keepChecks } from '../tasks/taskCommands.js';
import { TaskPages } from '../tasks/taskPages.js';
import { pickTask, tryTask } from '../tasks/tryTask.js';
import { compareVersion, restoreVersion, showVersion, undoAdoption } from '../tree/versions.js';
import { argumentReaders } from './commandArguments.js';
import type { ArgumentOf, ResultOf, WindowCommandId } from './commands.js';
import { chooseDrafted, chooseSkill, chooseSkillToTrain, namedSkill, pickAdopted, pickWaiting } from './chooseSkill.js';
import type { RunParts } from '../run/withRunProgress.js';
import type { SkillCatalog } from '../skills/skillCatalog.js';
import { writtenName } from '../skills/writtenName.js';
import type { Trees } from '../tree/registerTrees.js';
import type { VirtualTexts } from '../virtualTexts.js';
import type { Nights } from '../nightly/nights.js';
import * as vscode from 'vscode';
import { UserError } from '../../errors.js';
import { runCommand } from './runCommand.js';
import type { Arrangement } from '../tree/arrangement.js';
import { askText } from '../shown/questions.js';

/** What the commands work with. */
export interface CommandParts
  extends RunParts, ReportParts, DemoParts, NotesParts, ShowQueueParts, Pick<Trees, 'tree' | 'view'> {
  readonly catalog: SkillCatalog;
  readonly nights: Promise<Nights>;
  readonly models: ModelParts;
  readonly texts: VirtualTexts;
  readonly adoptions: AdoptionsUnderWay;
}

/** A handler for each command but those of a review, which registers its own. */
type Handlers = {
  readonly [Id in WindowCommandId]: (given: ArgumentOf<Id>) => Thenable<ResultOf<Id>> | ResultOf<Id>;
};

/** Does what a command was called for, whatever it was called with. */
export type HandleCommand = (id: WindowCommandId, given: unknown) => unknown;

/** Loaded with the first command: neither what reads arguments nor what acts on them is part of a window's start. */
export function commandsWith(parts: CommandParts): HandleCommand {
  const handlers = commandHandlers(parts);
  return (id, given) => handle(id, handlers, given);
}

function handle<Id extends WindowCommandId>(id: Id, handlers: Pick<Handlers, Id>, given: unknown): unknown {
  return handlers[id](argumentReaders[id](given));
}

function commandHandlers(parts: CommandParts): Handlers {
  return { ...viewCommands(parts), ...runCommands(parts), ...resultCommands(parts), ...taskCommands(parts) };
}

function viewCommands(parts: CommandParts) {
  const { catalog, overviews, tree, view, nights, log, models } = parts;
  return {
    'whetstone.refresh': () => {
      catalog.refresh();
      overviews.refresh();
    },
    'whetstone.filterSkills': async (given) => tree.arrange({ filter: given ?? (await askFilter(tree.arrangement)) }),
    'whetstone.clearFilter': () => tree.arrange({ filter: '' }),
    'whetstone.sortByAttention': () => tree.arrange({ order: 'attention' }),
    'whetstone.sortByName': () => tree.arrange({ order: 'name' }),
    'whetstone.chooseModel': (given) => chooseModel(given, models),
    'whetstone.setApiKey': () => setApiKey(models),
    'whetstone.previewRequests': async (given) => {
      const skillPath = await chooseSkill(catalog, given?.skillPath);
      await ensureModel(models);
      return previewRequests({ ...given, skillPath }, parts);
    },
    'whetstone.checkConnection': () => checkConnection(models.source, log),
    'whetstone.showQueue': () => showQueue(parts),
    'whetstone.sandbox': () => sandboxForPrograms(parts.useCases),
    'whetstone.scriptEdits': () => editsInScripts(parts.useCases),
    'whetstone.forgetLogins': () => forgetLogins(parts.useCases),
    ...sessionCommands(parts, (given) => chooseSkillToTrain(parts, given)),
    'whetstone.nightly': async () => (await nights).showMenu(),
    'whetstone.installOsSchedule': async () => (await nights).installOsSchedule(),
    'whetstone.showLog': () => log.show(),
    'whetstone.showSkill': async (given) => {
      const skillPath = await chooseSkill(catalog, given);
      const branch = await tree.branchOf(skillPath);
      if (branch === undefined) throw await notOfTheFolders(skillPath);
      await view.reveal(branch, { expand: 2, focus: true });
    },
    'whetstone.tryDemo': () => tryDemo(parts),
    'whetstone.showReport': async (given) =>
      showTrainingReport({ skillPath: await chooseSkill(catalog, given), runId: undefined }, parts),
  } satisfies Partial<Handlers>;
}

function runCommands(parts: CommandParts) {
  const { catalog, models } = parts;
  return {
    'whetstone.optimize': async (given) => {
      const skillPath = await chooseSkillToTrain(parts, given);
      // Trust, tasks, model: nobody is asked for a model, or a key, before there is something to do with it.
      refuseUntrusted();
      await (await parts.useCases()).refuseWithoutTasks(requestFor(skillPath));
      await ensureModel(models);
      return optimizeSkillInEditor(skillPath, parts);
    },
    'whetstone.gatherEvidence': async (given) => resumeCertification(await chooseSkill(catalog, given), parts),
    'whetstone.certifyCandidate': (candidate) => certifyCandidate(candidate, parts),
    'whetstone.reviewCandidate': (candidate) => reviewCandidate(candidate, parts),
    'whetstone.refillErrorBudget': async (given) => refillErrorBudget(await chooseSkill(catalog, given), parts),
    'whetstone.undo': async (given) =>
      undoAdoption((await namedSkill(catalog, given)) ?? (await pickAdopted(parts)), parts),
  } satisfies Partial<Handlers>;
}

function resultCommands(parts: CommandParts) {
  const { catalog, tree } = parts;
  return {
    'whetstone.acceptChecked': async (given) => acceptChecked(tree, await chooseSkill(catalog, given)),
    'whetstone.showVersion': ({ skillPath, version }) => showVersion(skillPath, version, parts.overviews),
    'whetstone.compareVersion': ({ skillPath, version }) => compareVersion(skillPath, version, parts.overviews),
    'whetstone.restoreVersion': (version) => restoreVersion(version, parts),
    'whetstone.deleteSkillData': async (given) => deleteSkillData(await chooseSkill(catalog, given), parts),
    'whetstone.showNotes': async (given) => showNotes(await chooseSkill(catalog, given), parts),
    'whetstone.resetNotes': async (given) => resetNotes(await chooseSkill(catalog, given), parts),
    'whetstone.forgetRejected': async (given) => forgetRejected(await chooseSkill(catalog, given), parts),
    'whetstone.showTrainingReport': async (given) =>
      showTrainingReport({ skillPath: await chooseSkill(catalog, given?.skillPath), runId: given?.runId }, parts),
    'whetstone.exportReport': async (given) =>
      exportTrainingReport({ ...given, skillPath: await chooseSkill(catalog, given?.skillPath) }, parts),
    'whetstone.updateRecord': async (given) => {
      const skillPath = await chooseSkill(catalog, given);
      await (await parts.useCases()).refuseUnfitTarget(requestFor(skillPath));
      await ensureModel(parts.models);
      return updateRecord(skillPath, parts);
    },
    'whetstone.pauseRun': async (given) => {
      const named = await namedSkill(catalog, given);
      return given === undefined ? pauseRun(undefined, named, parts) : pauseRun(named, undefined, parts);
    },
    'whetstone.resumeRun': async (given) =>
      void (await resumeRun(await chooseSkill(catalog, given?.skillPath), parts, given?.runId)),
    'whetstone.giveUpRun': async (given) => {
      const skillPath = (await namedSkill(catalog, given?.skillPath)) ?? (await pickWaiting(parts));
      return giveUpWaiting({ skillPath, runId: given?.runId }, parts);
    },
  } satisfies Partial<Handlers>;
}

function taskCommands({ useCases, catalog, overviews, models, texts }: CommandParts) {
  const parts = { useCases, overviews, texts };
  const pages = new TaskPages(parts);
  return {
    ...pageCommands(parts, pages, (given, standing) => chooseSkill(catalog, given, standing)),
    'whetstone.draftTasks': async (given) => {
      const skillPath = await chooseSkill(catalog, given);
      await ensureModel(models);
      await askAboutCosts(await useCases());
      return draftTasks(skillPath, parts);
    },
    'whetstone.addTask': async (given) => addTask(await chooseSkill(catalog, given), selectedText(), parts),
    'whetstone.newTask': async (given) => {
      refuseUntrusted();
      return addTask(await chooseSkill(catalog, given), undefined, parts);
    },
    'whetstone.newSkill': (given) => {
      refuseUntrusted();
      return newSkill(catalog, parts, given?.asked);
    },
    'whetstone.moveTask': (task) => moveTask(task, parts),
    'whetstone.deleteTask': (task) => deleteTask(task, parts),
    'whetstone.allowSecrets': async (given) =>
      allowSecrets(await chooseSkill(catalog, given?.skillPath), given?.hashes, useCases),
    'whetstone.importTasks': async (given) => importTasks(await chooseSkill(catalog, given), parts),
    'whetstone.tryTask': async (given) => {
      const skillPath = await chooseSkill(catalog, given?.skillPath);
      const taskId = given?.taskId ?? (await pickTask(skillPath, overviews));
      await (await useCases()).refuseUnfitTarget({ ...requestFor(skillPath), only: [taskId] });
      await ensureModel(models);
      await askAboutCosts(await useCases());
      return tryTask({ skillPath, taskId }, pages, parts);
    },
    'whetstone.editTask': ({ skillPath, taskId }) => editTask(skillPath, taskId),
    'whetstone.keepChecks': (task) => keepChecks(task, parts),
    'whetstone.describeChecks': async ({ skillPath, taskId }) =>
      describeChecks(await chooseSkill(catalog, skillPath), taskId, parts),
    'whetstone.editPrompt': async (given) => editPrompt(await chooseSkill(catalog, given), useCases),
    'whetstone.confirmTask': (task) => changeTask(task, 'confirm', parts),
    'whetstone.confirmDrafts': async (given) =>
      confirmDrafts(await chooseDrafted({ catalog, overviews }, given), parts),
    'whetstone.reviewDrafts': async (given) => reviewDrafts(await chooseDrafted({ catalog, overviews }, given), parts),
    'whetstone.enableTask': (task) => changeTask(task, 'enable', parts),
    'whetstone.disableTask': (task) => changeTask(task, 'disable', parts),
  } satisfies Partial<Handlers>;
}

async function notOfTheFolders(skillPath: string): Promise<UserError> {
  return new UserError(
    'skill-missing',
    vscode.l10n.t('{0} is not among the skills of the open folders.', await writtenName(skillPath)),
    vscode.l10n.t('Open the folder that holds it.'),
  );
}

/** Which skills the view should show; an empty text shows all of them. */
async function askFilter({ filter }: Arrangement): Promise<string> {
  const said = await askText({
    title: vscode.l10n.t('Filter skills'),
    prompt: vscode.l10n.t('Shows the skills whose name or folder contains this. Leave it empty to show all.'),
    value: filter,
  });
  if (said === undefined) throw new vscode.CancellationError();
  return said;
}

/** Accepts the open edits whose boxes are checked, as the review would; those that are not checked stay open. */
export async function acceptChecked(tree: Trees['tree'], skillPath: string): Promise<void> {
  const edits = tree.checkedEdits(skillPath);
  if (edits.length === 0) {
    throw new UserError(
      'usage',
      vscode.l10n.t('No open edit of this skill is checked.'),
      vscode.l10n.t('Check the edits that you want, then accept them.'),
    );
  }
  await runCommand('whetstone.acceptHunk', { skillPath, edits });
}
