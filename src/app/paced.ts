import { setImmediate as turn } from 'node:timers/promises';
import type { Steps } from '../tasks/steps.js';

const stretchMs = 15; // shorter than a frame: typing and scrolling go on beside it

/** Drives work in pieces to its end, and lets everything else have its turn again and again. Left where it is aborted. */
export async function paced<Result>(steps: Steps<Result>, signal?: AbortSignal): Promise<Result> {
  let began = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - began < stretchMs) continue;
    await turn();
    signal?.throwIfAborted();
    began = performance.now();
  }
}
