import type { Chance } from '../chance.js';
import type { ReplyEdit } from './helpfulEdits.js';
import type { Failure } from './reflectionPrompt.js';

/** Advice that sounds right and changes nothing: no kind of instruction reads it. */
export const uselessAdvice: readonly string[] = [
  'Think carefully about the request.',
  'Double-check your work.',
  'Consider the perspective of the reader.',
  'Quality matters more than speed.',
  'Aim for clarity.',
  'Take the context into account.',
];

/** Advice that makes answers worse, for want of a criterion to work against. */
const harmfulAdvice: readonly string[] = [
  'Write at least 2000 words.',
  'Hedge every statement and leave the decision open.',
];

export function uselessEdit(chance: Chance, index: number, tasks: readonly string[]): ReplyEdit {
  const content = `- ${chance.pick(`useless ${index}`, uselessAdvice)}`;
  return { op: 'append', content, rationale: 'Careful answers fail less often.', tasks };
}

/** Appended, so that it stands later than what it contradicts. */
export function harmfulEdit(
  chance: Chance,
  index: number,
  worse: string | undefined,
  tasks: readonly string[],
): ReplyEdit {
  const content = `- ${worse ?? chance.pick(`harmful ${index}`, harmfulAdvice)}`;
  return { op: 'append', content, rationale: 'The failed attempts gave the reader too little to go on.', tasks };
}

/** A reply that no edit can be taken from: prose, broken JSON, the wrong shape, an unknown op, an anchor that is nowhere. */
export function malformedReflection(chance: Chance, failures: readonly Failure[]): string {
  const rationale = 'The attempts failed.';
  const forms: readonly string[] = [
    'I looked at the attempts. The skill should be clearer about what it wants, and then they would pass.',
    `{"failure_summary": [{"failure_type": "${failures[0]?.count ?? 1} attempts`,
    JSON.stringify({ failure_summary: [], edits: [{ op: 'upsert', content: '- Be better.', rationale, tasks: [] }] }),
    JSON.stringify({ failure_summary: [], patch: 'see above' }),
    JSON.stringify({ failure_summary: [], edits: [{ op: 'replace', content: '- Be better.', rationale, tasks: [] }] }),
    JSON.stringify({
      failure_summary: [],
      edits: [
        {
          op: 'insert_after',
          anchor: `Rule ${chance.digits('anchor', 12)}`,
          content: '- Be better.',
          rationale,
          tasks: [],
        },
      ],
    }),
  ];
  return chance.pick('malformed', forms);
}

/** The same for a question whose answer is not a list of edits. */
export function malformedChoice(chance: Chance): string {
  return chance.pick('malformed', [
    'All of them have their merits; the choice is up to you.',
    '{"reasoning": "the first',
    JSON.stringify({ reasoning: 'All of them.', selected_indices: [9999] }),
    JSON.stringify({ reasoning: 'All of them.' }),
  ]);
}
