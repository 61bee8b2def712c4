import * as z from 'zod';

const statement = z.union([z.string().min(1), z.looseObject({ text: z.string().min(1) })]);

/** One entry of `evals.json`. Fields that it does not name are other tools' and are kept. */
export const evalEntry = z.looseObject({
  id: z.union([z.string().min(1), z.int()], 'must be a text or a whole number').describe('Unique in this file.'),
  prompt: z.string().regex(/\S/, 'must not be blank').describe('What the person asks the agent.'),
  expected_output: z.string().nullish().describe('What a good result is, in plain words.'),
  files: z.array(z.string().min(1)).nullish().describe('Input files, relative to the folder of the skill.'),
  expectations: z.array(statement).nullish().describe('Statements that must hold for the answer.'),
  assertions: z.array(statement).nullish().describe('Another name for expectations.'),
});

/** `evals/evals.json`, the public format for the examples of an agent skill. */
export const evalsFile = z.looseObject({
  skill_name: z.string().optional().describe('The name in the front matter of the skill.'),
  evals: z.array(evalEntry),
});

export type EvalEntry = z.infer<typeof evalEntry>;

/** The natural-language statements of an entry under either name, each once. */
export function expectationsOf(entry: EvalEntry): readonly string[] {
  const statements = [...(entry.expectations ?? []), ...(entry.assertions ?? [])];
  return [...new Set(statements.map((one) => (typeof one === 'string' ? one : one.text)))];
}
