/** The bundle of the nights and of the view of the models, loaded once the window is open: time zones take much code. */
export { startNights } from '../editor/nightly/nights.js';
export { hasNightSwitch } from '../storage/state/nightPlace.js';
export { ModelsTree } from '../editor/models/modelsTree.js';
