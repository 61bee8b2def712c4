import type { Instruction, InstructionKind } from '../instruction.js';
import type { Statement } from '../reading/statements.js';
import { itemNames, namesIn, quotesIn, denies } from '../reading/wording.js';
import { headingsIn, beneath } from '../target/headings.js';
import { addSection } from '../target/plan.js';

const inOrder =
  /\b(?:in (?:this|the following|exactly this|that|the) (?:exact )?order|the order (?:is|of|must be)|order (?:the|your) (?:sections|headings|answer)|ordered|sequence)\b/;
const listAfter = /(?::|\border(?: of)?) ((?:⟦|\p{Lu})[^:]+)$/u;
const precedes =
  /⟦(\d+)⟧(?: section| heading)? (?:always |must |should )?(?:comes?|goes?|stands?|appears?|precedes?|is placed)(?: (?:directly|right|always))? ?(?:before|ahead of|above)? (?:the )?(?:section |heading )?⟦(\d+)⟧/;
const follows =
  /⟦(\d+)⟧(?: section| heading)? (?:always |must |should )?(?:comes?|goes?|stands?|appears?|follows?)(?: (?:after|below|behind))? (?:the )?(?:section |heading )?⟦(\d+)⟧/;
const put =
  /\b(?:put|place|write|give|show) (?:the )?(?:section |heading )?⟦(\d+)⟧(?: section| heading)? (before|after|ahead of|above|below) (?:the )?(?:section |heading )?⟦(\d+)⟧/;
const thenList =
  /(⟦\d+⟧(?: section| heading)?(?: first)?(?:,? (?:and )?then (?:comes? |goes? )?(?:the )?⟦\d+⟧(?: section| heading)?)+)/;
const sequence = /\b(?:start|begin|open|lead|first|list|order|comes?)s?\b/;

/** `Put the sections in this order: …`: the named sections, present and in that order. */
export const sectionOrder: InstructionKind = {
  name: 'order',
  followed: 'The named sections are there, in the order given.',
  otherwise: 'Sections that were asked for in separate sentences come in any order.',
  phrasings: [
    'Put the sections in this order: “Summary”, “Risks”, “Next steps”.',
    '“Cause” comes before “Cure”.',
    'Order the sections as follows: Facts, Options, Choice.',
    'Start with “Decision”, then “Reasons”, then “Costs”.',
    '“Appendix” comes after “Result”.',
    'Place the “Answer” section before the “Evidence” section.',
    'The order of the headings is: Before, During, After.',
  ],
  read: (statement) => {
    const names = orderIn(statement);
    return names.length < 2 ? [] : [ordered(names, statement.sentence)];
  },
};

function orderIn(statement: Statement): readonly string[] {
  return pairIn(statement) ?? listIn(statement);
}

function pairIn({ plain, quotes }: Statement): readonly string[] | undefined {
  const name = (index: string | undefined): string => quotes[Number(index)] ?? '';
  const placed = put.exec(plain);
  if (placed !== null) {
    const pair = [name(placed[1]), name(placed[3])];
    return placed[2] === 'after' || placed[2] === 'below' ? pair.toReversed() : pair;
  }
  const after = follows.exec(plain);
  if (after !== null && /after|below|behind|follow/.test(after[0])) return [name(after[2]), name(after[1])];
  const before = precedes.exec(plain);
  if (before !== null && /before|ahead|above|precede/.test(before[0])) return [name(before[1]), name(before[2])];
  return undefined;
}

function listIn(statement: Statement): readonly string[] {
  const { plain, raw, quotes, items } = statement;
  const chain = sequence.test(plain) ? thenList.exec(plain)?.[1] : undefined;
  if (chain !== undefined) return namesIn(chain, quotes);
  if (!inOrder.test(plain) || !/\bsections?\b|\bheadings?\b|\banswer\b|\bparts\b/.test(plain)) return [];
  if (items.length > 1) return itemNames(items);
  const listed = listAfter.exec(raw)?.[1];
  return listed === undefined ? quotesIn(statement) : namesIn(listed, quotes);
}

function ordered(names: readonly string[], group: number): Instruction {
  const list = names.map((name) => `“${name}”`).join(', ');
  return {
    slot: `order ${[...names]
      .map((name) => name.toLowerCase())
      .sort()
      .join(' ')}`,
    sentence: `Put the sections in this order: ${list}.`,
    opposite: `Put the sections in this order: ${names
      .toReversed()
      .map((name) => `“${name}”`)
      .join(', ')}.`,
    follow: (plan) => {
      const present = names.reduce((next, name) => addSection(next, name, group), plan);
      return { ...present, order: mergedOrder(plan.order, names) };
    },
    heldBy: ({ answer }) => isInOrder(headingsIn(answer), names),
  };
}

/** Adds a chain to an order that exists: a name that is known keeps its place, others follow the one before them. */
function mergedOrder(order: readonly string[], names: readonly string[]): readonly string[] {
  const overlap = names.filter((name) => order.includes(name));
  if (overlap.length === 0) return [...order, ...names];
  const rest = order.filter((name) => !names.includes(name));
  const at = order.filter((name, index) => rest.includes(name) && index < order.indexOf(overlap[0] ?? '')).length;
  return [...rest.slice(0, at), ...names, ...rest.slice(at)];
}

function isInOrder(headings: readonly string[], names: readonly string[]): boolean {
  const lower = headings.map((heading) => heading.toLowerCase());
  const places = names.map((name) => lower.indexOf(name.toLowerCase()));
  return places.every((place, index) => place >= 0 && (index === 0 || place > (places[index - 1] ?? -1)));
}

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
    slot: `contents of ${heading.toLowerCase()}: ${text.toLowerCase()}`,
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
