import { UserError } from '../errors.js';

type Prices = Readonly<Record<string, { readonly input: number; readonly output: number }>>;

const form = /^(.+)=(\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?)$/;

/** Reads `my-model=0.5/1.5`: US dollars a million tokens in and out. */
export function readPrices(assignments: readonly string[]): Prices {
  return Object.fromEntries(
    assignments.map((assignment) => {
      const [, model, input, output] = form.exec(assignment.trim()) ?? [];
      if (model === undefined) throw noPrice(assignment);
      return [model.trim(), { input: Number(input), output: Number(output) }];
    }),
  );
}

function noPrice(assignment: string): UserError {
  const cure = 'Write the model, =, and US dollars a million tokens in and out: such as my-model=0.5/1.5.';
  return new UserError('usage', `“${assignment}” is not a price.`, cure);
}
