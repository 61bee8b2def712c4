import * as z from 'zod';
import { defineCheck, scored } from '../check.js';
import { standsAnywhere } from '../placesOf.js';
import { judgedText, judging } from './judgedText.js';

const textArguments = z.strictObject({
  text: z.string().min(1),
  caseSensitive: z.boolean().default(false),
  on: judgedText,
});

export const contains = defineCheck({
  name: 'contains',
  about: 'The answer contains this text, in any case unless caseSensitive is set.',
  arguments: textArguments,
  prepare: (options, task) => ({
    criterion:
      options.on === 'diff'
        ? `What is added to files contains “${options.text}”.`
        : `The answer contains “${options.text}”.`,
    ...judging({ on: options.on, isForbidding: false }, task, (text) => {
      const found = isIn(text, options);
      return scored(found, found ? `It contains “${options.text}”.` : `“${options.text}” does not occur.`);
    }),
  }),
});

export const notContains = defineCheck({
  name: 'not_contains',
  about: 'The answer does not contain this text, in any case unless caseSensitive is set.',
  arguments: textArguments,
  prepare: (options, task) => ({
    criterion:
      options.on === 'diff'
        ? `What is added to files does not contain “${options.text}”.`
        : `The answer does not contain “${options.text}”.`,
    ...judging({ on: options.on, isForbidding: true }, task, (text) => {
      const found = isIn(text, options);
      return scored(!found, found ? `It contains “${options.text}”.` : `“${options.text}” does not occur.`);
    }),
  }),
});

function isIn(answer: string, { text, caseSensitive }: z.infer<typeof textArguments>): boolean {
  return standsAnywhere(folded(answer, caseSensitive), folded(text, caseSensitive));
}

function folded(text: string, caseSensitive: boolean): string {
  const normal = text.normalize('NFC').replaceAll('\r\n', '\n');
  return caseSensitive ? normal : normal.toLowerCase();
}
