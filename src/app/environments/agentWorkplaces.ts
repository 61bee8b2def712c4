import type { SandboxState } from '../../ports/sandbox.js';
import type { Workplaces } from '../../ports/workplace.js';
import { foldersWorkedOn } from '../../searchedFolders.js';
import { createSandbox, type PlacingSandbox } from '../../storage/programs/sandbox/sandbox.js';
import { sandboxChoice, throwAwayChoice } from '../../storage/programs/machineChoices.js';
import { createWorkplaces } from '../../storage/programs/workplace/workplaces.js';
import { userStateFolder } from '../../storage/state/userState.js';
import { userStore, type SandboxWorld } from '../world.js';

/** Where agents work on this machine: in the sandbox, or on a machine that the person declared one that is thrown away. */
export function agentWorkplaces(world: SandboxWorld, workspace: () => readonly string[]): Workplaces {
  const { environment, platform, home, sandbox: place } = world;
  let current: { readonly key: string; readonly sandbox: PlacingSandbox } | undefined;
  const closed = (): readonly string[] => [...workspace(), ...foldersWorkedOn()];
  const sandbox = (): PlacingSandbox | undefined => {
    if (place === undefined) return undefined;
    const state = userStateFolder(world);
    const places = [...new Set([...closed(), state])];
    const key = JSON.stringify(places);
    // What was opened since is to be closed too: another sandbox does that.
    if (current?.key !== key) {
      const parts = { ...place, environment, platform, home, closed: places, sealed: [state], masks: true };
      current = { key, sandbox: createSandbox(parts) };
    }
    return current.sandbox;
  };
  const sandboxState = async (signal: AbortSignal): Promise<SandboxState> => {
    if (!(await sandboxChoice.isOn(await userStore(world, 'look')))) return { kind: 'off' };
    const found = await sandbox()?.state(signal);
    if (found?.kind !== 'available') current = undefined; // what was missing may be there when it is asked again
    return found ?? { kind: 'unsupported', reason: 'The sandbox is not part of this program.' };
  };
  return createWorkplaces({
    sandbox,
    sandboxState,
    isThrowAway: async () => throwAwayChoice.isOn(await userStore(world, 'look')),
    environment,
    workspace: closed,
  });
}
