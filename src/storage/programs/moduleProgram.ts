import type { ProgramRequest } from '../../ports/programs.js';
import script from './runModule.child.cjs';

/**
 * A module as a program: the Node that runs us, in a process of its own, loads the file from its working directory. The
 * script is handed over as text, so that it is found wherever we were bundled to.
 */
export function moduleProgram(file: string): Pick<ProgramRequest, 'command' | 'arguments' | 'environment' | 'module'> {
  return {
    command: process.execPath,
    arguments: ['-e', script, '--', file],
    // In the editor that Node is Electron, which is told to be nothing else.
    environment: { ELECTRON_RUN_AS_NODE: '1' },
    module: file,
  };
}
