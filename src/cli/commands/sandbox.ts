import { Argument, type Command } from 'commander';
import { sandboxSentence } from '../../wording/programs/containment.js';
import type { CliContext } from '../commandLine.js';

/** `whetstone sandbox [on|off]`: whether programs of skills are contained on this machine. */
export function addSandbox(program: Command, face: CliContext): void {
  program
    .command('sandbox')
    .addArgument(new Argument('[turn]', 'on or off, for this machine and for you alone').choices(['on', 'off']))
    .description('tell whether programs of skills run in a sandbox on this machine, or turn that on or off')
    .action(async (turn: 'on' | 'off' | undefined) => {
      const useCases = face.open({});
      const state = await (turn === undefined
        ? useCases.sandboxState(face.signal)
        : useCases.turnSandbox(turn === 'on', face.signal));
      face.terminal.out(`${sandboxSentence(state)}\n`);
    });
}
