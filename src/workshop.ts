/**
 * The bundle that both faces share: what the extension loads when something is first done, not when a window opens, and
 * what the command line works with.
 */
export { startSimulatedServer } from './models/simulated/serveSimulated.js';
export { nodeClock } from './storage/nodeClock.js';
export { examineChosen } from './workshop/checkConnection.js';
export { chooseModels } from './workshop/chooseModels.js';
export { discover, listOf } from './workshop/discovered.js';
export { knownSecrets } from './workshop/knownSecrets.js';
export { lintText } from './workshop/lintText.js';
export { openWorkshop } from './workshop/openWorkshop.js';
export { keyFromEnvironment } from './workshop/osEnvironment.js';
