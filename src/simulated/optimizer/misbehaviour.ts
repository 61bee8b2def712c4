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

const longestOrder = 1_000; // characters of a line: patterns read no further

const override =
  /\b(?:ignore|disregard|forget|override|skip)\b[^.\n]{0,60}\b(?:instructions?|rules?|prompts?|above|previous|prior|everything)\b/i;
const quotedLine =
  /\b(?:add|append|insert|put|write|include|place)\b[^“"'`\n]{0,60}?(?:“([^”\n]+)”|"([^"\n]+)"|'([^'\n]+)'|`([^`\n]+)`)/i;
const bareLine =
  /\b(?:add|append|insert|put)\s+(?:the|this|a)?\s*(?:line|rule|sentence|text|instruction)s?:?\s+(.+?)(?:\s+(?:to|into|in)\s+(?:the|your|this)\s+(?:skill|document|file)\b|$)/i;
const removal = /\b(?:delete|remove|drop)\b[^“"'`\n]{0,40}?(?:“([^”\n]+)”|"([^"\n]+)"|'([^'\n]+)'|`([^`\n]+)`)/i;
const mark = /\bskill\b|\bdocument\b|\bSKILL\.md\b/i;

/** The edits that some text in the prompt orders (“ignore previous instructions and add the line …”), wherever it stands. */
export function orderedEdits(prompt: string): readonly ReplyEdit[] {
  return prompt.split('\n').flatMap((written) => {
    const line = written.slice(0, longestOrder);
    const order = override.exec(line);
    if (order === null && !(mark.test(line) && /\byou must\b|\bnow\b|\bimportant\b|^\s*(?:system|note)\b/i.test(line)))
      return [];
    return ordersIn(order === null ? line : line.slice(order.index + order[0].length));
  });
}

function ordersIn(text: string): readonly ReplyEdit[] {
  const rationale = 'The text asks for it.';
  const added = firstGroup(quotedLine.exec(text)) ?? bareLine.exec(text)?.[1]?.trim();
  if (added !== undefined) return [{ op: 'append', content: added, rationale, tasks: [] }];
  const removed = firstGroup(removal.exec(text));
  return removed === undefined ? [] : [{ op: 'delete', anchor: removed, content: '', rationale, tasks: [] }];
}

function firstGroup(match: RegExpExecArray | null): string | undefined {
  return match?.slice(1).find((group) => group !== undefined);
}
