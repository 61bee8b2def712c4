import { ruleTableNotes, ruleTableText } from '../../../src/gate/rules/ruleTableText.js';
import type { RecordedOutcomes } from '../../../src/gate/rules/recordedOutcomes.js';
import type { RuleRow, RuleTableSettings } from '../../../src/gate/rules/ruleTable.js';

export const pagePath = 'docs/truth.md';
export const picturePath = 'docs/pictures/truth.svg';
export const outcomesPath = 'test/fixtures/truth/recorded-outcomes.json';

/** What the page was made with: a tenth of a percent is told apart. */
export const pageSettings: RuleTableSettings = { seed: 1, resamples: 100_000 };

const begin = '<!-- made by npm run bench:truth -->';
const end = '<!-- until here -->';

/** The page with the table of these rows in the place of the one that it has. */
export function withTable(page: string, table: string): string {
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${pagePath} has no place for the table.`);
  return `${before}${begin}\n\n${table}\n\n${end}${after}`;
}

/** The table that the page has. */
export function tableIn(page: string): string {
  return page.split(begin)[1]?.split(end)[0]?.trim() ?? '';
}

export function tableOf(
  outcomes: RecordedOutcomes,
  rows: readonly RuleRow[],
  {
    settings = pageSettings,
    together = '',
  }: { readonly settings?: RuleTableSettings; readonly together?: string } = {},
): string {
  return [ruleTableText(rows), ruleTableNotes(outcomes, rows, settings).join(' '), together].join('\n\n').trim();
}
