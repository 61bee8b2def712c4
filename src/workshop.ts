/** The second bundle of the extension: what is loaded when something is first done, not when a window opens. */
export { nodeClock } from './storage/nodeClock.js';
export { checkConnection } from './workshop/checkConnection.js';
export { chooseModels } from './workshop/chooseModels.js';
export { discover } from './workshop/discovered.js';
export { openWorkshop } from './workshop/openWorkshop.js';
