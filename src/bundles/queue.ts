/** Attempts on other machines: in the npm package alone, and loaded only where somebody names a queue. */
export { lookAt, openCoordinator, runWorker, serveWindow } from '../queue/openQueue.js';
