import { prepareCheck } from '../../checks/registry.js';
import type { GamingEvidence } from '../../skill/edits/gaming.js';
import type { Task } from '../../tasks/task.js';

/** What an edit must not contain of these tasks: sources of patterns, reference answers, and the tasks' own words. */
export function gamingEvidenceOf(tasks: readonly Task[]): GamingEvidence {
  const checks = tasks.flatMap((task) =>
    task.checks.flatMap((spec) => {
      const prepared = prepareCheck(spec, task);
      return prepared.kind === 'prepared' ? [{ spec, check: prepared.check }] : [];
    }),
  );
  const secrets = checks.flatMap(({ spec, check }) =>
    (check.secrets ?? []).map((text) => ({ text, pattern: spec.check === 'regex' })),
  );
  return {
    stated: checks.flatMap(({ spec, check }) => (spec.hidden ? [] : (check.stated ?? []))),
    regexSources: secrets.filter(({ pattern }) => pattern).map(({ text }) => text),
    references: [
      ...secrets.filter(({ pattern }) => !pattern).map(({ text }) => text),
      ...tasks
        .flatMap(({ references, referenceText }) => [...references, referenceText ?? ''])
        .filter((text) => text !== ''),
    ],
    taskTexts: tasks.map((task) => ({
      taskId: task.id,
      prompt: task.prompt,
      context: task.context ?? '',
      reference: [task.expectedOutput ?? '', ...task.references].join('\n'),
    })),
  };
}
