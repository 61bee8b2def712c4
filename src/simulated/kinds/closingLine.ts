import type { Instruction, InstructionKind } from '../instruction.js';
import { denies } from '../reading/wording.js';
import type { PlannedLine } from '../target/plan.js';
import { isLine, lineOf, quoted } from './plannedLine.js';

const atEnd =
  /\b(?:end|ends|ending|close|closes|closing|finish|finishes|conclude|concludes|wrap up|sign off)\b(?: \S+){0,4}? (?:with|by|on|in)\b|\b(?:last|final|closing|bottom) (?:line|words?|sentence)\b|\bat the (?:very )?(?:end|bottom)\b|\bas the last\b|\bcomes last\b/;

/** Whether a clause speaks of how an answer ends. */
export function isAtEnd(plain: string): boolean {
  return atEnd.test(plain);
}

/** `End with the line “Done.”`: the last line, word for word, or a label with a value. */
export const closingLine: InstructionKind = {
  name: 'closing line',
  followed: 'The last line is the one asked for.',
  otherwise: 'It ends with an offer or a question.',
  phrasings: [
    'End with the line “That is all.”',
    'Close every answer with “Next step:”.',
    'The last line is “End of report”.',
    'Finish with a line that starts with “Recommendation:”.',
    'Conclude with “Decision: <go|stop>”.',
    'Put “Reviewed.” at the end.',
    'Sign off with “— the release desk”.',
  ],
  read: (statement) => {
    if (!isAtEnd(statement.plain) || /\bsections?\b|\bheadings?\b|<\//.test(statement.plain)) return [];
    const mark = /⟦(\d+)⟧/.exec(statement.plain);
    if (mark === null) return [];
    const line = lineOf(statement, Number(mark[1]));
    return denies(statement.plain) ? [] : [endWith(line)];
  },
};

function endWith(line: PlannedLine): Instruction {
  return {
    kind: closingLine.name,
    slot: 'closing',
    vague: false,
    implies: line.kind === 'label' ? [`label ${line.label.toLowerCase()}`] : [],
    sentence: `End with a line that ${line.kind === 'fixed' ? 'reads' : 'starts with'} ${quoted(line)}.`,
    opposite: 'End with the line “And so on.”',
    follow: (plan) => ({ ...plan, closing: line }),
    heldBy: ({ answer }) => isLine(answer.trim().split('\n').at(-1) ?? '', line),
  };
}
