import * as z from 'zod';
import { defineCheck, scored } from '../check.js';
import { sectionsOf, type Section } from '../sectionsOf.js';

export const sectionPresent = defineCheck({
  name: 'section_present',
  about: 'The answer has a section with this heading: a Markdown heading, a bold line or a label with a colon.',
  arguments: z.strictObject({ heading: z.string().trim().min(1) }),
  prepare: ({ heading }) => ({
    criterion: `The answer contains a section headed “${heading}”.`,
    shapeOnly: true,
    evaluation: {
      by: 'rule',
      evaluate: ({ answer }) => {
        const found = sectionsOf(answer).some((section) => isHeaded(section, heading));
        return scored(found, found ? `There is a section “${heading}”.` : `There is no section “${heading}”.`);
      },
    },
  }),
});

export const sectionContains = defineCheck({
  name: 'section_contains',
  about: 'A Markdown heading contains this text; with text, so does that section.',
  arguments: z.strictObject({ heading: z.string().trim().min(1), text: z.string().min(1).optional() }),
  prepare: ({ heading, text }) => ({
    criterion:
      text === undefined
        ? `A heading of the answer contains “${heading}”.`
        : `The section whose heading contains “${heading}” contains “${text}”.`,
    shapeOnly: text === undefined,
    evaluation: {
      by: 'rule',
      evaluate: ({ answer }) => {
        const named = sectionsOf(answer).filter((one) => one.kind === 'heading' && holds(one.title, heading));
        if (named.length === 0) return scored(false, `No heading contains “${heading}”.`);
        if (text === undefined) return scored(true, `A heading contains “${heading}”.`);
        const found = named.some((section) => holds(section.body(), text));
        return scored(found, found ? `The section contains “${text}”.` : `The section does not contain “${text}”.`);
      },
    },
  }),
});

/** A heading may begin with more than its name ("2. Risks", "Key Risks"); a bold line or a label is its name. */
function isHeaded({ kind, title }: Section, heading: string): boolean {
  const [wanted, actual] = [heading.toLowerCase(), title.toLowerCase()];
  if (kind !== 'heading') return actual === wanted;
  return actual.endsWith(wanted) && !/[\p{L}\p{N}]$/u.test(actual.slice(0, actual.length - wanted.length));
}

function holds(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}
