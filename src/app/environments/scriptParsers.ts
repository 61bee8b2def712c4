import type { ScriptParser } from '../../ports/scriptParser.js';
import type { Sandbox } from '../../ports/sandbox.js';
import { createSandbox } from '../../storage/programs/sandbox/sandbox.js';
import { createScriptParser } from '../../storage/programs/scriptParser.js';
import { sandboxChoice } from '../../storage/programs/machineChoices.js';
import { userStateFolder } from '../../storage/state/userState.js';
import { noSandboxReason } from '../../wording/programs/containment.js';
import { userStore, type SandboxWorld } from '../world.js';

const memoryBytes = 1024 ** 3; // what a parser of a few hundred kilobytes never takes

/**
 * What parses scripts on this machine. The sandbox is opened when something is first parsed, and never in a workspace
 * that is not trusted. `closed`: what it keeps to itself, and where no parser is taken from.
 */
export function scriptParserFor(world: SandboxWorld, closed: readonly string[]): ScriptParser {
  const { environment, platform, home, sandbox: place } = world;
  const state = userStateFolder(world);
  const places = [...new Set([...closed, state])];
  const searched = environment['PATH'];
  let opened: Sandbox | undefined;
  return createScriptParser({
    closed: places,
    searched,
    async sandbox(signal) {
      if (place === undefined) return 'The sandbox is not part of this program.';
      if (!world.trusted()) return 'This workspace is not trusted.';
      if (!(await sandboxChoice.isOn(await userStore(world, 'look')))) return noSandboxReason({ kind: 'off' });
      const limits = { memoryBytes };
      const parts = {
        ...place,
        environment: { PATH: searched },
        platform,
        home,
        closed: places,
        sealed: [state],
        limits,
      };
      opened ??= createSandbox(parts);
      const found = await opened.state(signal);
      return found.kind === 'available' ? opened : noSandboxReason(found);
    },
  });
}
