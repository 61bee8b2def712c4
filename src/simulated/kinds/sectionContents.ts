import type { Instruction, InstructionKind } from '../instruction.js';
import type { Statement } from '../reading/statements.js';
import { denies, namesIn } from '../reading/wording.js';
import { beneath } from '../target/headings.js';
import { addSection } from '../target/plan.js';

const verbs =
  'mention|mentions|include|includes|contain|contains|name|names|state|states|say|says|use|uses|list|lists|refer to|refers to|write|give';
const words = '(?: (?:the|a|an|words?|phrases?|terms?|text|also|always))*';
const list = '((?:⟦\\d+⟧(?:, (?:and )?| and )?)+)';
const patterns: readonly RegExp[] = [
  new RegExp(`\\bsection whose heading (?:contains|is) ⟦(\\d+)⟧ (?:${verbs})${words} ${list}`),
  new RegExp(
    `\\b(?:in|under|within|inside|beneath) (?:the |its |your )?(?:section |heading )?(?:headed |called |titled )?⟦(\\d+)⟧(?: section| heading)?,? (?:you )?(?:always |must )*(?:${verbs})${words} ${list}`,
  ),
  new RegExp(
    `(?:the )?(?:section|heading) (?:headed |called |titled )?⟦(\\d+)⟧ (?:always |must |should )*(?:${verbs})${words} ${list}`,
  ),
  new RegExp(`(?:the )?⟦(\\d+)⟧ section (?:always |must |should )*(?:${verbs})${words} ${list}`),
];
const reversed = new RegExp(
  `\\b(?:${verbs}|put)${words} ${list} (?:in|under|within|inside|beneath|into) (?:the |its |your )?(?:section |heading )?(?:headed |called |titled )?⟦(\\d+)⟧(?: section| heading)?`,
);

/** `In the “Risks” section, mention “rollback”`: the section is there, with those words beneath its heading. */
export const sectionContents: InstructionKind = {
  name: 'section contents',
  followed: 'The section is there and holds the words.',
  otherwise: 'The section, if there is one, holds what comes to mind.',
  phrasings: [
    'In the “Risks” section, mention “rollback”.',
    'The section “Plan” contains “owner”.',
    'The “Costs” section must name “licence fees”.',
    'Under the heading “Timeline”, always state “cut-off date”.',
    'Mention “data loss” in the “Impact” section.',
    'Put “sign-off” under “Approval”.',
    'Within “Tests”, include the words “edge cases”.',
  ],
  read: (statement) => (denies(statement.plain) ? [] : contentsIn(statement)),
};

function contentsIn({ plain, quotes }: Statement): readonly Instruction[] {
  for (const pattern of patterns) {
    const match = pattern.exec(plain);
    if (match !== null) return mentions(quotes[Number(match[1])] ?? '', namesIn(match[2] ?? '', quotes));
  }
  const match = reversed.exec(plain);
  return match === null ? [] : mentions(quotes[Number(match[2])] ?? '', namesIn(match[1] ?? '', quotes));
}

function mentions(section: string, texts: readonly string[]): readonly Instruction[] {
  const heading = section.replace(/^#+\s*/, '');
  return texts.map((text) => ({
    kind: sectionContents.name,
    slot: `contents of ${heading.toLowerCase()}: ${text.toLowerCase()}`,
    vague: false,
    sentence: `In the “${heading}” section, mention “${text}”.`,
    opposite: `Do not include a section headed “${heading}”.`,
    follow: (plan) => {
      const present = addSection(plan, heading, 0);
      return {
        ...present,
        sections: present.sections.map((planned) =>
          planned.heading.toLowerCase() === heading.toLowerCase() && !planned.mentions.includes(text)
            ? { ...planned, mentions: [...planned.mentions, text] }
            : planned,
        ),
      };
    },
    heldBy: ({ answer }) => beneath(answer, heading).toLowerCase().includes(text.toLowerCase()),
  }));
}
