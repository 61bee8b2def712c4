/** The bundle of what the editor does at a word of the person: loaded with the first command, not with the window. */
export { deleteSkillData } from './editor/firstMinutes/deleteData.js';
export { tryDemo } from './editor/firstMinutes/tryDemo.js';
export { setApiKey } from './editor/models/apiKeys.js';
export { checkConnection } from './editor/models/checkConnection.js';
export { chooseModel, ensureModel } from './editor/models/chooseModel.js';
export { baseUrlOf } from './editor/models/presetAddresses.js';
export { exportTrainingReport, showTrainingReport } from './editor/report/reportPanel.js';
export { registerReview } from './editor/review/registerReview.js';
export { reviewHostOf, showReport } from './editor/reviewHostOf.js';
export { gatherEvidence, refillErrorBudget } from './editor/run/gatherEvidence.js';
export { optimizeSkillInEditor, pauseRun, resumeRun } from './editor/run/optimizeCommand.js';
export { addTaskFromSelection, changeTask, draftTasks, importTasks, tryTask } from './editor/tasks/taskCommands.js';
export { acceptChecked } from './editor/tree/acceptChecked.js';
export { restoreVersion, showVersion } from './editor/tree/versionDocuments.js';
export { undoAdoption } from './editor/tree/undoAdoption.js';
