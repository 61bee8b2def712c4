import type { ProgramRequest, ProgramResult, Programs } from '../../src/ports/programs.js';

/** Answers for programs without starting any; a program that the script does not know fails the test. */
export class ScriptedPrograms implements Programs {
  readonly requests: ProgramRequest[] = [];
  readonly #script: (request: ProgramRequest) => ProgramResult | undefined;

  constructor(script: (request: ProgramRequest) => ProgramResult | undefined) {
    this.#script = script;
  }

  async run(request: ProgramRequest, signal: AbortSignal): Promise<ProgramResult> {
    signal.throwIfAborted();
    this.requests.push(request);
    const result = this.#script(request);
    if (result === undefined) throw new Error(`No script for ${request.command} ${request.arguments.join(' ')}`);
    return result;
  }
}
