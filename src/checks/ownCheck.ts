import * as z from 'zod';
import { defineCheck, type Check, type CheckOutcome } from './check.js';
import type { OwnCheck, OwnOutcome } from '../ports/ownCheck.js';

/** A check that a program brings, as one of ours. */
export function checkOfOwn({ name, criterion, evaluate }: OwnCheck): Check {
  return defineCheck({
    name,
    about: `A check of one's own: ${name}.`,
    arguments: z.record(z.string(), z.unknown()),
    prepare: (options, task) => ({
      criterion: typeof criterion === 'string' ? criterion : criterion(options),
      evaluation: {
        by: 'rule',
        evaluate: async ({ answer }, _services, signal) => {
          try {
            return outcomeOf(name, await evaluate(answer, options, { task, signal }));
          } catch (error) {
            signal.throwIfAborted();
            return { kind: 'invalid', reason: `${name}: ${error instanceof Error ? error.message : String(error)}` };
          }
        },
      },
    }),
  });
}

/** Whoever writes JavaScript may give anything: what is no outcome is no score. */
function outcomeOf(name: string, given: OwnOutcome): CheckOutcome {
  const { pass, score, reason = '' } = typeof given === 'boolean' ? { pass: given } : Outcome.parse(given);
  const said = reason === '' ? `${name}: ${pass ? 'passed' : 'not passed'}` : reason;
  return { kind: 'scored', pass, soft: score ?? (pass ? 1 : 0), reason: said };
}

const Outcome = z.object({
  pass: z.boolean(),
  score: z.number().min(0).max(1).optional(),
  reason: z.string().optional(),
});
