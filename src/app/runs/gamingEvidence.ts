import { prepareCheck } from '../../checks/registry.js';
import type { GamingEvidence } from '../../skill/edits/gaming.js';
import type { TrainingTask } from '../../tasks/task.js';

/** What an edit must not contain: sources of patterns, reference answers, and the tasks' own words. */
export function gamingEvidenceOf(tasks: readonly TrainingTask[]): GamingEvidence {
  const secrets = tasks.flatMap((task) =>
    task.checks.flatMap((spec) => {
      const prepared = prepareCheck(spec, task);
      if (prepared.kind !== 'prepared') return [];
      return (prepared.check.secrets ?? []).map((text) => ({ text, pattern: spec.check === 'regex' }));
    }),
  );
  return {
    regexSources: secrets.filter(({ pattern }) => pattern).map(({ text }) => text),
    references: [
      ...secrets.filter(({ pattern }) => !pattern).map(({ text }) => text),
      ...tasks.flatMap((task) => task.references),
    ],
    taskTexts: tasks.map((task) => ({
      taskId: task.id,
      prompt: task.prompt,
      context: task.context ?? '',
      reference: [task.expectedOutput ?? '', ...task.references].join('\n'),
    })),
  };
}
