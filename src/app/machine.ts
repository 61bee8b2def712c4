import { nodeClock } from '../storage/files/nodeAdapters.js';
import { agentAccess } from './models/agentAccess.js';
import { examineChosen } from './models/checkConnection.js';
import { chooseModels, knownSecrets, type ModelSpecs } from './models/chooseModels.js';
import { namesByHand } from './handoff/handoffSpec.js';
import { keyFromEnvironment } from './osSchedule/nightProgram.js';
import { ServerQueues } from '../models/local/ownServerPatience.js';
import { madeElsewhere } from './madeElsewhere.js';
import type { World } from './world.js';

/** What a program that runs without an editor says: its models, its money, what may run, and who hears of it. */
export interface MachineWishes extends Pick<
  World,
  | 'home'
  | 'consent'
  | 'sandbox'
  | 'interactive'
  | 'allowsPrompt'
  | 'allowsPreferences'
  | 'allowsSending'
  | 'environments'
  | 'attempts'
  | 'prices'
  | 'caps'
  | 'tell'
> {
  readonly specs: ModelSpecs;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Asks whether the login to an agent program may be used; no without it. */
  readonly allowsLogin?: ((label: string, signal: AbortSignal) => Promise<boolean>) | undefined;
}

/** The world of a program on this machine, the command line or one that uses the library: keys come from its environment. */
export function worldOfMachine({ specs, environment, allowsLogin, ...wishes }: MachineWishes): World {
  const here = { ...wishes, environment, clock: nodeClock, trusted: () => true };
  const surroundings = {
    environment,
    fetch: globalThis.fetch,
    storedKey: (baseUrl: string) => keyFromEnvironment(environment, baseUrl),
    agents: agentAccess({ world: here, ask: allowsLogin }),
    queues: new ServerQueues(),
  };
  const proxyAware = environment['NODE_USE_ENV_PROXY'] === '1';
  return {
    ...here,
    models: async (signal) => madeElsewhere(await chooseModels(specs, surroundings, signal), wishes.attempts),
    target: () => specs.target,
    byHand: () => namesByHand(specs),
    examine: (around, signal) =>
      examineChosen(specs, { ...surroundings, clock: nodeClock, remoteName: undefined, proxyAware }, around, signal),
    secrets: () => knownSecrets(specs, surroundings),
  };
}
