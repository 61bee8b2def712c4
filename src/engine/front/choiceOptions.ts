import * as z from 'zod';

/** What candidates can be measured by, beside the score. Less of each is better. */
export const costMeasures = ['skill-tokens', 'answer-tokens', 'answer-time'] as const;
export type CostMeasure = (typeof costMeasures)[number];

export const choiceRules = ['score', 'shortest-not-worse', 'cheapest-at-best-score', 'fastest-at-best-score'] as const;
export type ChoiceRule = (typeof choiceRules)[number];

/**
 * By what a run chooses among its candidates. The score alone is the usual selection on held-out tasks; with more than that
 * a front of candidates is kept on training tasks and takes its place, and the rule names the one that is certified.
 */
export const Choice = z.strictObject({
  measures: z
    .array(z.enum(['score', ...costMeasures]))
    .default(['score'])
    .describe(
      'What candidates are chosen by. With more than the score a front of them is kept on training tasks, in place of selection on held-out tasks.',
    ),
  rule: z
    .enum(choiceRules)
    .default('score')
    .describe('Which candidate of the front is certified; between equals the shorter one.'),
});
export type Choice = z.infer<typeof Choice>;

/** Whether a run keeps a front of candidates. */
export function keepsFront({ choice }: { readonly choice: Choice }): boolean {
  return costsOf(choice).length > 0;
}

/** The measures that count beside the score. */
export function costsOf({ measures }: Pick<Choice, 'measures'>): readonly CostMeasure[] {
  return costMeasures.filter((measure) => measures.includes(measure));
}

/** Whether a rule asks for no gain of a skill that gets shorter: to be no worse is enough. Takes what proposals hold. */
export function isLengthAlone(rule: string | undefined): boolean {
  return rule === ('shortest-not-worse' satisfies ChoiceRule);
}

const measureOfRule: Readonly<Partial<Record<ChoiceRule, CostMeasure>>> = {
  'shortest-not-worse': 'skill-tokens',
  'cheapest-at-best-score': 'answer-tokens',
  'fastest-at-best-score': 'answer-time',
};

/** The measure that the rule chooses by and the front does not keep candidates for; undefined where it does. */
export function missingMeasure({ measures, rule }: Choice): CostMeasure | undefined {
  const needed = measureOfRule[rule];
  return needed === undefined || measures.includes(needed) ? undefined : needed;
}

interface ChoiceProblem {
  readonly path: readonly string[];
  readonly message: string;
}

function wrong(name: string, message: string): ChoiceProblem {
  return { path: ['choice', name], message };
}

/** Why a choice cannot be made so; undefined where it can. */
export function choiceProblem(
  { measures, rule }: Choice,
  gate: 'confident' | 'strict' | 'off',
): ChoiceProblem | undefined {
  if (!measures.includes('score')) return wrong('measures', 'the score must be among the measures');
  if (measures.length === 1)
    return rule === 'score' ? undefined : wrong('rule', 'it needs a measure beside the score in choice.measures');
  if (gate === 'strict')
    return wrong(
      'measures',
      'under gate.rule strict the verdict is the selection on held-out tasks, and a choice by more than the score makes none; it needs gate.rule confident',
    );
  if (gate === 'off')
    return wrong('measures', 'a choice by more than the score is certified at the end; it needs gate.rule confident');
  return undefined;
}
