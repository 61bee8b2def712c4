import type { Workplaces } from '../../src/ports/workplace.js';
import { createWorkplaces, type WorkplaceParts } from '../../src/storage/programs/workplace/workplaces.js';
import { aSandbox } from './aSandbox.js';

/** Places in the sandbox of this machine. */
export function someWorkplaces(more: Partial<WorkplaceParts> = {}, closed: readonly string[] = []): Workplaces {
  const sandbox = aSandbox({ masks: true, closed });
  return createWorkplaces({
    sandbox: () => sandbox,
    sandboxState: (signal) => sandbox.state(signal),
    isThrowAway: async () => false,
    environment: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    workspace: () => [],
    ...more,
  });
}

/** On a machine that is thrown away: nothing holds the agent. */
export function bareWorkplaces(): Workplaces {
  return someWorkplaces({
    sandbox: () => undefined,
    sandboxState: async () => ({ kind: 'off' }),
    isThrowAway: async () => true,
  });
}
