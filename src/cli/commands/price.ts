import type { Command } from 'commander';
import { UserError } from '../../errors.js';
import { costText, readCost } from '../askCosts.js';
import type { CliContext } from '../commandLine.js';
import { oneLine } from '../terminal.js';

/** `whetstone price <model> [cost]`: what a server on this machine costs, as the person says; remembered. */
export function addPrice(program: Command, face: CliContext): void {
  program
    .command('price')
    .argument('<model>', 'a model that a server on this machine answers for, such as ollama/llama3.2')
    .argument('[cost]', 'free, unknown, or US dollars a million tokens in and out, such as 0.15/0.60')
    .description('say what a server on this machine costs, or show what you said')
    .action(async (model: string, cost: string | undefined) => {
      const useCases = face.open({ model });
      const [local] = await useCases.localModels(face.signal);
      if (local === undefined) throw notLocal(model);
      const answer = cost === undefined ? undefined : readCost(cost);
      if (cost !== undefined && answer === undefined) throw noCost(cost);
      if (answer !== undefined) await useCases.stateCost(local, answer, face.signal);
      const server = oneLine(`${local.model} at ${local.endpoint}`);
      face.terminal.out(`${server}: ${costText(answer ?? local.cost)}.\n`);
    });
}

function notLocal(model: string): UserError {
  const cure = 'State its price with --price, such as --price my-model=0.5/1.5.';
  return new UserError('usage', `“${model}” does not answer on this machine.`, cure);
}

function noCost(cost: string): UserError {
  const cure = 'Write free, unknown, or US dollars a million tokens in and out, such as 0.15/0.60.';
  return new UserError('usage', `“${cost}” is not a cost.`, cure);
}
