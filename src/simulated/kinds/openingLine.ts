import type { Instruction, InstructionKind } from '../instruction.js';
import { denies } from '../reading/wording.js';
import type { PlannedLine } from '../target/plan.js';
import { isAtEnd } from './closingLine.js';
import { beginsWith, lineOf, quoted } from './plannedLine.js';

const atStart =
  /\b(?:start|starts|starting|begin|begins|beginning|open|opens|opening|lead|leads)\b(?: (?:the|your|every|each|all|an|any|with|answer|answers|reply|replies|response|responses|off|out|directly)){0,4}? (?:with|by|on)\b|\b(?:first|opening|top) (?:line|words?|sentence|thing)\b|\bat the (?:very )?(?:start|beginning|top)\b|\bas the first\b/;
const lineThat =
  /\blines? (?:that|which) (?:starts?|begins?|opens?) with\b|\blines? (?:starting|beginning|opening) with\b/;

/** Whether a clause speaks of how an answer begins (and not of how a line of it does). */
export function isAtStart(plain: string): boolean {
  return atStart.test(plain.replace(lineThat, 'line'));
}

/** `Start with “Summary:”`: the first line, word for word, or a label with a value. */
export const openingLine: InstructionKind = {
  name: 'opening line',
  followed: 'The answer begins with the words asked for, on a line of their own.',
  otherwise: 'It begins with a pleasantry.',
  phrasings: [
    'Start with the line “Release note”.',
    'Begin every answer with “Summary:”.',
    'Open with “In short:”.',
    'The first line is “Incident report”.',
    'Lead with “Verdict: <pass|fail>”.',
    'Put “Draft” at the top.',
    'The answer starts with “Finding:”.',
  ],
  read: (statement) => {
    const { plain } = statement;
    if (!isAtStart(plain) || isAtEnd(plain) || /\bsections?\b|\bheadings?\b/.test(plain)) return [];
    const mark = /⟦(\d+)⟧(.*)$/.exec(plain);
    if (mark === null || /^,? then\b/.test(mark[2]?.trim() ?? '') || denies(plain)) return [];
    return [startWith(lineOf(statement, Number(mark[1])))];
  },
};

function startWith(line: PlannedLine): Instruction {
  return {
    kind: openingLine.name,
    slot: 'opening',
    vague: false,
    implies: line.kind === 'label' ? [`label ${line.label.toLowerCase()}`] : [],
    sentence: `Start with a line that ${line.kind === 'fixed' ? 'reads' : 'starts with'} ${quoted(line)}.`,
    opposite: 'Start with the line “Where to begin.”',
    follow: (plan) => ({ ...plan, opening: line }),
    heldBy: ({ answer }) => beginsWith(answer, line),
  };
}
