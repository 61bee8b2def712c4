import * as z from 'zod';
import type { Task } from '../../tasks/task.js';
import { defineCheck, scored } from '../check.js';

const toolArguments = z.strictObject({ tool: z.string().trim().min(1) });

export const toolCalled = defineCheck({
  name: 'tool_called',
  about: 'The tool of this name is called at least once; writing its name is not calling it.',
  arguments: toolArguments,
  prepare: ({ tool }, task) => ({
    criterion: `The tool “${tool}” is called before answering.`,
    cannotPass: offers(task, tool)
      ? undefined
      : `The task “${task.id}” offers no tool named “${tool}”, so no answer can call it.`,
    evaluation: {
      by: 'rule',
      evaluate: ({ toolsCalled }) => {
        const count = toolsCalled.filter((call) => call.name === tool).length;
        return scored(
          count > 0,
          count > 0 ? `“${tool}” was called ${timesInWords(count)}.` : `“${tool}” was not called.`,
        );
      },
    },
  }),
});

export const toolNotCalled = defineCheck({
  name: 'tool_not_called',
  about: 'The tool of this name is never called.',
  arguments: toolArguments,
  prepare: ({ tool }, task) => ({
    criterion: `The tool “${tool}” is not called.`,
    canFail: offers(task, tool),
    evaluation: {
      by: 'rule',
      evaluate: ({ toolsCalled }) => {
        const count = toolsCalled.filter((call) => call.name === tool).length;
        return scored(
          count === 0,
          count > 0 ? `“${tool}” was called ${timesInWords(count)}.` : `“${tool}” was not called.`,
        );
      },
    },
  }),
});

/** Only `chat` and `tools` offer nothing but what the task declares. */
function offers(task: Task, tool: string): boolean {
  if (task.environment !== 'chat' && task.environment !== 'tools') return true;
  return task.environment === 'tools' && task.tools.some((one) => one.name === tool);
}

function timesInWords(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
