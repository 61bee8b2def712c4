/** The bundle of what the editor does at a word of the person: loaded with the first command, not with the window. */
export { deleteSkillData } from './editor/firstMinutes/deleteData.js';
export { tryDemo } from './editor/firstMinutes/tryDemo.js';
export { setApiKey } from './editor/models/apiKeys.js';
export { checkConnection } from './editor/models/checkConnection.js';
export { askForLeave } from './editor/models/askForLeave.js';
export { chooseModel, ensureModel } from './editor/models/chooseModel.js';
export { editorChats } from './editor/models/editorChats.js';
export { previewRequests } from './editor/models/previewRequests.js';
export { baseUrlOf } from './editor/models/presetAddresses.js';
export { exportTrainingReport, showTrainingReport } from './editor/report/reportPanel.js';
export { registerReview } from './editor/review/registerReview.js';
export { reviewHostOf, showReport } from './editor/reviewHostOf.js';
export { gatherEvidence, refillErrorBudget } from './editor/run/gatherEvidence.js';
export { optimizeSkillInEditor, pauseRun, resumeRun } from './editor/run/optimizeCommand.js';
export { updateRecord } from './editor/run/updateRecord.js';
export { editPrompt } from './editor/prompts/editPrompt.js';
export { askToUsePrompt } from './editor/prompts/askToUsePrompt.js';
export { editTask } from './editor/tasks/editTask.js';
export { importTasks } from './editor/tasks/importTasks.js';
export {
  addTaskFromSelection,
  changeTask,
  confirmDrafts,
  draftTasks,
  keepChecks,
} from './editor/tasks/taskCommands.js';
export { tryTask } from './editor/tasks/tryTask.js';
export { acceptChecked } from './editor/tree/acceptChecked.js';
export { compareVersion, restoreVersion, showVersion } from './editor/tree/versionDocuments.js';
export { undoAdoption } from './editor/tree/undoAdoption.js';
export { TestExplorer } from './editor/testExplorer/testExplorer.js';
