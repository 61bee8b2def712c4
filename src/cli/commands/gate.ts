import type { Command } from 'commander';
import { decideScores, printGateReport } from '../../engine/certify/decideScores.js';
import { messageOf, UserError } from '../../errors.js';
import type { CliContext } from '../commandLine.js';

/** `whetstone gate < scores.json`: the gate's decision for anyone's paired scores. */
export function addGate(program: Command, face: CliContext, readInput: () => Promise<string>): void {
  program
    .command('gate')
    .description(
      'decide paired scores from standard input: { "before": [[...]], "after": [[...]] }, a row a task, a column a pass, null is an invalid result',
    )
    .option('--json', 'print one JSON object instead of text')
    .action(async (options: { readonly json?: boolean }) => {
      const decided = decideScores(parse(await readInput()));
      if (options.json === true) face.terminal.json(decided);
      else face.terminal.out(`${printGateReport(decided)}\n`);
    });
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch (error) {
    throw new UserError(
      'usage',
      `The scores are not JSON: ${messageOf(error)}.`,
      'Give { "before": [[0, 1]], "after": [[1, 1]] } on standard input.',
      { cause: error },
    );
  }
}
