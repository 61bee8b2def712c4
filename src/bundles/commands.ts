/** The bundle of what the editor does at a word of the person: loaded with the first command, not with the window. */
export { commandsWith } from '../editor/commands/commandHandlers.js';
export { askToRunProgram } from '../editor/askToRunProgram.js';
export { requestModelAccess } from '../editor/models/editorChats.js';
export { azureAccount } from '../editor/models/azureAccount.js';
export { askToUseLogin } from '../editor/models/askLogin.js';
export { askAboutCosts } from '../editor/models/askCost.js';
export { ensureModel } from '../editor/models/chooseModel.js';
export { editorChats } from '../editor/models/editorChats.js';
export { registerReview } from '../editor/review/registerReview.js';
export { reviewHostOf } from '../editor/reviewHostOf.js';
export { askToSayPreferences, askToUsePrompt } from '../editor/prompts/prompts.js';
export { askToSendSessions } from '../editor/harvest/mineSessions.js';
export { TestExplorer } from '../editor/testExplorer/testExplorer.js';
