import type { SandboxState } from '../../ports/sandbox.js';
import { turnSandbox } from '../../storage/programs/sandbox/sandboxSwitch.js';
import { userStateFolder } from '../../storage/state/userState.js';
import { userStore, type World } from '../world.js';
import { sandboxStateIn } from './containedPrograms.js';

/** What a person does with the sandbox for programs of skills. */
export interface SandboxUseCases {
  /** Whether programs are contained on this machine: it is started, and has to fail to break out. */
  sandboxState(signal: AbortSignal): Promise<SandboxState>;
  /** The person's own word for this machine; no file of a workspace can say it. Gives what holds then. */
  turnSandbox(on: boolean, signal: AbortSignal): Promise<SandboxState>;
}

/** Wired to the machine and the state of the person. */
export function createSandboxUseCases(world: World): SandboxUseCases {
  const sandboxState = (signal: AbortSignal): Promise<SandboxState> =>
    sandboxStateIn(world, [userStateFolder(world)], signal);
  return {
    sandboxState,
    async turnSandbox(on, signal) {
      await turnSandbox(await userStore(world), on, signal);
      return sandboxState(signal);
    },
  };
}
