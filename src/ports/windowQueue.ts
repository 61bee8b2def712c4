import type { AttemptRunner } from './attemptRunner.js';
import type { QueueState } from './queueState.js';

/** The queue of a window, as its settings are now. */
export interface WindowQueue {
  /** Makes calls on the queue where one is set, and in the window where none is. */
  readonly attempts: AttemptRunner;
  /** The same; undefined where none is set. */
  inForce(): AttemptRunner | undefined;
  /** Throws where none is set, or where it cannot be reached. */
  look(signal: AbortSignal): Promise<QueueState>;
  /** Ends the command line that carries the calls. */
  close(): void;
}
