import { ruleTableNotes, ruleTableText } from '../../../src/gate/rules/ruleTableText.js';
import type { RecordedOutcomes } from '../../../src/gate/rules/recordedOutcomes.js';
import type { RuleRow, RuleTableSettings } from '../../../src/gate/rules/ruleTable.js';

export const pagePath = 'docs/truth.md';
export const picturePath = 'docs/pictures/truth.svg';
export const outcomesPath = 'test/fixtures/truth/recorded-outcomes.json';

/** What the page was made with: a tenth of a percent is told apart. */
export const pageSettings: RuleTableSettings = { seed: 1, resamples: 100_000 };

/** Certifications of each allocation that was tried. */
export const allocationRuns = 4000;

/** What the page shows of the command, each in a place of its own. */
type Place = 'rules' | 'allocations';

function marks(place: Place): readonly [string, string] {
  return [`<!-- ${place}: made by npm run bench:truth -->`, `<!-- ${place}: until here -->`];
}

/** The page with this in the place of what it has there. */
export function withMade(page: string, place: Place, made: string): string {
  const [begin, end] = marks(place);
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${pagePath} has no place for its ${place}.`);
  return `${before}${begin}\n\n${made}\n\n${end}${after}`;
}

/** What the page has in that place. */
export function madeIn(page: string, place: Place): string {
  const [begin, end] = marks(place);
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
