// A night with batches in a process of its own, that the server ends wherever it likes. The argument is its order as JSON.
import path from 'node:path';
import process from 'node:process';
import { createUseCases } from '../../../src/app/useCases.js';
import { hastyClock, modelAt, prices, settingsOf } from '../batchWorld.js';
import { inEveryRole } from '../../builders/aWorkspace.js';
import { aNightRequest, silent } from '../nightWorkspace.js';

export interface BatchOrder {
  readonly folder: string;
  readonly home: string;
  readonly skillPath: string;
  readonly url: string;
  /** How far ahead the clock is: the lock of a process that was killed has run out by then. */
  readonly aheadMs: number;
}

const order: BatchOrder = JSON.parse(process.argv[2] ?? '{}');
const useCases = createUseCases({
  environment: { WHETSTONE_HOME: path.join(order.home, 'state') },
  platform: 'linux',
  home: order.home,
  clock: { ...hastyClock, running: undefined, now: () => hastyClock.now() + order.aheadMs },
  models: () => Promise.resolve(inEveryRole(modelAt(order.url))),
  prices: () => prices,
  trusted: () => true,
  consent: { allows: () => Promise.resolve(false) },
  caps: () => ({ day: {}, month: {} }),
  tell: () => undefined,
});
const request = aNightRequest(order.folder, { skills: [order.skillPath], settings: [settingsOf(true)], force: true });
const result = await useCases.night(request, silent, new AbortController().signal);
process.stdout.write(`${JSON.stringify(result.skills)}\n`);
