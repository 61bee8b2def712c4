import type { Statement } from '../reading/statements.js';
import { namesIn, optionsIn, denies } from '../reading/wording.js';
import type { PlannedLine } from '../target/plan.js';
import type { Instruction, InstructionKind } from '../instruction.js';

/** The line that the quoted span with this number asks for: `Severity:`, `Severity: <high|low>` or fixed words. */
function lineOf(statement: Statement, index: number): PlannedLine {
  const quote = statement.quotes[index] ?? '';
  const match = /^(\p{L}[^:\n]{0,40}):\s*(.*)$/u.exec(quote);
  if (match === null) return { kind: 'fixed', text: quote };
  const label = match[1] ?? '';
  const tail = match[2] ?? '';
  if (tail === '') return { kind: 'label', label, options: optionsAfter(statement, index) };
  if (/^[<[{(].*[>\]})]$|^(?:\.{3}|…|_+)$|\|/.test(tail)) return { kind: 'label', label, options: optionsIn(tail) };
  return { kind: 'fixed', text: quote };
}

function optionsAfter({ raw, quotes }: Statement, index: number): readonly string[] {
  const after = raw.split(`⟦${index}⟧`)[1] ?? '';
  const choice = /\b(?:one of|either|followed by|set to|with the values?|as)\b:?\s*(.+)$/i.exec(after)?.[1];
  const bracketed = /\(([^)]+)\)/.exec(after)?.[1];
  const text = bracketed ?? choice;
  if (text === undefined) return [];
  const named = namesIn(text, quotes);
  return text.includes('⟦') && named.length > 1 ? named : optionsIn(text);
}

/** How the line is named in a sentence: quoted, with its choices. */
function quoted(line: PlannedLine): string {
  return line.kind === 'fixed' ? `“${line.text}”` : `“${line.label}:”${choices(line.options)}`;
}

function choices(options: readonly string[]): string {
  return options.length === 0
    ? ''
    : ` followed by one of ${options.slice(0, -1).join(', ')} or ${options.at(-1) ?? ''}`;
}

/** Whether a line of an answer is this one: the fixed words, or the label with one of its values. */
function isLine(written: string, line: PlannedLine): boolean {
  const bare = written.replaceAll(/[*_`]/g, '').trim();
  if (line.kind === 'fixed') return bare.toLowerCase() === line.text.replaceAll(/[*_`]/g, '').trim().toLowerCase();
  if (!bare.toLowerCase().startsWith(`${line.label.toLowerCase()}:`)) return false;
  const value = bare
    .slice(line.label.length + 1)
    .trim()
    .toLowerCase();
  return (
    value !== '' && (line.options.length === 0 || line.options.some((option) => value.startsWith(option.toLowerCase())))
  );
}

/** Whether the text that begins here begins with this line's words. */
function beginsWith(text: string, line: PlannedLine): boolean {
  return line.kind === 'fixed'
    ? text.trimStart().toLowerCase().startsWith(line.text.toLowerCase())
    : isLine(text.trim().split('\n')[0] ?? '', line);
}

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
    slot: 'opening',
    implies: line.kind === 'label' ? [`label ${line.label.toLowerCase()}`] : [],
    sentence: `Start with a line that ${line.kind === 'fixed' ? 'reads' : 'starts with'} ${quoted(line)}.`,
    opposite: 'Start with the line “Where to begin.”',
    follow: (plan) => ({ ...plan, opening: line }),
    heldBy: ({ answer }) => beginsWith(answer, line),
  };
}

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
    slot: 'closing',
    implies: line.kind === 'label' ? [`label ${line.label.toLowerCase()}`] : [],
    sentence: `End with a line that ${line.kind === 'fixed' ? 'reads' : 'starts with'} ${quoted(line)}.`,
    opposite: 'End with the line “And so on.”',
    follow: (plan) => ({ ...plan, closing: line }),
    heldBy: ({ answer }) => isLine(answer.trim().split('\n').at(-1) ?? '', line),
  };
}

type Label = Extract<PlannedLine, { kind: 'label' }>;
const unquoted = /\b(?:[Aa]n?|[Tt]he|[Yy]our) (\p{Lu}[\p{L}-]*(?: [\p{L}-]+){0,2}): (?:line|label|field)\b/u;
const wordsOnly = /\b(?:words?|phrases?|terms?|characters?|strings?)\b/;

/** `Include a line that starts with “Severity:”`: a line of its own with the label and a value. */
export const labelLines: InstructionKind = {
  name: 'labels',
  followed:
    'A line of its own holds the label and a value; where choices are named (`high`, `low`), it is one of them.',
  otherwise: 'The answer names no label.',
  phrasings: [
    'Include a line that starts with “Severity:”.',
    'Add a `Confidence:` line.',
    'State the owner on its own line as “Owner:”.',
    'Every answer carries a “Priority:” label.',
    'Write “Status:” followed by one of open, blocked or done.',
    'Give an Effort: line.',
    'Mark the answer with `Impact: <high|medium|low>`.',
    'The answer contains “Audience:”.',
  ],
  read: (statement) => {
    if (isAtEnd(statement.plain) || isAtStart(statement.plain) || wordsOnly.test(statement.plain)) return [];
    const denied = denies(statement.plain);
    return labelsIn(statement).map((label) => (denied ? withoutLabel(label) : withLabel(label)));
  },
};

function labelsIn(statement: Statement): readonly Label[] {
  const bare = unquoted.exec(statement.raw)?.[1];
  if (bare !== undefined) return [{ kind: 'label', label: bare, options: [] }];
  return [...statement.plain.matchAll(/⟦(\d+)⟧/g)]
    .map((match) => lineOf(statement, Number(match[1])))
    .flatMap((line) => (line.kind === 'label' ? [line] : []));
}

function withLabel(label: Label): Instruction {
  return {
    slot: `label ${label.label.toLowerCase()}`,
    vague: label.options.length === 0,
    sentence: `Include a line that starts with ${quoted(label)}.`,
    opposite: `Do not write a line that starts with “${label.label}:”.`,
    follow: (plan) => ({ ...plan, labels: [...plan.labels.filter((other) => other.label !== label.label), label] }),
    heldBy: ({ answer }) => answer.split('\n').some((line) => isLine(line.replace(/^\s*[-*+]\s+/, ''), label)),
  };
}

function withoutLabel(label: Label): Instruction {
  return {
    ...withLabel(label),
    vague: false,
    sentence: `Do not write a line that starts with “${label.label}:”.`,
    opposite: `Include a line that starts with “${label.label}:”.`,
    follow: (plan) => ({ ...plan, labels: plan.labels.filter((other) => other.label !== label.label) }),
    heldBy: ({ answer }) => !answer.toLowerCase().includes(`${label.label.toLowerCase()}:`),
  };
}
