/** Attempts on other machines: in the npm package alone, and loaded only where somebody names a queue. */
export { lookAt, openCoordinator, runWorker } from '../queue/openQueue.js';
