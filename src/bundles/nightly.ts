/**
 * The bundle of what is loaded once the window is open: the nights (time zones take much code), the rows beneath a skill,
 * the view of the models, the notes of the optimizer as documents, help with the file of options, and what the Problems list says about skills and
 * tasks, and the queue where one is set.
 */
export { startNights } from '../editor/nightly/nights.js';
export { hasNightSwitch } from '../storage/state/nightPlace.js';
export { ModelsTree } from '../editor/models/modelsTree.js';
export { ConfigFiles } from '../editor/options/configFiles.js';
export { NotesFiles } from '../editor/notes/notesFiles.js';
export { SkillProblems } from '../editor/lint/skillProblems.js';
export { QueueWatch } from '../editor/queue/queueWatch.js';
export { skillRows } from '../editor/tree/skillRows.js';
export { TaskFixes } from '../editor/tasks/taskFixes.js';
export { TaskProblems } from '../editor/tasks/taskProblems.js';
