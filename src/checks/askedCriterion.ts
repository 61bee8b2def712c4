import { judgePrompt } from '../prompts/judge.js';
import { promptsIn, type PromptOverrides } from '../prompts/renderPrompt.js';
import { canonicalHash, hashOfBytes } from '../tasks/canonicalHash.js';
import type { Task } from '../tasks/task.js';
import type { Evaluation } from './check.js';
import { criteriaOf } from './criteria.js';
import type { AskedCriterion } from './judgement.js';

type ByJudge = Extract<Evaluation, { by: 'judge' }>;

/** Two runs that name the same asked a judge the same of their answers. */
export function askedCriterion(task: Task, { question, passFrom }: ByJudge, prompts: PromptOverrides): AskedCriterion {
  const { prompt, context, expectedOutput, references } = task;
  const words = promptsIn(prompts, task.environment).get(judgePrompt.name)?.text ?? judgePrompt.text;
  return {
    criterion: canonicalHash({ prompt, context, expectedOutput, references, question, passFrom }),
    prompt: hashOfBytes(words),
  };
}

/** What a judge is asked about each answer to the task today, each with the criterion in words; nothing where no judge is. */
export function askedToday(
  task: Task,
  prompts: PromptOverrides,
): readonly (AskedCriterion & { readonly words: string })[] {
  const found = criteriaOf(task);
  if (found.kind === 'malformed') return [];
  return found.criteria.flatMap(({ criterion: words, evaluation }) =>
    evaluation.by === 'judge' ? [{ ...askedCriterion(task, evaluation, prompts), words }] : [],
  );
}
