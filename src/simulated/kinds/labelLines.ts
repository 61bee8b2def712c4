import type { Instruction, InstructionKind } from '../instruction.js';
import type { Statement } from '../reading/statements.js';
import { denies } from '../reading/wording.js';
import type { PlannedLine } from '../target/plan.js';
import { isAtEnd } from './closingLine.js';
import { isAtStart } from './openingLine.js';
import { isLine, lineOf, quoted } from './plannedLine.js';

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
    kind: labelLines.name,
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
