import { contraryOf, type Instruction, type InstructionKind } from '../instruction.js';
import type { Statement } from '../reading/statements.js';
import { denies, itemNames, namesIn } from '../reading/wording.js';
import { hasHeading, headingsIn } from '../target/headings.js';
import { addSection } from '../target/plan.js';
import { sectionContents, sectionOrder } from './sectionOrder.js';

const noun = '(?:sub)?(?:sections?|headings?|headers?|headlines?)';
const verb =
  'include|includes|add|adds|use|uses|have|has|contain|contains|need|needs|write|give|provide|end|structure|structured|organi[sz]e|organi[sz]ed|split|divide|divided|group|put|require|requires|create|start|open|present|lay out|must|carry|carries|answer|under';
const headed = new RegExp(
  `${noun}(?: \\w+){0,3}?(?: (?:headed|titled|called|named|labell?ed|entitled|for|on|about))?:? ((?:⟦\\d+⟧(?:, (?:and )?| and | then |, then )?)+)`,
);
const before = new RegExp(`((?:⟦\\d+⟧(?:, (?:and )?| and )?)+)(?: as)?(?: an?)?(?: own)? ${noun}\\b`);
const listed = new RegExp(`\\b${noun}:? (?:(?:headed|titled|called|named|are|as follows):? )?(\\p{Lu}[^.:]*)$`, 'u');
const capital = new RegExp(
  `\\b(?:[Aa]n?|[Tt]he|[Oo]ne|[Ii]ts own) ((?:\\p{Lu}[\\p{L}-]*)(?: (?:\\p{L}+ )?\\p{Lu}[\\p{L}-]*| [a-z]+){0,3}?) (?:section|heading|header)\\b`,
  'u',
);
const capitals = new RegExp(
  `\\b((?:\\p{Lu}[\\p{L}-]*(?: [\\p{L}-]+){0,2})(?:(?:, and |, | and )\\p{Lu}[\\p{L}-]*(?: [\\p{L}-]+){0,2})+) (?:sections|headings|headers)\\b`,
  'u',
);
const unstructured =
  /\b(?:no|without|not use|not add|avoid|never use|free of) (?:any |markdown )*(?:headings?|headers?|sections)\b|\b(?:write|answer|reply|respond)\b.*\bin (?:running|flowing|continuous) (?:text|prose)\b/;
const about = new RegExp(`\\b${noun}\\b`);
const asking = new RegExp(`\\b(?:${verb})\\b`);

/** `Include a section headed “Risks”`: a heading of that name with something beneath it. */
export const sections: InstructionKind = {
  name: 'sections',
  followed: 'Each section is a heading with a few sentences beneath it, with other sections in any order.',
  otherwise: 'The answer is running text without a heading.',
  phrasings: [
    'Include a section headed “Risks”.',
    'Use the headings “Summary” and “Next steps”.',
    'The answer contains a section called “Impact”.',
    'Structure the answer with these sections: Context, Decision and Consequences.',
    'Every answer must have a “Rollback” section.',
    'Add a Findings section.',
    'Organise what you write under the headings “Cause” and “Cure”.',
  ],
  read: (statement) => {
    if ([sectionOrder, sectionContents].some((kind) => kind.read(statement).length > 0)) return [];
    if (unstructured.test(statement.plain)) return [noHeadings()];
    const names = sectionNames(statement);
    if (names.length === 0) return [];
    const denied = denies(statement.plain);
    return names.map((name) => (denied ? without(name) : withSection(name, statement.sentence)));
  },
};

/** Ways to name headings, the plainest first; the first that finds any is taken. */
const finders: readonly ((statement: Statement) => readonly string[])[] = [
  inTemplate,
  inHashMarks,
  inItems,
  inQuotes,
  inCapitals,
];

function sectionNames(statement: Statement): readonly string[] {
  for (const find of finders) {
    const names = find(statement);
    if (names.length > 0) return names.map(bare);
  }
  return [];
}

/** A fence beneath “use this template:”. */
function inTemplate({ plain, example = '' }: Statement): readonly string[] {
  return /template|format|structure|skeleton|layout|outline|sections?|headings?/.test(plain) ? headingsIn(example) : [];
}

function inHashMarks({ plain, quotes }: Statement): readonly string[] {
  if (!/\b(?:include|contain|add|use|write|start|open|begin|have|has)/.test(plain)) return [];
  return namesIn(plain.includes('⟦') ? plain : '', quotes).filter((name) => /^#{1,6} \S/.test(name));
}

function inItems({ plain, items }: Statement): readonly string[] {
  const isList = items.length > 1 || (items.length === 1 && plain.endsWith(':'));
  return isList && about.test(plain) ? itemNames(items) : [];
}

function inQuotes({ plain, quotes }: Statement): readonly string[] {
  const named =
    headed.exec(plain)?.[1] ?? before.exec(plain)?.[1] ?? /\bheadings?\b.* contains? (⟦\d+⟧)/.exec(plain)?.[1];
  return named === undefined ? [] : namesIn(named, quotes);
}

function inCapitals({ plain, raw, quotes }: Statement): readonly string[] {
  if (!about.test(plain) || !asking.test(plain)) return [];
  const named = capitals.exec(raw)?.[1] ?? capital.exec(raw)?.[1] ?? listed.exec(raw.replace(/[.!]$/, ''))?.[1];
  return named === undefined ? [] : namesIn(named, quotes);
}

function bare(name: string): string {
  return name
    .replace(/^#+\s*/, '')
    .replace(/:$/, '')
    .trim();
}

function withSection(name: string, group: number): Instruction {
  return {
    slot: `section ${name.toLowerCase()}`,
    sentence: `Include a section headed “${name}”.`,
    opposite: `Do not include a section headed “${name}”.`,
    follow: (plan) => addSection(plan, name, group),
    heldBy: ({ answer }) => hasHeading(answer, name),
  };
}

function without(name: string): Instruction {
  return contraryOf(withSection(name, 0), (plan) => ({
    ...plan,
    sections: plan.sections.filter((section) => section.heading.toLowerCase() !== name.toLowerCase()),
  }));
}

function noHeadings(): Instruction {
  return {
    slot: 'section',
    sentence: 'Do not use headings.',
    opposite: 'Include a section headed “Notes”.',
    follow: (plan) => ({ ...plan, sections: [] }),
    heldBy: ({ answer }) => headingsIn(answer).length === 0,
  };
}
