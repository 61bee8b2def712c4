import * as z from 'zod';
import type { Task } from '../../tasks/task.js';
import type { CheckOutcome, PreparedCheck } from '../check.js';
import { addedLines, filesInDiff } from '../unifiedDiff.js';

/** Which text a check looks at. */
export const judgedText = z
  .enum(['answer', 'diff'])
  .default('answer')
  .describe('diff: the lines that an agent added to files, instead of its answer.');

/** Judges the answer, or what an agent added to files; the latter is there in the environment `agent` alone. */
export function judging(
  on: 'answer' | 'diff',
  task: Task,
  judge: (text: string) => CheckOutcome,
): Pick<PreparedCheck, 'evaluation' | 'cannotPass' | 'beyondAnswer'> {
  if (on === 'answer') return { evaluation: { by: 'rule', evaluate: ({ answer }) => judge(answer) } };
  return {
    beyondAnswer: true,
    cannotPass: whyNoAgent(task),
    evaluation: {
      by: 'rule',
      evaluate: ({ work }) => (work === undefined ? nobodyWorked : judge(addedLines(filesInDiff(work.diff)))),
    },
  };
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
