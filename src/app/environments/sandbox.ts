import type { SandboxState } from '../../ports/sandbox.js';
import { sandboxChoice, throwAwayChoice } from '../../storage/programs/machineChoices.js';
import { userStateFolder } from '../../storage/state/userState.js';
import { userStore, type SandboxWorld } from '../world.js';
import { sandboxStateIn } from './containedPrograms.js';

/** What a person says of this machine: the sandbox for programs of skills, and whether it is thrown away. */
export interface SandboxUseCases {
  /** Whether programs are contained on this machine: it is started, and has to fail to break out. */
  sandboxState(signal: AbortSignal): Promise<SandboxState>;
  /** The person's own word for this machine; no file of a workspace can say it. Gives what holds then. */
  turnSandbox(on: boolean, signal: AbortSignal): Promise<SandboxState>;
  /** Whether the person declared this machine one that is thrown away: agents work on it without a sandbox then. */
  isThrowAwayMachine(): Promise<boolean>;
  /** The person's own word as well. */
  declareThrowAwayMachine(throwAway: boolean, signal: AbortSignal): Promise<void>;
}

/** Wired to the machine and the state of the person. */
export function createSandboxUseCases(world: SandboxWorld): SandboxUseCases {
  const sandboxState = (signal: AbortSignal): Promise<SandboxState> =>
    sandboxStateIn(world, [userStateFolder(world)], signal);
  return {
    sandboxState,
    async turnSandbox(on, signal) {
      await sandboxChoice.turn(await userStore(world), on, signal);
      return sandboxState(signal);
    },
    isThrowAwayMachine: async () => throwAwayChoice.isOn(await userStore(world, 'look')),
    declareThrowAwayMachine: async (throwAway, signal) =>
      throwAwayChoice.turn(await userStore(world), throwAway, signal),
  };
}
