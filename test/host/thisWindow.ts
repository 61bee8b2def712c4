import { homedir } from 'node:os';
import { chooseModels } from '../../src/app/models/chooseModels.js';
import type { World } from '../../src/app/world.js';
import { readCaps } from '../../src/editor/settings.js';
import { nodeClock } from '../../src/storage/files/nodeAdapters.js';

/** The world as the window under test has it, with a model of that name in every role: for looking at what it shows. */
export function thisWindow(target: string): World {
  const { env: environment, platform } = process;
  const models = { target, optimizer: undefined, judge: undefined };
  return {
    environment,
    platform,
    home: homedir(),
    clock: nodeClock,
    trusted: () => true,
    models: () => chooseModels(models, { environment, fetch }),
    consent: { allows: () => Promise.resolve(false) },
    caps: readCaps,
    tell: () => undefined,
  };
}
