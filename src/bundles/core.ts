/**
 * The bundle that both faces share: what the extension loads when something is first done, not when a window opens, and
 * what the command line works with.
 */
export { startSimulatedServer } from '../simulated/server/serveSimulated.js';
/** For the queue, which throws and reads them beside the core. */
export { FailedCall, inSomeForm, RefusedForm, usageOfFailure } from '../models/wrappers/failedCall.js';
/** The way of a window to a queue, through the command line that is installed. */
export { windowQueue } from '../queue/bridge/windowQueue.js';
export { nodeClock } from '../storage/files/nodeAdapters.js';
export { examineChosen } from '../app/models/checkConnection.js';
export { withOwnChecks } from '../checks/registry.js';
export { worldOfMachine } from '../app/machine.js';
export { madeElsewhere } from '../app/madeElsewhere.js';
export { workerPrograms } from '../app/environments/workerPrograms.js';
export { agentAccess } from '../app/models/agentAccess.js';
export { requestLogin } from '../app/models/agentModels.js';
export { ServerQueues } from '../models/local/ownServerPatience.js';
export { chooseModels } from '../app/models/chooseModels.js';
export { namesByHand } from '../app/handoff/handoffSpec.js';
export { discover, listOf } from '../app/models/modelOffers.js';
export { keyAddressOf } from '../app/models/modelSpec.js';
export { knownSecrets } from '../app/models/chooseModels.js';
export { configCompletions, configHover } from '../app/options/configHelp.js';
export { baseProblems } from '../app/options/baseProblems.js';
export { configProblems } from '../app/options/configProblems.js';
export { lintText } from '../app/lintText.js';
export { createUseCases } from '../app/useCases.js';
export { keyFromEnvironment } from '../app/osSchedule/nightProgram.js';
