import * as z from 'zod';
import type { WorkLeft } from '../../ports/agentWork.js';
import type { Task } from '../../tasks/task.js';
import { scored, type CheckOutcome, type PreparedCheck } from '../check.js';
import { addedLines, filesInDiff } from '../unifiedDiff.js';

/** Which text a check looks at. */
export const judgedText = z
  .enum(['answer', 'diff'])
  .default('answer')
  .describe('diff: the lines that an agent added to files, instead of its answer.');

/**
 * Judges the answer, or what an agent added to files; the latter is there in the environment `agent` alone. `isForbidding`:
 * it holds where something is not there, and so not where the diff does not show all.
 */
export function judging(
  { on, isForbidding }: { readonly on: 'answer' | 'diff'; readonly isForbidding: boolean },
  task: Task,
  judge: (text: string) => CheckOutcome,
): Pick<PreparedCheck, 'evaluation' | 'cannotPass' | 'beyondAnswer'> {
  if (on === 'answer') return { evaluation: { by: 'rule', evaluate: ({ answer }) => judge(answer) } };
  return {
    beyondAnswer: true,
    cannotPass: whyNoAgent(task),
    evaluation: {
      by: 'rule',
      evaluate: ({ work }) => {
        if (work === undefined) return nobodyWorked;
        const outcome = judge(addedLines(filesInDiff(work.diff)));
        return isForbidding && outcome.kind === 'scored' && outcome.pass ? unlessHidden(work, outcome) : outcome;
      },
    },
  };
}

function unlessHidden({ diff, notShown = [] }: WorkLeft, outcome: CheckOutcome & { kind: 'scored' }): CheckOutcome {
  const [first] = notShown;
  if (first !== undefined) return scored(false, `Not all that was added can be looked at. Not shown: ${first}.`);
  // No line of a file begins like this in a diff.
  const ignored = /^ignored: (.*)$/mu.exec(diff)?.[1];
  if (ignored === undefined) return outcome;
  return scored(true, `${outcome.reason} Ignored files are not looked at, such as ${ignored}.`);
}

/** Why nothing of what an agent leaves will be there. */
export function whyNoAgent({ id, environment }: Task): string | undefined {
  if (environment === 'agent') return undefined;
  return `The task “${id}” is attempted in “${environment}”, and only an agent leaves anything to look at: name the environment “agent”.`;
}

export const nobodyWorked: CheckOutcome = {
  kind: 'invalid',
  reason: 'There is nothing to look at: no agent worked on the task.',
};
